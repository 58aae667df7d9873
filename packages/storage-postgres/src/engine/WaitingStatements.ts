import { Effect } from "effect"
import type { DatabaseError } from "./DatabaseError.ts"
import { inOneRoundTrip } from "./inOneRoundTrip.ts"

type Statement<A = unknown> = Effect.Effect<A, DatabaseError>

/**
 * The largest number of statements that wait to be sent together with the next statement. Their parameters stay in
 * memory until then.
 */
const waitingMax = 16

/**
 * Statements that wait for the next statement of the session, and are sent in the same round trip as the next
 * statement.
 */
export class WaitingStatements {
  private statements: Array<Statement> = []
  private hasBegin = false

  /** Adds a statement that begins a transaction. */
  begin(statement: Statement): Effect.Effect<void, DatabaseError> {
    return Effect.andThen(
      this.add(statement),
      Effect.sync(() => (this.hasBegin = true)),
    )
  }

  /** Runs the added statements now if one of them begins a transaction. */
  runBegin(): Effect.Effect<void, DatabaseError> {
    return Effect.suspend(() => (this.hasBegin ? this.runBefore(Effect.void) : Effect.void))
  }

  /**
   * Adds a statement to those that wait for the next round trip. If `waitingMax` statements already wait, runs them and
   * this statement now.
   */
  add(statement: Statement): Effect.Effect<void, DatabaseError> {
    return Effect.suspend(() => {
      if (this.statements.length >= waitingMax) return Effect.asVoid(this.runBefore(statement))
      this.statements.push(statement)
      return Effect.void
    })
  }

  /** Runs the added statements and then `last`, all in one round trip. Fails with the first failure. */
  runBefore<A>(last: Statement<A>): Statement<A> {
    return Effect.suspend(() => {
      if (this.statements.length === 0) return last
      const before = this.statements
      this.statements = []
      this.hasBegin = false
      return Effect.map(inOneRoundTrip(before, last), ([, result]) => result)
    })
  }
}
