import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { readTime, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Result } from "effect"
import { readDeduplicationKey } from "../decoding/event.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { reject } from "../decoding/reject.ts"
import { isAbsent, type FieldValue } from "../decoding/fieldValues.ts"
import type { CallType } from "./CallType.ts"

/** Values of a batch request that apply to each call in the batch (contract §13). */
export interface Defaults {
  readonly context: JsonObject
  readonly integrations: JsonObject
  readonly sentAt: EpochMillis | null
  /** The paths at which the workspace left something out of the context. */
  readonly omitted: ReadonlyArray<string>
  readonly userAgent: Json
}

export const noDefaults: Defaults = {
  context: {},
  integrations: {},
  sentAt: null,
  omitted: [],
  userAgent: null,
}

/** One call, and the values that the decoder needs besides the call. */
export interface Call {
  readonly receipt: Receipt
  readonly type: CallType
  readonly body: JsonObject
  readonly defaults: Defaults
  /** The user agent in the context as it was sent, even if the workspace omits it. */
  readonly userAgent: Json
}

export const readDefaults = (envelope: JsonObject): Defaults => ({
  context: objectOr(envelope["context"], noDefaults.context),
  integrations: objectOr(envelope["integrations"], noDefaults.integrations),
  sentAt: readTime(envelope["sentAt"]) ?? null,
  omitted: noDefaults.omitted,
  userAgent: userAgentIn(envelope),
})

/** Returns the user agent in the context of a call or of a batch. */
export const userAgentIn = ({ context }: JsonObject): Json =>
  isJsonObject(context) ? (context["userAgent"] ?? null) : null

/**
 * Returns a value of the call's context. If the call's context does not have the key, returns the value in the batch's
 * context.
 */
export const contextValue = ({ body, defaults }: Call, key: string): Json => {
  const own = body["context"]
  if (isJsonObject(own) && Object.hasOwn(own, key)) return own[key] ?? null
  return defaults.context[key] ?? null
}

/** Returns the `messageId`, or null if it is missing or invalid. Adds a fault if it is invalid. */
export const readMessageId = ({ body }: Pick<Call, "body">, faults: Array<Fault>): string | null => {
  const read = readDeduplicationKey(body["messageId"], "messageId")
  if (Result.isSuccess(read)) return read.success
  faults.push(read.failure)
  return null
}

/** Builds the command that records a refused call. In default mode, the client still gets a success (contract §5). */
export const rejectCall = (
  call: Call,
  kind: ActivityKind,
  ...faults: ReadonlyArray<Fault>
): Result.Result<never, RejectOperation> =>
  Result.fail(reject(call.receipt, kind, faults, readMessageId(call, [])))

/**
 * Returns the value and the path of a key that has several accepted spellings. The first spelling with a value is used.
 * If no spelling has a value, the path contains the first spelling.
 */
export const firstSpelling = (
  path: string,
  object: JsonObject,
  keys: readonly [string, ...ReadonlyArray<string>],
): FieldValue => {
  const key = keys.find((spelling) => !isAbsent(object[spelling])) ?? keys[0]
  return { field: path + key, value: object[key] }
}

export const objectOr = (value: Json | undefined, otherwise: JsonObject): JsonObject =>
  isJsonObject(value) ? value : otherwise
