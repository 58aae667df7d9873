import { Schema } from "effect"
import { openTexts } from "./openTexts.ts"

/*
 * The errors of opening a PostgreSQL store that an operator can fix.
 */

/** The database was written by a newer version of Inlet. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  found: Schema.Int,
  known: Schema.Int,
}) {
  override get message() {
    return openTexts.tooNew({ found: this.found, known: this.known })
  }
}

/** The database has a table `migrations` of another program. */
export class ForeignDatabase extends Schema.TaggedError<ForeignDatabase>()("ForeignDatabase", {}) {
  override get message() {
    return openTexts.foreign()
  }
}

/** The server, the database or the secret cannot be used until an operator acts. */
export class UnusableServer extends Schema.TaggedError<UnusableServer>()("UnusableServer", {
  problem: Schema.String,
}) {
  override get message() {
    return this.problem
  }
}
