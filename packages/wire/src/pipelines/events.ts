import type { RecordEvent } from "@inlethq/core/event/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Limits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import {
  fallbackName,
  noData,
  readFittingData,
  readName,
  recordEvent,
  type EventType,
} from "../decoding/event.ts"
import { readText } from "../decoding/identifiers.ts"
import { readMessageId, rejectCall, type Call } from "./Call.ts"
import { callerMissing, readCaller } from "./caller.ts"
import { callTimeOf, timeFaults } from "./callTime.ts"

type Decoding = Result.Result<RecordEvent, RejectOperation>

/** Decodes a `track` call with an ordinary event name (pipelines-api §2.2). */
export const decodeEvent = (call: Call, name: string): Decoding =>
  decode(call, "event", () => Result.succeed(name))

/** Decodes a `page` or `screen` call (pipelines-api §2.2). */
export const decodeView = (call: Call, type: "page" | "screen"): Decoding =>
  decode(call, type, (limits, properties) => {
    const given = typeof call.body["name"] === "string" ? call.body["name"] : null
    const name = readName(limits, given, "name")
    if (Result.isFailure(name)) return Result.fail(name.failure)
    return Result.succeed(name.success ?? viewName(limits, call, properties, type))
  })

/**
 * Returns a name for a page or screen view that was sent without a name. Falls back to the type of the view, so a name
 * is always found (contract §13).
 */
const viewName = (limits: Limits, { body }: Call, properties: JsonObject, type: string): string => {
  for (const [data, keys] of [
    [properties, ["url", "path", "title"]],
    [body, ["category"]],
  ] as const) {
    const name = fallbackName(limits, data, keys)
    if (name !== null && name !== "too_long") return name
  }
  return type
}

const decode = (
  call: Call,
  type: EventType,
  nameOf: (limits: Limits, properties: JsonObject) => Result.Result<string, Fault>,
): Decoding => {
  const { body, receipt } = call
  const faults: Array<Fault> = []
  const deduplicationKey = readMessageId(call, faults)
  const address = readCaller(receipt, body, faults)
  if (Result.isFailure(address)) return rejectCall(call, type, address.failure)
  if (address.success === null && !isForGroup(call)) return rejectCall(call, type, callerMissing)
  const properties = propertiesOf(call, faults)
  const name = nameOf(receipt.workspace.limits, properties)
  if (Result.isFailure(name)) return rejectCall(call, type, name.failure)
  const moment = callTimeOf(call)
  faults.push(...timeFaults(call, moment))
  return Result.succeed(
    recordEvent(receipt, address.success, {
      type,
      kind: type,
      name: name.success,
      data: withCategory(body, properties, type),
      ...moment,
      deduplicationKey,
      faults,
    }),
  )
}

/** Returns true if a call is a track call with a `groupId`. Such a call needs no person or visitor. */
const isForGroup = ({ body, type }: Call) => type === "track" && (readText(body["groupId"]) ?? null) !== null

/**
 * Reads the properties of a call. Returns an empty object if the properties are not an object or are too large. A
 * single property is left out if it is nested too deep or holds a number out of range (contract §5, §13).
 */
const propertiesOf = ({ body, receipt }: Call, faults: Array<Fault>): JsonObject => {
  const read = readFittingData(receipt.workspace.limits, body["properties"], "properties", faults)
  if (Result.isSuccess(read)) return read.success
  faults.push(read.failure)
  return noData
}

/** Adds the category of a view to the view's data, unless the properties already have a category. */
const withCategory = (body: JsonObject, properties: JsonObject, type: EventType): JsonObject => {
  const { category } = body
  if (type === "event" || typeof category !== "string" || category === "") return properties
  return Object.hasOwn(properties, "category")
    ? properties
    : Object.fromEntries([...Object.entries(properties), ["category", category]])
}
