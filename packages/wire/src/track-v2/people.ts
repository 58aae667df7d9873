import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { isTrue } from "@inlethq/core/values/flags"
import type { Command } from "@inlethq/core/Command"
import type { Reference } from "@inlethq/core/values/Identifier"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { emptyReading, readAttributes, trackV2 } from "../decoding/attributes.ts"
import type { EventType } from "../decoding/event.ts"
import { identify } from "../decoding/identify.ts"
import { decodeTrackMerge } from "../decoding/merge.ts"
import { deletePerson, suppressPerson, unsuppressPerson } from "../decoding/person.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { reject } from "../decoding/reject.ts"
import { joinRelationships, readRelationshipList } from "../decoding/relationships.ts"
import { decodeTrackEvent } from "../decoding/trackEvent.ts"
import { decodeAddDevice, decodeDeleteDevice } from "./devices.ts"
import { addressOf, dataOf, orderOf, relationshipsOf, type Decode } from "./item.ts"
import { decodePersonRelationships } from "./relationships.ts"
import { isEmptyArray } from "../decoding/fieldValues.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** Decodes the `identify` action of a person (track-api §4.2). */
const decodeIdentify: Decode = (receipt, item) => {
  const address = addressOf(receipt, item, true)
  const attributes = item["attributes"] ?? null
  const refused: Array<Fault> = Result.isFailure(address) ? [...address.failure] : []
  if (attributes !== null && !isJsonObject(attributes) && !isEmptyArray(attributes)) {
    refused.push(valueTexts.notObject("attributes"))
  }
  const reading = isJsonObject(attributes) ? readAttributes(receipt, attributes, trackV2) : emptyReading()
  const listed = relationshipsOf(receipt, item)
  const related = readRelationshipList(receipt, listed, reading)
  reading.relationships = joinRelationships(reading.relationships, related, listed.field, reading)
  refused.push(...reading.violations)
  if (Result.isFailure(address) || refused.length > 0) {
    return Result.fail(reject(receipt, "identify", refused))
  }
  if (isTrue(item["_update"])) reading.updateOnly = true
  const at = orderOf(receipt, item, reading.at, reading)
  return Result.succeed(identify(receipt, trackV2, address.success, reading, { at }))
}

/**
 * Returns the decoder of the actions `event`, `page` and `screen` of a person. `name` is set if the action determines
 * the event's name.
 */
const decodeEvent =
  (type: EventType, name?: string): Decode =>
  (receipt, item) => {
    const address = addressOf(receipt, item, true)
    if (Result.isFailure(address)) return Result.fail(reject(receipt, type, address.failure))
    const named = name === undefined ? {} : { name }
    return decodeTrackEvent(receipt, {
      body: item,
      type,
      address: address.success,
      data: dataOf(item),
      ...named,
    })
  }

/**
 * Returns the decoder of an operation that needs only a person. The first identifier of the item identifies the person,
 * and other identifiers are ignored (contract §6).
 */
const decodeWith =
  (kind: ActivityKind, command: (receipt: Receipt, target: Reference) => Command): Decode =>
  (receipt, item) => {
    const address = addressOf(receipt, item, false)
    return Result.isFailure(address)
      ? Result.fail(reject(receipt, kind, address.failure))
      : Result.succeed(command(receipt, address.success.target))
  }

const decodeDelete = decodeWith("delete", deletePerson)

/** Decodes the `suppress` action of a person (track-api §3). */
const decodeSuppress = decodeWith("suppress", suppressPerson)

/** Decodes the `unsuppress` action of a person (track-api §3). */
const decodeUnsuppress = decodeWith("unsuppress", unsuppressPerson)

/**
 * Decodes the `merge` action of a person. The item has `primary` and `secondary` instead of `identifiers` (track-api
 * §4.2).
 */
const decodeMerge: Decode = decodeTrackMerge

/** The actions of a person and their decoders (track-api §4.2). */
export const personActions: ReadonlyMap<string, Decode> = new Map([
  ["identify", decodeIdentify],
  ["delete", decodeDelete],
  ["event", decodeEvent("event")],
  ["page", decodeEvent("page")],
  ["screen", decodeEvent("screen")],
  ["viewed_content", decodeEvent("event", "viewed_content")],
  ["clicked_content", decodeEvent("event", "clicked_content")],
  ["add_relationships", decodePersonRelationships("add")],
  ["delete_relationships", decodePersonRelationships("delete")],
  ["add_device", decodeAddDevice],
  ["delete_device", decodeDeleteDevice],
  ["merge", decodeMerge],
  ["suppress", decodeSuppress],
  ["unsuppress", decodeUnsuppress],
])
