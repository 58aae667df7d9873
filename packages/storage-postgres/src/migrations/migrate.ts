import { integer, integerOrNull } from "@inlethq/storage/columns/columns"
import { Effect } from "effect"
import type { Session } from "../engine/Connection.ts"
import { DatabaseError } from "../engine/DatabaseError.ts"
import {
  ForeignDatabase,
  LiveNodes,
  MigrationMissing,
  SchemaTooNew,
  SchemaTooOld,
} from "../engine/openErrors.ts"
import { silentSecondsMax } from "../engine/bounds.ts"
import { buildIndex, type Beside } from "./buildIndex.ts"
import { newestFormat, released, removes, type Migration } from "./released.ts"

/** The advisory lock that a migration holds. The number is random, so that other programs are unlikely to use it. */
const migrationLock = "7305521874410932751"

/** The advisory lock that `inlet distribute` holds, for which nodes wait that start meanwhile. */
const distributionLock = "4491806250371158843"

/**
 * The longest time in milliseconds that a statement of a migration waits for a lock on a table that running nodes use.
 */
const tableLockMsMax = 10_000

/** The pause in milliseconds before the lock of migrations, which another node holds, is asked for again. */
const askAgainMs = 250

/** The largest number of running nodes that an error names. */
const namedNodesMax = 10

/**
 * Whether missing migrations run: they do, they do even if one removes what running nodes use, or the database is refused
 * without them.
 */
export type MigrationMode = "on" | "force" | "off"

export type MigrationError = SchemaTooNew | SchemaTooOld | ForeignDatabase | MigrationMissing | LiveNodes

/**
 * Brings a database to the newest format. The tables change in one transaction for each migration, and indexes are built
 * while nodes read and write. All of it happens under a lock, so that nodes that start at the same time wait for each other.
 * Does not write if the format is current.
 */
export const migrate = (
  session: Session,
  beside: Beside,
  migrations: ReadonlyArray<Migration> = released,
  mode: MigrationMode = "on",
): Effect.Effect<void, DatabaseError | MigrationError> =>
  Effect.gen(function* () {
    const known = newestFormat(migrations)
    let found = yield* formatOf(session)
    if (found > 0 && found < (migrations[0]?.id ?? 0)) return yield* new SchemaTooOld({ found })
    if (found < known && mode === "off") return yield* new MigrationMissing({ found, known })
    const missing = migrations.filter(({ id }) => id > found)
    // Refuses before the first migration: after it, servers of neither version could start.
    if (found > 0 && mode !== "force" && missing.some(removes)) yield* expectNoOthers(session, known)
    while (found < known) found = yield* applyNext(session, beside, migrations, mode)
    if (found > known) return yield* new SchemaTooNew({ found, known })
  })

/** A migration that has not run yet. */
export interface PlannedMigration {
  readonly id: number
  readonly name: string
  /** Whether it removes what nodes of earlier formats use. */
  readonly removes: boolean
  /** The indexes that it builds while nodes work. */
  readonly indexes: ReadonlyArray<string>
}

/** What `migrate` would do. */
export interface MigrationPlan {
  /** The format of the tables, or 0 for an empty database. */
  readonly found: number
  readonly known: number
  readonly migrations: ReadonlyArray<PlannedMigration>
  /** The hosts of running nodes that work with another format than the newest. */
  readonly liveHosts: ReadonlyArray<string>
}

/** Returns what `migrate` would do. */
export const planMigrations = (
  session: Session,
  migrations: ReadonlyArray<Migration> = released,
): Effect.Effect<MigrationPlan, DatabaseError | ForeignDatabase> =>
  Effect.gen(function* () {
    const known = newestFormat(migrations)
    const found = yield* formatOf(session)
    const missing = migrations.filter(({ id }) => id > found)
    return {
      found,
      known,
      migrations: missing.map((one) => ({
        id: one.id,
        name: one.name,
        removes: removes(one),
        indexes: "indexes" in one ? one.indexes.map((index) => index.name) : [],
      })),
      liveHosts: found === 0 ? [] : yield* liveHosts(session, known),
    }
  })

/**
 * Returns the format of the tables, which is the number of the last applied migration. Returns 0 for an empty database.
 */
const formatOf = (session: Session): Effect.Effect<number, DatabaseError | ForeignDatabase> =>
  Effect.gen(function* () {
    const [existing] = yield* session.query("SELECT to_regclass('migrations') IS NOT NULL AS found")
    if (existing?.["found"] !== true) return 0
    const [row] = yield* session.query(
      "SELECT coalesce(max(id), 0) AS id, count(name) AS names FROM migrations",
    )
    return Number(row?.["id"])
  }).pipe(
    Effect.catchIf(
      ({ kind }) => kind === "defect",
      () => Effect.fail(new ForeignDatabase()),
    ),
  )

const liveSql = `
  SELECT host FROM nodes WHERE seen > clock_timestamp() - interval '${silentSecondsMax} seconds' AND format <> $1
  ORDER BY host LIMIT ${namedNodesMax}`

/** Returns the hosts of running nodes that work with another format. */
export const liveHosts = (
  session: Session,
  format: number,
): Effect.Effect<ReadonlyArray<string>, DatabaseError> =>
  Effect.gen(function* () {
    const [existing] = yield* session.query("SELECT to_regclass('nodes') IS NOT NULL AS found")
    if (existing?.["found"] !== true) return []
    return (yield* session.query(liveSql, [format])).map((row) => String(row["host"]))
  })

