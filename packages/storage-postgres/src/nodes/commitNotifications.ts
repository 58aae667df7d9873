import { randomUUID } from "node:crypto"
import { Effect, Latch, type Scope } from "effect"
import type { Database } from "../engine/Database.ts"

/** The channel on which nodes notify each other of commits. */
const channel = "inlet_commits"

/**
 * The shortest time in milliseconds between two notifications of a node. Each notification is a transaction of its own.
 */
const notifyMs = 20

/** Notifies other nodes of commits. Notifications are only hints: they can be lost, and most poolers do not deliver them. */
export interface CommitNotifications {
  /** Notifies the other nodes within `notifyMs` milliseconds. Commits shortly after each other share a notification. */
  readonly committed: () => void
  /** Runs an effect after each notification that another node may have committed, until the scope closes. */
  readonly listen: (onHint: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
}

/** Makes the service that notifies other nodes. The service stops when the scope closes. */
export const makeCommitNotifications = (
  database: Database["Service"],
): Effect.Effect<CommitNotifications, never, Scope.Scope> =>
  Effect.gen(function* () {
    const node = randomUUID()
    const hasCommitted = yield* Latch.make(false)
    const notify = Effect.gen(function* () {
      yield* hasCommitted.await
      yield* hasCommitted.close
      // If the database cannot be reached, the notification is lost. The other nodes then find the commits when they
      // poll.
      yield* Effect.ignore(database.notify(channel, node)).pipe(
        Effect.ignoreCause({ log: "Error", message: "other nodes could not be notified of a commit" }),
      )
      yield* Effect.sleep(notifyMs)
    })
    yield* Effect.forkScoped(Effect.forever(notify))
    return {
      committed: () => hasCommitted.openUnsafe(),
      listen: (onHint) => database.listen(channel, (sender) => (sender === node ? Effect.void : onHint)),
    }
  })
