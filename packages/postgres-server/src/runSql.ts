import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted } from "effect"

/** Runs statements one after the other on their own connection. Returns the rows of the last statement. */
export const runSql = (
  url: string,
  statements: ReadonlyArray<string>,
): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make({ url: Redacted.make(url), prepare: false })
    let rows: ReadonlyArray<Readonly<Record<string, unknown>>> = []
    for (const statement of statements) rows = (yield* connection.query(statement)).rows
    return rows
  }).pipe(Effect.scoped, Effect.runPromise)
