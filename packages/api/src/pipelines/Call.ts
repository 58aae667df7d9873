import type { ActivityKind } from "@inlet/core/log/ActivityEntry"
import type { RejectOperation } from "@inlet/core/operation/commands"
import { isJsonObject, type Json, type JsonObject } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { fromPipelines, type EpochMillis } from "@inlet/core/values/Timestamp"
import { Result } from "effect"
import { readDeduplicationKey } from "../wire/event.ts"
import type { Receipt } from "../wire/Receipt.ts"
import { reject } from "../wire/reject.ts"
import { isAbsent, type Given } from "../wire/texts.ts"
import type { CallType } from "./CallType.ts"

/** What a batch says once for all its calls (contract §13). */
export interface Defaults {
  readonly context: JsonObject
  readonly sentAt: EpochMillis | null
}

export const noDefaults: Defaults = { context: {}, sentAt: null }

/** One call, and what it is read with. */
export interface Call {
  readonly receipt: Receipt
  readonly type: CallType
  readonly body: JsonObject
  readonly defaults: Defaults
}

export const readDefaults = (envelope: JsonObject): Defaults => ({
  context: objectOr(envelope["context"], noDefaults.context),
  sentAt: fromPipelines(envelope["sentAt"]) ?? null,
})

/** The call's own context merges into the batch's by top-level key, and wins. */
export const contextValue = ({ body, defaults }: Call, key: string): Json => {
  const own = body["context"]
  if (isJsonObject(own) && Object.hasOwn(own, key)) return own[key] ?? null
  return defaults.context[key] ?? null
}

/** The `messageId`; one that cannot be a key is left out. */
export const readMessageId = ({ body }: Pick<Call, "body">, faults: Array<Fault>): string | null => {
  const read = readDeduplicationKey(body["messageId"], "messageId")
  if (Result.isSuccess(read)) return read.success
  faults.push(read.failure)
  return null
}

/** A call that cannot be carried out: recorded, and answered like any other (contract §5). */
export const rejectCall = (
  call: Call,
  kind: ActivityKind,
  ...faults: ReadonlyArray<Fault>
): Result.Result<never, RejectOperation> =>
  Result.fail(reject(call.receipt, kind, faults, readMessageId(call, [])))

/** The first of several spellings of a key that holds something; the first of all where none does. */
export const spelled = (
  path: string,
  object: JsonObject,
  keys: readonly [string, ...ReadonlyArray<string>],
): Given => {
  const key = keys.find((spelling) => !isAbsent(object[spelling])) ?? keys[0]
  return { field: path + key, value: object[key] }
}

export const objectOr = (value: Json | undefined, otherwise: JsonObject): JsonObject =>
  isJsonObject(value) ? value : otherwise