const expectNoOthers = Effect.fnUntraced(function* (session: Session, format: number) {
  const hosts = yield* liveHosts(session, format)
  if (hosts.length > 0) return yield* new LiveNodes({ format, hosts })
})

/** Applies the first missing migration. Returns the format that the database has afterwards. */
const applyNext = (
  session: Session,
  beside: Beside,
  migrations: ReadonlyArray<Migration>,
  mode: MigrationMode,
): Effect.Effect<number, DatabaseError | ForeignDatabase | LiveNodes> =>
  Effect.gen(function* () {
    const found = yield* formatOf(session)
    const next = migrations.find(({ id }) => id > found)
    if (next === undefined) return found
    // The first start makes empty tables, which takes no time.
    if (found > 0) yield* beside.tell(`migrating to format ${next.id}: ${next.name}`)
    return "indexes" in next
      ? yield* buildAll(session, beside, next)
      : yield* applyTables(session, migrations, mode)
  })

const applyTables = (
  session: Session,
  migrations: ReadonlyArray<Migration>,
  mode: MigrationMode,
): Effect.Effect<number, DatabaseError | ForeignDatabase | LiveNodes> =>
  Effect.gen(function* () {
    yield* beginLocked(session)
    yield* session.execute(`SELECT set_config('lock_timeout', '${tableLockMsMax}', true)`)
    yield* session.execute(createMigrations)
    const found = yield* formatOf(session)
    const next = migrations.find(({ id }) => id > found)
    if (next !== undefined && "statements" in next) {
      yield* apply(session, next, found, mode)
      yield* session.control("COMMIT")
      return next.id
    }
    yield* session.control("COMMIT")
    return found
  }).pipe(Effect.onError(() => Effect.ignore(session.control("ROLLBACK"))))

/** Runs `work` while no migration runs and no node starts. The locks are those of `holder`, so that `work` has its own transactions. */
export const whileDistributing = <A, E>(
  holder: Session,
  work: Effect.Effect<A, E>,
): Effect.Effect<A, E | DatabaseError> =>
  Effect.gen(function* () {
    yield* beginLocked(holder)
    yield* holder.query(`SELECT pg_advisory_xact_lock(${distributionLock})`)
    const result = yield* work
    yield* holder.control("COMMIT")
    return result
  }).pipe(Effect.onError(() => Effect.ignore(holder.control("ROLLBACK"))))

/** Waits until nobody distributes tables. */
export const afterDistribution = (session: Session): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (;;) {
      const [row] = yield* session.query(
        `SELECT pg_try_advisory_xact_lock_shared(${distributionLock}) AS locked`,
      )
      if (row?.["locked"] === true) return
      yield* Effect.sleep(askAgainMs)
    }
  })

/**
 * Begins a transaction that holds the lock of migrations. Asks for it again and again: a transaction that waited for it
 * in the server would hold up the building of an index, which waits for all transactions that began before.
 */
const beginLocked = (session: Session): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (;;) {
      yield* session.control("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
      yield* session.execute(limits)
      const [row] = yield* session.query("SELECT pg_try_advisory_xact_lock($1::bigint) AS locked", [
        migrationLock,
      ])
      if (row?.["locked"] === true) return
      yield* session.control("ROLLBACK")
      yield* Effect.sleep(askAgainMs)
    }
  })

/** Builds the indexes of a migration. Returns the format that the database has afterwards. */
const buildAll = (
  session: Session,
  beside: Beside,
  { id, indexes, name }: Extract<Migration, { readonly indexes: unknown }>,
): Effect.Effect<number, DatabaseError | ForeignDatabase> =>
  Effect.gen(function* () {
    const holder = yield* beside.connect
    yield* beginLocked(holder)
    // The server keeps the snapshot of a query until the next statement, and the building of an index waits for all older
    // snapshots. This statement has none.
    yield* holder.control("SAVEPOINT locked")
    if ((yield* formatOf(session)) < id) {
      for (const index of indexes) yield* buildIndex(session, beside, index)
      const worksFrom = yield* worksFromOf(session)
      yield* session.execute(recordSql, [id, name, worksFrom])
    }
    yield* holder.control("COMMIT")
    return yield* formatOf(session)
  }).pipe(Effect.scoped)

/** `works_from` is the oldest format whose nodes work with the tables. Without it, only those of the format itself do. */
const createMigrations =
  "CREATE TABLE IF NOT EXISTS migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL, works_from BIGINT)"

const recordSql = "INSERT INTO migrations (id, name, works_from) VALUES ($1, $2, $3)"

const apply = Effect.fnUntraced(function* (
  session: Session,
  migration: Extract<Migration, { readonly statements: unknown }>,
  found: number,
  mode: MigrationMode,
): Effect.fn.Return<void, DatabaseError | LiveNodes> {
  const { id, name, statements } = migration
  const isBreak = found === 0 || removes(migration)
  if (found > 0 && isBreak && mode !== "force") yield* expectNoOthers(session, id)
  for (const statement of statements) yield* session.execute(statement)
  const worksFrom = isBreak ? id : yield* worksFromOf(session)
  yield* session.execute(recordSql, [id, name, worksFrom])
})

const worksFromOf = (session: Session): Effect.Effect<number, DatabaseError> =>
  Effect.map(
    session.query("SELECT id, works_from FROM migrations ORDER BY id DESC LIMIT 1"),
    ([row = {}]) => integerOrNull(row["works_from"]) ?? integer(row["id"]),
  )

const limits = `
  SELECT set_config('lock_timeout', '0', true),
    set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('client_min_messages', 'warning', true)
`
