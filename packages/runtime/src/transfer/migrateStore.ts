import { parseConnectionUrl, type ConnectionSettings } from "@inlethq/storage-postgres/engine/ConnectionUrl"
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
    const connection = connectionOf(url, password)
    if (Result.isFailure(connection)) return Result.fail(connection.failure)
    const plan = yield* planOf(connection.success)
    if (!isPlan) yield* migrateDatabase(connection.success, isForced ? "force" : "on")
    return Result.succeed(plan)
  })

/** Reads a connection URL, to which a variable may add the password. Returns what is wrong with the URL otherwise. */
export const connectionOf = (
  url: string,
  password: string | undefined,
): Result.Result<ConnectionSettings, string> => {
  const parsed = parseConnectionUrl(url)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure.problem)
  const { success } = parsed
  return Result.succeed(
    success.password === undefined && password !== undefined
      ? { ...success, password: Redacted.make(password) }
      : success,
  )
}
