import { Effect } from "effect"
import type { ActivityEntry } from "@inlet/core/Activity"
import type { Command } from "@inlet/core/Command"
import { operationIdText } from "@inlet/core/Identifier"
import { Ingest } from "@inlet/core/Ingest"
import { randomBytes } from "node:crypto"
import { retryAfterSeconds, withHeaders, type Answer } from "./Answer.ts"

/** The header of every authenticated ingestion answer (contract §4). */
const operationHeader = "inlet-operation-id"

/** An id for an answer behind which there is no entry in the log. */
const unrecordedId = () => `ox${randomBytes(8).toString("hex")}`

/** Marks an answer that left nothing in the log. */
export const unrecorded = (answer: Answer): Answer =>
  withHeaders(answer, { [operationHeader]: unrecordedId() })

/** Marks the answer of a store that cannot commit, or of a full queue: the client should come again (contract §4). */
export const turnedAway = (answer: Answer): Answer =>
  withHeaders(unrecorded(answer), { "retry-after": String(retryAfterSeconds) })

/** The answer to a request, which may depend on what its first operation came to. */
export type Answering = Answer | ((first: ActivityEntry | undefined) => Answer)

/**
 * Applies the commands of one request in one commit, then gives the answer; `unavailable` where nothing could be
 * applied now.
 */
export const commit = (
  commands: ReadonlyArray<Command>,
  bytes: number,
  answering: Answering,
  unavailable: Answer,
) => {
  const answer = (first: ActivityEntry | undefined) =>
    typeof answering === "function" ? answering(first) : answering
  if (commands.length === 0) return Effect.succeed(unrecorded(answer(undefined)))
  return Effect.flatMap(Ingest, (ingest) => ingest.submit(commands, bytes)).pipe(
    Effect.map((entries) => {
      const first = entries[0]
      if (first === undefined) return unrecorded(answer(first))
      return withHeaders(answer(first), { [operationHeader]: operationIdText(first.sequence, null) })
    }),
    Effect.catch(() => Effect.succeed(turnedAway(unavailable))),
  )
}
