import { Effect } from "effect"
import type { Session } from "../engine/Connection.ts"
import { DatabaseError } from "../engine/DatabaseError.ts"
import { ForeignDatabase, SchemaTooNew, SchemaTooOld } from "../engine/openErrors.ts"
import { released, type Migration } from "./released.ts"

/** The advisory lock that a migration holds. The number is random, so that other programs are unlikely to use it. */
const migrationLock = "7305521874410932751"

/**
 * The longest time in milliseconds that a statement of a migration waits for a lock on a table that running nodes use.
 */
const tableLockMsMax = 10_000

/**
 * Brings a database to the newest format. Each missing migration runs in its own transaction, under a lock, so that
 * nodes that start at the same time wait for each other. Does not write if the format is current.
 */
export const migrate = (
  session: Session,
  migrations: ReadonlyArray<Migration> = released,
): Effect.Effect<void, DatabaseError | SchemaTooNew | SchemaTooOld | ForeignDatabase> =>
  Effect.gen(function* () {
    const known = migrations.at(-1)?.id ?? 0
    let found = yield* formatOf(session)
    if (found > 0 && found < (migrations[0]?.id ?? 0)) return yield* new SchemaTooOld({ found })
    while (found < known) found = yield* applyNext(session, migrations)
    if (found > known) return yield* new SchemaTooNew({ found, known })
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

/** Applies the first missing migration. Returns the format that the database has afterwards. */
const applyNext = (
  session: Session,
  migrations: ReadonlyArray<Migration>,
): Effect.Effect<number, DatabaseError | ForeignDatabase> =>
  Effect.gen(function* () {
    yield* session.control("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    yield* session.execute(limits)
    yield* session.execute("SELECT pg_advisory_xact_lock($1::bigint)", [migrationLock])
    yield* session.execute(`SELECT set_config('lock_timeout', '${tableLockMsMax}', true)`)
    yield* session.execute(
      "CREATE TABLE IF NOT EXISTS migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL)",
    )
    const found = yield* formatOf(session)
    const next = migrations.find(({ id }) => id > found)
    for (const statement of next?.statements ?? []) yield* session.execute(statement)
    if (next !== undefined) {
      yield* session.execute("INSERT INTO migrations (id, name) VALUES ($1, $2)", [next.id, next.name])
    }
    yield* session.control("COMMIT")
    return next?.id ?? found
  }).pipe(Effect.onError(() => Effect.ignore(session.control("ROLLBACK"))))

/** Waiting for another node's migration needs no time limit of its own, because the whole start has a time limit. */
const limits = `
  SELECT set_config('lock_timeout', '0', true),
    set_config('statement_timeout', '0', true),
    set_config('client_min_messages', 'warning', true)
`
