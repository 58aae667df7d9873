import type { ServerDocument } from "@inlet/api/management/Server"
import { DatabaseStatus } from "@inlet/core/ports/DatabaseStatus"
import { RecordedNodes } from "@inlet/core/ports/RecordedNodes"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect, Option } from "effect"
import { databaseDocument } from "./databaseDocument.ts"
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
  const status = yield* DatabaseStatus
  const recorded = yield* RecordedNodes
  const read: Effect.Effect<DatabaseFacts> = Effect.gen(function* () {
    const [state, nodes] = yield* Effect.all([answered(status), answered(recorded)], {
      concurrency: "unbounded",
    })
    return {
      database: Option.isSome(state) ? databaseDocument(state.value) : null,
      nodes: Option.isSome(nodes) ? nodes.value.map(nodeDocument) : [yield* thisNode],
      unanswered: [
        ...(status !== null && Option.isNone(state) ? (["database"] as const) : []),
        ...(recorded !== null && Option.isNone(nodes) ? (["nodes"] as const) : []),
      ],
    }
  })
  return yield* Effect.cachedWithTTL(read, sharedFor)
})

const answered = <A>(read: Effect.Effect<A, StoreUnavailable> | null): Effect.Effect<Option.Option<A>> =>
  read === null
    ? Effect.succeedNone
    : Effect.timeoutOption(read, waitMax).pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("the state of the database could not be read", cause), Option.none()),
        ),
      )
