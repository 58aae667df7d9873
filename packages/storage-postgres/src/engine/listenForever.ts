import { Effect, Queue, Schedule, type Scope } from "effect"
import { listenAgainMs } from "./bounds.ts"
import { connectToPrimary } from "./connectToPrimary.ts"
import type { Driver } from "./Connection.ts"
import type { ConnectionSettings } from "./ConnectionUrl.ts"

/** Listens on a channel on its own connection until the scope closes. Reconnects whenever the connection breaks. */
export const listenForever = (
  driver: Driver,
  settings: ConnectionSettings,
  channel: string,
  onHint: (payload: string | null) => Effect.Effect<void>,
): Effect.Effect<void, never, Scope.Scope> => {
  const listenOnce = Effect.gen(function* () {
    const { session } = yield* connectToPrimary(driver, settings, settings.hosts)
    const queue = yield* session.listen(channel)
    // Notifications from before the subscription were missed, so the caller must look for changes itself.
    yield* onHint(null)
    const next = Effect.flatMap(Queue.take(queue), ({ payload }) => onHint(payload))
    return yield* Effect.forever(next)
  }).pipe(
    Effect.scoped,
    Effect.ignore,
    Effect.ignoreCause({ log: "Error", message: "notifications of other nodes could not be read" }),
  )
  return Effect.asVoid(Effect.forkScoped(Effect.repeat(listenOnce, Schedule.spaced(listenAgainMs))))
}
