import { NodeUnfit, type Fitness } from "@inlet/core/ports/NodeFitness"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { integer } from "@inlet/storage/columns"
import { Clock, Effect, Schedule, type Scope } from "effect"
import type { DatabaseClock } from "./DatabaseClock.ts"
import type { Database } from "./engine/Database.ts"

/** The largest difference between the clock of a node that works and the clock of its database. */
const clockDifferenceMsMax = 5000

/** The pause between two looks at the clock of the database. */
const watchInterval = "1 second"

const watchSql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now"

/** What a node knows of the clock of its database. */
export interface NodeWatch extends Fitness {
  /** Looks at the database once. */
  readonly look: Effect.Effect<void, StoreUnavailable>
}

/**
 * Compares the clock of this node, `own`, with the database's. Each look also sets `clock`. Calls `changed` when the node has
 * become fit or unfit.
 */
export const makeNodeWatch = (
  database: Pick<Database["Service"], "query">,
  clock: DatabaseClock,
  own: Clock.Clock,
  changed: (unfit: NodeUnfit | null) => Effect.Effect<void>,
): NodeWatch => {
  let unfit: NodeUnfit | null = null
  const look = Effect.gen(function* () {
    const askedAt = clock.monotonicMs()
    const [row = {}] = yield* database.query("read its clock", watchSql)
    const answeredAt = clock.monotonicMs()
    const databaseMs = integer(row["now"])
    clock.read({ askedAt, answeredAt, databaseMs })
    const aheadMs = own.currentTimeMillisUnsafe() - clock.currentTimeMillisUnsafe()
    const before = unfit
    unfit = unfitness(aheadMs)
    if (before?.fault._tag !== unfit?.fault._tag) yield* changed(unfit)
  })
  return { look, unfit: () => unfit }
}

const unfitness = (aheadMs: number): NodeUnfit | null =>
  Math.abs(aheadMs) > clockDifferenceMsMax ? new NodeUnfit({ fault: { _tag: "WrongClock", aheadMs } }) : null

/** Looks at the database until the scope closes. While it cannot be reached, the node stays as it is. */
export const watchForever = ({ look }: NodeWatch): Effect.Effect<void, never, Scope.Scope> =>
  Effect.ignore(look).pipe(
    Effect.ignoreCause({ log: "Error", message: "the clock of the database could not be read" }),
    Effect.repeat(Schedule.spaced(watchInterval)),
    Effect.forkScoped,
    Effect.asVoid,
  )

/** Logs that the node has become fit or unfit. */
export const tellFitness = (unfit: NodeUnfit | null): Effect.Effect<void> =>
  unfit === null
    ? Effect.logInfo("this node works again")
    : Effect.logError("this node does not work: it is not ready, holds no lease and takes no calls", {
        reason: unfit.message,
      })
