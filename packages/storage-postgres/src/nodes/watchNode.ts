import { NodeUnfit, type Fitness } from "@inlethq/core/ports/NodeFitness"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { integer, integerOrNull } from "@inlethq/storage/columns/columns"
import { Clock, Effect, Schedule, type Scope } from "effect"
import type { DatabaseClock } from "./DatabaseClock.ts"
import type { NamedRow } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"

/** The largest difference between the clock of a node that works and the clock of its database. */
const clockDifferenceMsMax = 5000

/** The pause between two looks at the clock and the format of the database. */
const watchInterval = "1 second"

const watchSql = `
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, id AS format, works_from
  FROM migrations ORDER BY id DESC LIMIT 1`

/** What a node knows of the clock and the format of its database. */
export interface NodeWatch extends Fitness {
  /** Looks at the database once. */
  readonly look: Effect.Effect<void, StoreUnavailable>
}

/**
 * Compares the clock of this node, `own`, with the database's, and the format that the node works with, `known`, with that of the
 * tables. Each look also sets `clock`. Calls `changed` when the node has become fit or unfit.
 */
export const makeNodeWatch = (
  database: Pick<Database["Service"], "query">,
  clock: DatabaseClock,
  own: Clock.Clock,
  known: number,
  changed: (unfit: NodeUnfit | null) => Effect.Effect<void>,
): NodeWatch => {
  let unfit: NodeUnfit | null = null
  const look = Effect.gen(function* () {
    const askedAt = clock.monotonicMs()
    const [row = {}] = yield* database.query("read its clock and format", watchSql)
    const answeredAt = clock.monotonicMs()
    const databaseMs = integer(row["now"])
    clock.read({ askedAt, answeredAt, databaseMs })
    const aheadMs = own.currentTimeMillisUnsafe() - clock.currentTimeMillisUnsafe()
    const before = unfit
    unfit = otherFormat(row, known) ?? wrongClock(aheadMs)
    if (before?.fault._tag !== unfit?.fault._tag) yield* changed(unfit)
  })
  return { look, unfit: () => unfit }
}

const wrongClock = (aheadMs: number): NodeUnfit | null =>
  Math.abs(aheadMs) > clockDifferenceMsMax ? new NodeUnfit({ fault: { _tag: "WrongClock", aheadMs } }) : null

/** A newer format that only adds something is no reason: nodes of a rolling upgrade work beside each other. */
const otherFormat = (row: NamedRow, known: number): NodeUnfit | null => {
  const found = integer(row["format"])
  const worksFrom = integerOrNull(row["works_from"]) ?? found
  return known <= found && known >= worksFrom
    ? null
    : new NodeUnfit({ fault: { _tag: "OtherFormat", found, known } })
}

/** Looks at the database until the scope closes. While it cannot be reached, the node stays as it is. */
export const watchForever = ({ look }: NodeWatch): Effect.Effect<void, never, Scope.Scope> =>
  Effect.ignore(look).pipe(
    Effect.ignoreCause({
      log: "Error",
      message: "the clock and the format of the database could not be read",
    }),
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
