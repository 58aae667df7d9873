import type { ServerDocument } from "@inlethq/contract/server/Server"
import { RecordedNodes } from "@inlethq/core/ports/RecordedNodes"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect, Option } from "effect"
import { DatabaseServer } from "./DatabaseServer.ts"
import { nodeDocument, thisNode } from "./nodeDocuments.ts"

/** The longest wait for a read of the database server's state, and for a read of the recorded nodes. */
const waitMax = "2 seconds"

/** The time for which a read of the database is cached, so that many consoles cause no more reads than one console. */
export const sharedFor = "2 seconds"

type DatabaseFacts = Pick<ServerDocument, "database" | "nodes" | "unanswered">

/**
 * Makes an effect that reads the state of the database server and the nodes that share the database. The result names
 * each read that failed or timed out. Without a database server, the result contains only this node.
 */
export const makeReadDatabase = Effect.gen(function* () {
  const server = yield* Effect.serviceOption(DatabaseServer)
  const recorded = yield* Effect.serviceOption(RecordedNodes)
  const read: Effect.Effect<DatabaseFacts> = Effect.gen(function* () {
    const [state, nodes] = yield* Effect.all(
      [answered(Option.map(server, (one) => one.state)), answered(Option.map(recorded, ({ list }) => list))],
      { concurrency: "unbounded" },
    )
    return {
      database: Option.getOrNull(state),
      nodes: Option.isSome(nodes) ? nodes.value.map(nodeDocument) : [yield* thisNode],
      unanswered: [
        ...(Option.isSome(server) && Option.isNone(state) ? (["database"] as const) : []),
        ...(Option.isSome(recorded) && Option.isNone(nodes) ? (["nodes"] as const) : []),
      ],
    }
  })
  return yield* Effect.cachedWithTTL(read, sharedFor)
})

const answered = <A>(
  read: Option.Option<Effect.Effect<A, StoreUnavailable>>,
): Effect.Effect<Option.Option<A>> =>
  Option.isNone(read)
    ? Effect.succeedNone
    : Effect.timeoutOption(read.value, waitMax).pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("the state of the database could not be read", cause), Option.none()),
        ),
      )
