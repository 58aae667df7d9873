import type { Command } from "@inlethq/core/Command"
import { kindOf } from "@inlethq/core/CommandTable"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { Client, OpenedWorkspace } from "../decoding/Receipt.ts"
import type { Brand } from "../decoding/Brand.ts"
import { withOmitted, type Rest } from "../decoding/omitted.ts"
import { reject } from "../decoding/reject.ts"
import { withSent } from "../decoding/sentCall.ts"
import { messageOf } from "../texts/sentences.ts"
import type { WrittenBrand } from "../texts/WrittenBrand.ts"
import { answerTexts } from "../texts/wireTexts.ts"
import { pipelinesTexts } from "../texts/pipelinesTexts.ts"

/** Facts about a Pipelines request that are known before its body is decoded. */
export interface RequestContext {
  readonly brand: Brand
  readonly receivedAt: EpochMillis
  /** The size of the body in bytes, after decompression. */
  readonly bytes: number
  /** True if the request has the header `X-Strict-Mode: 1` (pipelines-api §7). */
  readonly strict: boolean
  readonly client?: Client | undefined
  /**
   * Returns the workspace of a write key, or undefined if the key is unknown. `writeKey` is the key in the body or in a
   * call of a batch, or null if there is no key. If the request has an `Authorization` header, `writeKey` is ignored
   * (contract §13).
   */
  readonly open: (writeKey: string | null) => OpenedWorkspace | undefined
}

/** The outcome of one call. */
export type CallOutcome =
  | { readonly _tag: "Accepted"; readonly command: Command; readonly kept: Rest<unknown> }
  /**
   * A call that breaks a rule. Strict mode responds with an error, while default mode records the refusal and responds
   * with success.
   */
  | { readonly _tag: "Refused"; readonly command: RejectOperation }
  | { readonly _tag: "Unauthorized" }

/** The error response to a request in strict mode. If a request is refused, no call of the request is applied. */
export interface Refusal {
  readonly status: 400 | 401
  readonly code: string
  /** What is wrong, in the brand of the deployment. */
  readonly message: (brand: WrittenBrand) => string
}

/** The outcome of a request. */
export interface Decoded {
  /**
   * One command for each call, in the order of the calls. The command of a refused call records the refusal. The list
   * is empty if the request has no known write key. In strict mode, a single unknown write key makes the list empty.
   */
  readonly commands: ReadonlyArray<Command>
  /** Null if the response body is `{"success":true}`. */
  readonly refusal: Refusal | null
  /**
   * The number of calls with an unknown write key. These calls are counted and logged, but their contents are not
   * stored (contract §3).
   */
  readonly unauthorized: number
}

/**
 * Combines the outcomes of all calls in a request. In strict mode, one invalid call prevents all other calls from being
 * applied, and each call is recorded as refused (contract §13). `ownWorkspace` is the workspace of the write key of the
 * batch itself. A call can have another write key.
 */
export const collect = (
  request: RequestContext,
  outcomes: ReadonlyArray<CallOutcome>,
  ownWorkspace: Workspace | undefined = undefined,
): Decoded => {
  const unauthorized = outcomes.filter((outcome) => outcome._tag === "Unauthorized").length
  const refused = outcomes.flatMap((outcome) => (outcome._tag === "Refused" ? [outcome.command] : []))
  const refusal = request.strict ? refusalOf(refused, unauthorized) : null
  if (refusal?.status === 401) return { commands: [], refusal, unauthorized }
  const recording = ownWorkspace ?? workspaceIn(outcomes)
  const commands = outcomes.flatMap((outcome, batchIndex): ReadonlyArray<Command> => {
    if (outcome._tag === "Unauthorized") {
      return recording === undefined ? [] : [unknownKeyRecord(request, recording, batchIndex)]
    }
    return [refusal === null ? outcome.command : stoppedRecord(request, outcome)]
  })
  return { commands: countedByWorkspace(commands), refusal, unauthorized }
}

/**
 * Numbers the commands of a batch separately for each workspace, because the calls of each workspace are committed
 * separately. The operation id of a call consists of two parts: the log position of the first call of the batch in the
 * call's workspace, and the number of the call.
 */
const countedByWorkspace = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const first = commands[0]?.workspace.id
  if (commands.every(({ workspace }) => workspace.id === first)) return commands
  const counts = new Map<WorkspaceId, number>()
  return commands.map((command) => {
    const { id } = command.workspace
    const batchIndex = counts.get(id) ?? 0
    counts.set(id, batchIndex + 1)
    return { ...command, batchIndex }
  })
}

const workspaceIn = (outcomes: ReadonlyArray<CallOutcome>): Workspace | undefined => {
  for (const outcome of outcomes) if (outcome._tag !== "Unauthorized") return outcome.command.workspace
  return undefined
}

/**
 * Returns the log record of a batch call with an unknown write key. Operation ids count the calls of a batch, so a call
 * without a record would shift the ids of later calls. The record belongs to the workspace of the request's own key. If
 * the request has no known key of its own, the record belongs to the workspace of the first call with a known key.
 */
const unknownKeyRecord = (
  { brand, receivedAt }: RequestContext,
  workspace: Workspace,
  batchIndex: number,
): RejectOperation =>
  reject({ workspace, brand, source: "pipelines", receivedAt, batchIndex }, null, [
    pipelinesTexts.unknownKey("writeKey"),
  ])

/** Returns the log record of a call that is not applied because another call of its batch is invalid. */
const stoppedRecord = (
  { brand, client }: RequestContext,
  outcome: Exclude<CallOutcome, { readonly _tag: "Unauthorized" }>,
): RejectOperation => {
  const { command } = outcome
  if (command._tag === "RejectOperation") return command
  const { batchIndex, deduplicationKey, receivedAt, source, workspace } = command
  const faults = [pipelinesTexts.stopped("")]
  const receipt = { workspace, brand, source, receivedAt, batchIndex, client }
  const refusal = reject(receipt, kindOf(command), faults, deduplicationKey)
  return outcome._tag === "Refused"
    ? refusal
    : withOmitted(withSent(receipt, refusal, outcome.kept.rest), outcome.kept.omitted)
}

/** The largest number of faults that one response lists, because even a small batch can have very many faults. */
const messagesMax = 100

const refusalOf = (refused: ReadonlyArray<RejectOperation>, unauthorized: number): Refusal | null => {
  if (unauthorized > 0) return unauthorizedRefusal
  const code = refused[0]?.faults[0]?.reason
  return code === undefined ? null : { status: 400, code, message: (brand) => listed(brand, refused) }
}

const listed = (brand: WrittenBrand, refused: ReadonlyArray<RejectOperation>): string => {
  const found = refused.flatMap(({ batchIndex, faults }) => faults.map((fault) => ({ batchIndex, fault })))
  const shown = found.slice(0, messagesMax).map(({ batchIndex, fault }) => {
    const message = messageOf(brand, fault)
    return batchIndex === null ? message : `batch[${batchIndex}]: ${message}`
  })
  if (found.length > shown.length) shown.push(`and ${found.length - shown.length} more`)
  return shown.join("; ")
}

export const unauthorizedRefusal: Refusal = {
  status: 401,
  code: "unauthorized",
  message: () => answerTexts.invalidWriteKey(),
}
