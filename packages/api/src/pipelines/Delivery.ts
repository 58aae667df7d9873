import { kindOf, type Command, type RejectOperation } from "@inlet/core/Command"
import type { EpochMillis } from "@inlet/core/Timestamp"
import type { Workspace } from "@inlet/core/Workspace"
import { defaultBrand, type Brand } from "../wire/Brand.ts"
import { fault, reject } from "../wire/reject.ts"

/** What is known of a Pipelines request before its body is read. */
export interface Delivery {
  readonly brand: Brand
  readonly receivedAt: EpochMillis
  /** The bytes of the body, inflated. */
  readonly bytes: number
  /** `X-Strict-Mode: 1` (pipelines-api §7). */
  readonly strict: boolean
  /**
   * The workspace that a `writeKey` of the body opens; null stands for a call without one. Where an `Authorization`
   * header was sent it decides alone, whatever the key (contract §13).
   */
  readonly open: (writeKey: string | null) => Workspace | undefined
}

/** What one call came to. */
export type Outcome =
  | { readonly _tag: "Accepted"; readonly command: Command }
  /** Strict mode answers it with an error; default mode records it. */
  | { readonly _tag: "Refused"; readonly command: RejectOperation }
  | { readonly _tag: "Unauthorized" }

/** Why a strict request is answered with an error; nothing of it is applied. */
export interface Refusal {
  readonly status: 400 | 401
  readonly code: string
  readonly message: string
}

/** What a request came to. */
export interface Decoded {
  /** In order, one for each call whose workspace is known; what is refused is recorded as such. */
  readonly commands: ReadonlyArray<Command>
  /** Null where the answer is `{"success":true}`. */
  readonly refusal: Refusal | null
  /** Calls whose key opens nothing: counted and logged, never stored (contract §3). */
  readonly unauthorized: number
}

/**
 * What a whole request comes to: in strict mode one bad call stops all the others (contract §13), and each call of the
 * request is recorded as refused, for itself or for the others.
 */
export const collect = (delivery: Delivery, outcomes: ReadonlyArray<Outcome>): Decoded => {
  const unauthorized = outcomes.filter((outcome) => outcome._tag === "Unauthorized").length
  const refused = outcomes.flatMap((outcome) => (outcome._tag === "Refused" ? [outcome.command] : []))
  const refusal = delivery.strict ? refusalOf(refused, unauthorized) : null
  if (refusal?.status === 401) return { commands: [], refusal, unauthorized }
  const commands = outcomes.flatMap((outcome): ReadonlyArray<Command> => {
    if (outcome._tag === "Unauthorized") return []
    return [refusal === null ? outcome.command : stopped(outcome.command)]
  })
  return { commands: unauthorized === 0 ? commands : commands.map(inLine), refusal, unauthorized }
}

/** The record of a call that is not applied because others of its batch are bad. */
const stopped = (command: Command): RejectOperation => {
  if (command._tag === "RejectOperation") return command
  const { batchIndex, receivedAt, source, workspace } = command
  return reject({ workspace, brand: defaultBrand, source, receivedAt, batchIndex }, kindOf(command), [
    fault("invalid", "", "another call of the batch was refused"),
  ])
}

/** Numbers the calls that are recorded one after the other, since those for no known workspace leave no entry. */
const inLine = (command: Command, index: number): Command =>
  command.batchIndex === null ? command : { ...command, batchIndex: index }

const refusalOf = (refused: ReadonlyArray<RejectOperation>, unauthorized: number): Refusal | null => {
  if (unauthorized > 0) return unauthorizedRefusal
  const messages = refused.flatMap(({ batchIndex, faults }) =>
    faults.map(({ message }) => (batchIndex === null ? message : `batch[${batchIndex}]: ${message}`)),
  )
  const code = refused[0]?.faults[0]?.reason
  return code === undefined ? null : { status: 400, code, message: messages.join("; ") }
}

export const unauthorizedRefusal: Refusal = {
  status: 401,
  code: "unauthorized",
  message: "the write key is not valid",
}
