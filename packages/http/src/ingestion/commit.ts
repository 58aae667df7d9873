import { Effect } from "effect"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Command } from "@inlethq/core/Command"
import type { SubmitError } from "@inlethq/engine/commits/IngestBounds"
import type { EncodedRequest } from "@inlethq/engine/commits/Lane"
import { operationIdText, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { retryAfterSeconds } from "../answerHeader.ts"
import { withHeaders, type Answer, type ErrorAnswers } from "./Answer.ts"

/** The header with the operation id. A response has it if the activity log has an entry of its request (contract §4). */
const operationHeader = "inlet-operation-id"

/** Returns whether a response has an entry in the activity log. */
export const isRecorded = ({ headers }: Answer): boolean => headers?.[operationHeader] !== undefined

/** Adds `Retry-After` to a 503 response (contract §4). */
export const withRetryAfter = (answer: Answer): Answer =>
  withHeaders(answer, { "retry-after": String(retryAfterSeconds) })

/** The commands in a request body, and the response to send after their commit. */
export interface Decoded {
  readonly commands: ReadonlyArray<Command>
  readonly answer: Answering
}

/**
 * The response to a request, or a function that makes the response. The function gets the log entries of the request's
 * operations. If the request has no operations, it gets an empty list.
 */
export type Answering = Answer | ((entries: ReadonlyArray<ActivityEntry>) => Answer)

/** The responses to a request that cannot be committed, and to one whose workspace was deleted in the meantime. */
export type CommitFailures = Pick<ErrorAnswers, "unavailable" | "unauthorized">

const failureAnswer = (error: SubmitError, { unauthorized, unavailable }: CommitFailures): Answer =>
  error._tag === "WorkspaceDeleted" ? unauthorized : withRetryAfter(unavailable)

/**
 * Applies the commands of a request, in one commit for each workspace. Returns the response, or one of `failures` if a
 * commit fails.
 */
export const commit = (
  commands: ReadonlyArray<Command>,
  bytes: number,
  answering: Answering,
  failures: CommitFailures,
) => {
  if (commands.length === 0) return Effect.succeed(answerOf(answering, []))
  return Effect.match(
    Ingest.use((ingest) => ingest.submit(commands, bytes)),
    {
      onSuccess: (entries) => recorded(answering, entries),
      onFailure: (error) => failureAnswer(error, failures),
    },
  )
}

/**
 * Adds a body to the commit queue before it is decoded. `decode` is called when the body is committed. `bytes` is the
 * size of the body. Returns the response, or one of `failures` if the commit fails.
 */
export const commitEncoded = (
  workspace: WorkspaceId,
  bytes: number,
  receivedAt: EpochMillis,
  decode: () => Decoded,
  failures: CommitFailures,
) => {
  const request: EncodedRequest<Answering> = {
    workspace,
    bytes,
    receivedAt,
    decode: () => {
      const { answer, commands } = decode()
      return { commands, value: answer }
    },
  }
  return Effect.match(
    Ingest.use((ingest) => ingest.submitEncoded(request)),
    {
      onSuccess: ({ entries, value }) => recorded(value, entries),
      onFailure: (error) => failureAnswer(error, failures),
    },
  )
}

const recorded = (answering: Answering, entries: ReadonlyArray<ActivityEntry>): Answer => {
  const first = entries[0]
  const answer = answerOf(answering, entries)
  return first === undefined
    ? answer
    : withHeaders(answer, { [operationHeader]: operationIdText(first.workspace, first.sequence, null) })
}

const answerOf = (answering: Answering, entries: ReadonlyArray<ActivityEntry>): Answer =>
  typeof answering === "function" ? answering(entries) : answering
