import { parseConnectionUrl } from "@inlethq/storage-postgres/engine/ConnectionUrl"
import type { MigrationPlan } from "@inlethq/storage-postgres/migrations/migrate"
import { migrateDatabase, planOf, type DatabaseOpenError } from "@inlethq/storage-postgres/openDatabase"
import { Effect, Redacted, Result } from "effect"

/** What `inlet migrate` does with a PostgreSQL database. */
export interface MigrateOptions {
  readonly url: string
  readonly password: string | undefined
  /** Only tells what would be done. */
  readonly isPlan: boolean
  /** Migrates even if running nodes need what a migration removes. */
  readonly isForced: boolean
}

/** Returns what was missing in the database, or what is wrong with its URL. */
export const migrateStore = ({
  isForced,
  isPlan,
  password,
  url,
}: MigrateOptions): Effect.Effect<Result.Result<MigrationPlan, string>, DatabaseOpenError> =>
  Effect.gen(function* () {
    const parsed = parseConnectionUrl(url)
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure.problem)
    const { success } = parsed
    const connection =
      success.password === undefined && password !== undefined
        ? { ...success, password: Redacted.make(password) }
        : success
    const plan = yield* planOf(connection)
    if (!isPlan) yield* migrateDatabase(connection, isForced ? "force" : "on")
    return Result.succeed(plan)
  })
