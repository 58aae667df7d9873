import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Exit, Redacted, Scope } from "effect"

/** Runs a statement in a transaction that stays open. Returns a function that ends it. */
export const holdTransaction = async (url: string, statement: string): Promise<() => Promise<void>> => {
  const scope = Scope.makeUnsafe()
  const open = PgConnection.make({ url: Redacted.make(url), prepare: false })
  const connection = await Effect.runPromise(Scope.provide(open, scope))
  await Effect.runPromise(Effect.andThen(connection.query("BEGIN"), connection.query(statement)))
  return () => Effect.runPromise(Effect.andThen(connection.query("ROLLBACK"), Scope.close(scope, Exit.void)))
}
