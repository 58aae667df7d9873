import { kindOf, type Command } from "@inlet/core/Command"
import type { RejectOperation } from "@inlet/core/operation/commands"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import type { Brand } from "../wire/Brand.ts"
import { reject } from "../wire/reject.ts"
import { answerTexts } from "../wire/faults.ts"
import { pipelinesFaults } from "./faults.ts"

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
  /** In order, one for each call; none at all where no call's workspace is known. What is refused is recorded as such. */
  readonly commands: ReadonlyArray<Command>
  /** Null where the answer is `{"success":true}`. */
  readonly refusal: Refusal | null
  /** Calls whose key opens nothing: counted and logged, nothing of them is stored (contract §3). */
  readonly unauthorized: number
}

/**
 * What a whole request comes to: in strict mode one bad call stops all the others (contract §13), and each call of the
 * request is recorded as refused, for itself or for the others. `home` is the workspace that the request itself opens.
 */
export const collect = (
  delivery: Delivery,
  outcomes: ReadonlyArray<Outcome>,
  home: Workspace | undefined = undefined,
): Decoded => {
  const unauthorized = outcomes.filter((outcome) => outcome._tag === "Unauthorized").length
  const refused = outcomes.flatMap((outcome) => (outcome._tag === "Refused" ? [outcome.command] : []))
  const refusal = delivery.strict ? refusalOf(refused, unauthorized) : null
  if (refusal?.status === 401) return { commands: [], refusal, unauthorized }
  const recording = home ?? workspaceIn(outcomes)
  const commands = outcomes.flatMap((outcome, batchIndex): ReadonlyArray<Command> => {
    if (outcome._tag === "Unauthorized") {
      return recording === undefined ? [] : [turnedAway(delivery, recording, batchIndex)]
    }
    return [refusal === null ? outcome.command : stopped(delivery, outcome.command)]
  })
  return { commands, refusal, unauthorized }
}

const workspaceIn = (outcomes: ReadonlyArray<Outcome>): Workspace | undefined => {
  for (const outcome of outcomes) if (outcome._tag !== "Unauthorized") return outcome.command.workspace
  return undefined
}

/**
 * The place of a call whose key opens nothing, in the log of those that came with it. The id of an operation is its
 * position, so a gap would give all calls behind it the ids of others.
 */
const turnedAway = (
  { brand, receivedAt }: Delivery,
  workspace: Workspace,
  batchIndex: number,
): RejectOperation =>
  reject({ workspace, brand, source: "pipelines", receivedAt, batchIndex }, null, [
    pipelinesFaults.unknownKey("writeKey"),
  ])

/** The record of a call that is not applied because others of its batch are bad. */
const stopped = ({ brand }: Delivery, command: Command): RejectOperation => {
  if (command._tag === "RejectOperation") return command
  const { batchIndex, deduplicationKey, receivedAt, source, workspace } = command
  const faults = [pipelinesFaults.stopped("")]
  return reject(
    { workspace, brand, source, receivedAt, batchIndex },
    kindOf(command),
    faults,
    deduplicationKey,
  )
}

/** Things wrong with a batch that its answer spells out: a few bytes can be wrong in many places. */
const messagesMax = 100

const refusalOf = (refused: ReadonlyArray<RejectOperation>, unauthorized: number): Refusal | null => {
  if (unauthorized > 0) return unauthorizedRefusal
  const messages = refused.flatMap(({ batchIndex, faults }) =>
    faults.map(({ message }) => (batchIndex === null ? message : `batch[${batchIndex}]: ${message}`)),
  )
  const shown = messages.slice(0, messagesMax)
  if (messages.length > shown.length) shown.push(`and ${messages.length - shown.length} more`)
  const code = refused[0]?.faults[0]?.reason
  return code === undefined ? null : { status: 400, code, message: shown.join("; ") }
}

export const unauthorizedRefusal: Refusal = {
  status: 401,
  code: "unauthorized",
  message: answerTexts.invalidWriteKey(),
}
