import { Effect } from "effect"
import { writableState } from "../engine/connectToPrimary.ts"
import type { Session } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { UnusableServer } from "../engine/openErrors.ts"
import { postgresTexts } from "../engine/postgresTexts.ts"
import { headsTable, isDistributed } from "../engine/isDistributed.ts"
import { distributedTables, referenceTables } from "../tables/distributedTables.ts"
import { liveHosts, whileDistributing } from "./migrate.ts"

/** A table that is not distributed yet. A reference table is whole on every server. */
export interface TableToDistribute {
  readonly name: string
  readonly isReference: boolean
}

/** What `distribute` would do. */
export interface DistributionPlan {
  readonly tables: ReadonlyArray<TableToDistribute>
  /** The hosts of running nodes, which have to stop first. */
  readonly liveHosts: ReadonlyArray<string>
}

const allTables: ReadonlyArray<TableToDistribute> = [
  ...referenceTables.map((name) => ({ name, isReference: true })),
  ...distributedTables.map((name) => ({ name, isReference: false })),
]

/** Tables of other schemas may have the same names. */
const knownSql = `
  SELECT relname AS name FROM pg_class JOIN pg_dist_partition ON logicalrelid = pg_class.oid
  WHERE pg_class.oid = to_regclass(quote_ident(relname))`

/** No node has this format. */
const noFormat = 0

/** Finds out which tables of a migrated database are not distributed yet. Fails if the server has no Citus. */
export const planDistribution = (
  session: Session,
): Effect.Effect<DistributionPlan, DatabaseError | UnusableServer> =>
  Effect.gen(function* () {
    const { hasCitus } = yield* writableState(session)
    if (!hasCitus) return yield* new UnusableServer({ problem: postgresTexts.noCitus() })
    return { tables: yield* missingTables(session), liveHosts: yield* liveHosts(session, noFormat) }
  })

/**
 * Distributes the tables of a database that are not distributed yet, each in a transaction of its own, so that it can
 * stop anywhere and begin again. Fails while nodes run, because each table is locked while its rows move. Nodes that start
 * wait for it, on the locks of `holder`.
 */
export const distribute = (
  session: Session,
  holder: Session,
): Effect.Effect<DistributionPlan, DatabaseError | UnusableServer> =>
  whileDistributing(
    holder,
    Effect.gen(function* () {
      const plan = yield* planDistribution(session)
      for (const table of plan.tables) {
        // A node may have passed the lock before, and tell only now that it runs.
        yield* expectNoNodes(yield* liveHosts(session, noFormat))
        yield* distributeOne(session, table)
      }
      return plan
    }),
  )

const expectNoNodes = (hosts: ReadonlyArray<string>): Effect.Effect<void, UnusableServer> =>
  hosts.length === 0
    ? Effect.void
    : Effect.fail(new UnusableServer({ problem: postgresTexts.nodesRun({ hosts: hosts.join(", ") }) }))

/** Distributes the tables that a migration has added to a database whose other tables are distributed. */
export const distributeNewTables = (session: Session): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const { hasCitus } = yield* writableState(session)
    if (!hasCitus || !(yield* isDistributed(session))) return
    for (const table of yield* missingTables(session)) yield* distributeOne(session, table)
  })

const missingTables = (session: Session): Effect.Effect<ReadonlyArray<TableToDistribute>, DatabaseError> =>
  Effect.map(session.query(knownSql), (rows) => {
    const known = new Set(rows.map((row) => String(row["name"])))
    return allTables.filter(({ name }) => !known.has(name))
  })

const distributeOne = ({ control, execute }: Session, { isReference, name }: TableToDistribute) =>
  Effect.gen(function* () {
    yield* Effect.logInfo(`distributing the table ${name}`)
    yield* control("BEGIN")
    yield* execute("SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)")
    yield* execute(isReference ? referenceSql(name) : distributedSql(name))
    yield* control("COMMIT")
  }).pipe(Effect.onError(() => Effect.ignore(control("ROLLBACK"))))

const referenceSql = (name: string) => `SELECT create_reference_table('${name}')`

/** The rows of a workspace in all tables are on one server, because the tables are placed with `heads`. */
const distributedSql = (name: string) =>
  `SELECT create_distributed_table('${name}', 'workspace'${name === headsTable ? "" : `, colocate_with => '${headsTable}'`})`
