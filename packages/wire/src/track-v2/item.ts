import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Result } from "effect"
import { readBranded } from "../decoding/Brand.ts"
import type { Findings } from "../decoding/Findings.ts"
import { readAddress, type Address } from "../decoding/identifiers.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import type { FieldValue } from "../decoding/fieldValues.ts"
import { readStamp } from "../decoding/timestamps.ts"

/** Decodes items of one type and action. */
export type Decode = (receipt: Receipt, item: JsonObject) => Result.Result<Command, RejectOperation>

/**
 * Returns the person or visitor that an item is addressed to. An item without `identifiers` may have an `anonymous_id`
 * at its top level (track-api §2.5). If `anonymous` is false, an anonymous id alone is not accepted.
 */
export const addressOf = (
  receipt: Receipt,
  item: JsonObject,
  anonymous: boolean,
): Result.Result<Address, ReadonlyArray<Fault>> => {
  const { anonymous_id, identifiers } = item
  return anonymous && (identifiers ?? null) === null && (anonymous_id ?? null) !== null
    ? readAddress(receipt, { anonymous_id: anonymous_id ?? null }, true)
    : readAddress(receipt, identifiers, anonymous)
}

/**
 * Returns the time that decides whether an update is newer than the stored values: the first of the item's
 * `_timestamp`, the `_timestamp` in its attributes, and its `timestamp`. Returns null if the time of receipt decides
 * (contract §6).
 */
export const orderOf = (
  receipt: Receipt,
  item: JsonObject,
  inAttributes: EpochMillis | null,
  { faults }: Findings,
): EpochMillis | null => {
  const read = (field: "_timestamp" | "timestamp") =>
    readStamp(receipt, { field, value: item[field] }, faults)
  return read("_timestamp") ?? inAttributes ?? read("timestamp")
}

/** Returns the `svc_relationships` at the top level of an item. */
export const relationshipsOf = ({ brand }: Receipt, item: JsonObject): FieldValue => ({
  field: "svc_relationships",
  value: readBranded(brand, item, "svc_relationships"),
})

/** Returns the `svc_relationships` in the attributes of an item (contract §9 *svc_relationships*). */
export const relationshipsInAttributes = ({ brand }: Receipt, { attributes }: JsonObject): FieldValue => ({
  field: "attributes.svc_relationships",
  value: isJsonObject(attributes) ? readBranded(brand, attributes, "svc_relationships") : null,
})

/**
 * Returns the data of an event or a report. The data is the item's `attributes`, or the item's `data` if the item has
 * no `attributes` (contract §8).
 */
export const dataOf = ({ attributes, data }: JsonObject): FieldValue =>
  (attributes ?? null) === null ? { field: "data", value: data } : { field: "attributes", value: attributes }
