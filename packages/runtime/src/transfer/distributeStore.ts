import type { DistributionPlan } from "@inlethq/storage-postgres/migrations/distribute"
import { distributeDatabase, type DatabaseOpenError } from "@inlethq/storage-postgres/openDatabase"
import { Effect, Result } from "effect"
import { connectionOf } from "./migrateStore.ts"

/** What `inlet distribute` does with a PostgreSQL database. */
export interface DistributeOptions {
  readonly url: string
  readonly password: string | undefined
  /** Only tells what would be done. */
  readonly isPlan: boolean
}

/** Returns the tables that were not distributed, or what is wrong with the URL. */
export const distributeStore = ({
  isPlan,
  password,
  url,
}: DistributeOptions): Effect.Effect<Result.Result<DistributionPlan, string>, DatabaseOpenError> =>
  Effect.gen(function* () {
    const connection = connectionOf(url, password)
    if (Result.isFailure(connection)) return Result.fail(connection.failure)
    return Result.succeed(yield* distributeDatabase(connection.success, isPlan))
  })
