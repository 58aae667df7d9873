import { integer } from "@inlethq/storage/columns/columns"
import { Effect, Schedule, type Scope } from "effect"
import type { NamedRow, Session } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import type { NewIndex } from "./released.ts"

/** What a migration needs beside its session. */
export interface Beside {
  /** Opens another session to the same server. */
  readonly connect: Effect.Effect<Session, DatabaseError, Scope.Scope>
  /** Says what the migration does at the moment, and how far it is. */
  readonly tell: (doing: string) => Effect.Effect<void>
}

/** The pause between two looks at how far an index is. */
const lookInterval = "1 second"

const stateSql =
  "SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)) AS is_valid, to_regclass($1) IS NOT NULL AS found"

/**
 * Builds an index while others read and write the table. Does nothing if it is there. One whose building was interrupted
 * is removed first, because PostgreSQL never uses it but keeps it up to date.
 */
export const buildIndex = (
  session: Session,
  beside: Beside,
  { isUnique = false, name, on }: NewIndex,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const [state] = yield* session.query(stateSql, [name])
    if (state?.["is_valid"] === true) return
    // Neither statement runs in a transaction, so a setting for one transaction would have no effect.
    yield* session.control("SET statement_timeout = 0")
    if (state?.["found"] === true) yield* session.control(`DROP INDEX CONCURRENTLY ${name}`)
    yield* Effect.forkScoped(tellProgress(beside, name))
    yield* session.control(`CREATE ${isUnique ? "UNIQUE " : ""}INDEX CONCURRENTLY ${name} ON ${on}`)
    yield* session.control("RESET statement_timeout")
  }).pipe(Effect.scoped)

const progressSql = `
  SELECT phase, blocks_done + tuples_done AS done, blocks_total + tuples_total AS total
  FROM pg_stat_progress_create_index WHERE index_relid = to_regclass($1)`

const tellProgress = ({ connect, tell }: Beside, name: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const session = yield* connect
    const look = Effect.flatMap(session.query(progressSql, [name]), ([row]) =>
      row === undefined ? Effect.void : tell(`building the index ${name}: ${progressIn(row)}`),
    )
    yield* Effect.repeat(look, Schedule.spaced(lookInterval))
  }).pipe(Effect.scoped, Effect.ignore)

/** The phases that scan or write count blocks or rows. In the others PostgreSQL waits for transactions. */
const progressIn = (row: NamedRow): string => {
  const total = integer(row["total"])
  const phase = String(row["phase"])
  return total === 0 ? phase : `${phase}, ${Math.floor((100 * integer(row["done"])) / total)} %`
}
