import type { ActivityKind } from "@inlet/core/Activity"
import type { Command, RejectOperation } from "@inlet/core/Command"
import { isJsonObject, type JsonObject } from "@inlet/core/Json"
import type { Fault } from "@inlet/core/Outcome"
import { fromTrack, type EpochMillis } from "@inlet/core/Timestamp"
import { Result } from "effect"
import { emptyReading, isTrue, readAttributes, relationshipsFault, trackV2 } from "../wire/attributes.ts"
import { readBranded } from "../wire/Brand.ts"
import { deletePerson } from "../wire/deletePerson.ts"
import { readAddress, type Address } from "../wire/identifiers.ts"
import { identify } from "../wire/identify.ts"
import type { EventType } from "../wire/event.ts"
import type { Receipt } from "../wire/Receipt.ts"
import { fault, reject } from "../wire/reject.ts"
import { decodeTrackEvent } from "../wire/trackEvent.ts"

/** Reads one item of a type and an action. */
export type Decode = (receipt: Receipt, item: JsonObject) => Result.Result<Command, RejectOperation>

/** `person` `identify` (track-api §4.2). */
export const decodeIdentify: Decode = (receipt, item) => {
  const address = addressOf(receipt, item, true)
  const attributes = item["attributes"] ?? null
  const faults: Array<Fault> = Result.isFailure(address) ? [...address.failure] : []
  if (attributes !== null && !isJsonObject(attributes)) {
    faults.push(fault("invalid", "attributes", "attributes must be an object"))
  }
  const reading = isJsonObject(attributes) ? readAttributes(receipt, attributes, trackV2) : emptyReading()
  faults.push(...reading.violations)
  if (Result.isFailure(address) || faults.length > 0) return Result.fail(reject(receipt, "identify", faults))
  const related = relationshipsFault(
    "svc_relationships",
    readBranded(receipt.brand, item, "svc_relationships"),
  )
  if (related !== undefined) reading.faults.push(related)
  if (isTrue(item["_update"])) reading.updateOnly = true
  const at = readAt(item, reading.at, reading.faults) ?? receipt.receivedAt
  return Result.succeed(identify(receipt, trackV2, address.success, reading, { at }))
}

/** `person` `delete`. */
export const decodeDelete: Decode = (receipt, item) => {
  const address = addressOf(receipt, item, false)
  return Result.isFailure(address)
    ? Result.fail(reject(receipt, "delete", address.failure))
    : Result.succeed(deletePerson(receipt, address.success))
}

/** `person` `event`, `page` and `screen`; `name` is given where the action itself names the event. */
export const decodeEvent =
  (type: EventType, name?: string): Decode =>
  (receipt, item) => {
    const address = addressOf(receipt, item, true)
    if (Result.isFailure(address)) return Result.fail(reject(receipt, type, address.failure))
    const { attributes, data } = item
    const named = name === undefined ? {} : { name }
    return decodeTrackEvent(receipt, {
      body: item,
      type,
      address: address.success,
      data:
        attributes === undefined || attributes === null
          ? { field: "data", value: data }
          : { field: "attributes", value: attributes },
      ...named,
    })
  }

/** An item whose `identifiers` are left out may name its visitor at the top (track-api §2.5). */
const addressOf = (
  receipt: Receipt,
  item: JsonObject,
  anonymous: boolean,
): Result.Result<Address, ReadonlyArray<Fault>> => {
  const { anonymous_id, identifiers } = item
  return anonymous && (identifiers ?? null) === null && (anonymous_id ?? null) !== null
    ? readAddress(receipt, { anonymous_id: anonymous_id ?? null }, true)
    : readAddress(receipt, identifiers, anonymous)
}

/** What orders an identify: `_timestamp` at the top, in the attributes, or else `timestamp` (contract §6). */
const readAt = (
  item: JsonObject,
  inAttributes: EpochMillis | null,
  faults: Array<Fault>,
): EpochMillis | null => {
  const read = (field: "_timestamp" | "timestamp") => {
    const value = item[field]
    if (value === undefined || value === null || value === "") return null
    const at = fromTrack(value)
    if (at === undefined) faults.push(fault("invalid", field, `${field} is no time`))
    return at ?? null
  }
  return read("_timestamp") ?? inAttributes ?? read("timestamp")
}

/** An action of the reference that is recorded as refused. */
export const unsupported =
  (what: string, kind: ActivityKind | null): Decode =>
  (receipt) =>
    Result.fail(reject(receipt, kind, [fault("unknown_action", "action", `${what} is not supported yet`)]))
