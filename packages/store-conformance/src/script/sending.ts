import { Effect, Fiber, Layer } from "effect"
import type { Command } from "@inlethq/core/Command"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { Store } from "@inlethq/core/ports/Store"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import type { SubmitError } from "@inlethq/engine/commits/IngestBounds"

/* Sends commands through the queue of a node, which decides how requests fall into commits. */

/** The commands of one request. */
export type Request = ReadonlyArray<Command>

/** The clock of tests stands still, so no commit waits for more requests. Those that are sent together are there already. */
const atOnce = Layer.effect(
  Store,
  Effect.map(Store, (store) => Store.of({ ...store, batchLimits: { ...store.batchLimits, gatherMs: 0 } })),
)

/** Runs an effect with the queue of a node over the provided store. */
export const withIngest = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, Ingest.layer.pipe(Layer.provide(atOnce)), { local: true })

/** Sends requests without waiting for answers in between. Returns an effect that waits for all of them. */
export const sendTogether = (
  requests: ReadonlyArray<Request>,
): Effect.Effect<Effect.Effect<ReadonlyArray<ReadonlyArray<ActivityEntry>>, SubmitError>, never, Ingest> =>
  Effect.gen(function* () {
    const ingest = yield* Ingest
    const answers = yield* Effect.forEach(requests, (commands) =>
      Effect.forkChild(ingest.submit(commands, commands.length), { startImmediately: true }),
    )
    return Effect.forEach(answers, Fiber.join)
  })

/** Returns commands as the items of one request. */
export const itemsOf = (commands: ReadonlyArray<Command>): Request =>
  commands.map((command, batchIndex) => ({ ...command, batchIndex }))
