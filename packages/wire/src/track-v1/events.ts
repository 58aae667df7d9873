import type { RecordEvent } from "@inlethq/core/event/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { isEventType, type EventType } from "../decoding/event.ts"
import { addressBy, bareAddress, readIdentifier, type Address } from "../decoding/identifiers.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject } from "../decoding/reject.ts"
import { decodeTrackEvent } from "../decoding/trackEvent.ts"
import { eventTexts } from "../texts/wireTexts.ts"

/** Decodes POST or PUT `/customers/{identifier}/events` (track-api §4.3). `identifier` is the decoded path segment. */
export const decodeEvent = (
  receipt: Receipt,
  identifier: string,
  body: unknown,
): Result.Result<RecordEvent, RejectOperation> => {
  if (!isJsonObject(body)) return Result.fail(reject(receipt, "event", [notAnObject()]))
  const person = bareAddress(receipt, identifier, "identifier")
  if (Result.isFailure(person)) return Result.fail(reject(receipt, "event", [person.failure]))
  const visitor = readAnonymousId(receipt, body)
  if (Result.isFailure(visitor)) return Result.fail(reject(receipt, "event", [visitor.failure]))
  const anonymousId = visitor.success
  const address =
    anonymousId === null
      ? person.success
      : { ...person.success, others: { ...person.success.others, anonymousId } }
  return decode(receipt, address, body)
}

/**
 * Decodes POST `/events`, which records an event of an anonymous visitor or an event without any identifier (track-api
 * §4.3 rule 4).
 */
export const decodeAnonymousEvent = (
  receipt: Receipt,
  body: unknown,
): Result.Result<RecordEvent, RejectOperation> => {
  if (!isJsonObject(body)) return Result.fail(reject(receipt, "anonymous_event", [notAnObject()]))
  const visitor = readAnonymousId(receipt, body)
  if (Result.isFailure(visitor)) return Result.fail(reject(receipt, "anonymous_event", [visitor.failure]))
  const anonymousId = visitor.success
  return decode(receipt, anonymousId === null ? null : addressBy("anonymous_id", anonymousId), body)
}

const decode = (receipt: Receipt, address: Address | null, body: JsonObject) => {
  const type = readType(body)
  return Result.isFailure(type)
    ? Result.fail(reject(receipt, address === null ? "anonymous_event" : "event", [type.failure]))
    : decodeTrackEvent(receipt, {
        body,
        type: type.success,
        address,
        data: { field: "data", value: body["data"] },
      })
}

/** Reads the type of an event. An unknown type is a fault (contract §8). */
const readType = (body: JsonObject): Result.Result<EventType, Fault> => {
  const type = body["type"] ?? "event"
  return isEventType(type) ? Result.succeed(type) : Result.fail(eventTexts.unknownType("type"))
}

const readAnonymousId = (receipt: Receipt, body: JsonObject): Result.Result<string | null, Fault> =>
  readIdentifier(receipt, "anonymous_id", body["anonymous_id"], "anonymous_id")
