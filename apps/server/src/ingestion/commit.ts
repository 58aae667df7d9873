import { Effect } from "effect"
import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import type { Command } from "@inlet/core/Command"
import type { EncodedRequest } from "@inlet/core/engine/CommitQueue"
import { operationIdText } from "@inlet/core/values/Identifier"
import { Ingest } from "@inlet/core/engine/Ingest"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { randomBytes } from "node:crypto"
import { retryAfterSeconds, withHeaders, type Answer } from "./Answer.ts"

/** The header that names the operation, on every authenticated ingestion answer (contract §4). */
const operationHeader = "inlet-operation-id"

/** Returns a random id for an answer without an entry in the activity log. */
const unrecordedId = () => `ox${randomBytes(8).toString("hex")}`

/** Adds the operation header to the answer of a request that has no entry in the activity log. */
export const unrecorded = (answer: Answer): Answer =>
  withHeaders(answer, { [operationHeader]: unrecordedId() })

/** Adds `Retry-After` and the operation header to an answer given when the store or the queue accepts nothing (contract §4). */
export const withRetryAfter = (answer: Answer): Answer =>
  withHeaders(unrecorded(answer), { "retry-after": String(retryAfterSeconds) })

/** A decoded body: the commands of one commit, and the answer once they are committed. */
export interface Decoded {
  readonly commands: ReadonlyArray<Command>
  readonly answer: Answering
}

/** The answer to a request, which may depend on the entries of its operations. A request without operations has no entries. */
export type Answering = Answer | ((entries: ReadonlyArray<ActivityEntry>) => Answer)

/** Applies the commands of one request in one commit, then returns the answer, or `unavailable` if the commit failed. */
export const commit = (
  commands: ReadonlyArray<Command>,
  bytes: number,
  answering: Answering,
  unavailable: Answer,
) => {
  if (commands.length === 0) return Effect.succeed(unrecorded(answerOf(answering, [])))
  return Effect.match(
    Effect.flatMap(Ingest, (ingest) => ingest.submit(commands, bytes)),
    {
      onSuccess: (entries) => recorded(answering, entries),
      onFailure: () => withRetryAfter(unavailable),
    },
  )
}

/**
 * Queues a request as bytes, decodes it when its batch is committed, and returns its answer, or `unavailable` if the commit
 * failed. `bytes` is the size of the body.
 */
export const commitEncoded = (
  bytes: number,
  receivedAt: EpochMillis,
  decode: () => Decoded,
  unavailable: Answer,
) => {
  const request: EncodedRequest<Answering> = {
    bytes,
    receivedAt,
    decode: () => {
      const { answer, commands } = decode()
      return { commands, value: answer }
    },
  }
  return Effect.match(
    Effect.flatMap(Ingest, (ingest) => ingest.submitEncoded(request)),
    {
      onSuccess: ({ entries, value }) => recorded(value, entries),
      onFailure: () => withRetryAfter(unavailable),
    },
  )
}

const recorded = (answering: Answering, entries: ReadonlyArray<ActivityEntry>): Answer => {
  const first = entries[0]
  const answer = answerOf(answering, entries)
  return first === undefined
    ? unrecorded(answer)
    : withHeaders(answer, { [operationHeader]: operationIdText(first.sequence, null) })
}

const answerOf = (answering: Answering, entries: ReadonlyArray<ActivityEntry>): Answer =>
  typeof answering === "function" ? answering(entries) : answering
