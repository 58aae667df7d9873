import { Schema } from "effect"
import { postgresTexts } from "./postgresTexts.ts"

/*
 * Errors that prevent the opening of a PostgreSQL store and that an operator can fix.
 */

/** The error for a database that a newer version of Inlet has written. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  found: Schema.Int,
  known: Schema.Int,
}) {
  override get message() {
    return postgresTexts.tooNew({ found: this.found, known: this.known })
  }
}

/** The error for a database with a format from before the first release. */
export class SchemaTooOld extends Schema.TaggedError<SchemaTooOld>()("SchemaTooOld", {
  found: Schema.Int,
}) {
  override get message() {
    return postgresTexts.tooOld({ found: this.found })
  }
}

/** The error for a database that has to be migrated first, of a node that may not do it. */
export class MigrationMissing extends Schema.TaggedError<MigrationMissing>()("MigrationMissing", {
  found: Schema.Int,
  known: Schema.Int,
}) {
  override get message() {
    return postgresTexts.migrationMissing({ found: this.found, known: this.known })
  }
}

/** The error for a migration that removes what running nodes use. `hosts` are theirs. */
export class LiveNodes extends Schema.TaggedError<LiveNodes>()("LiveNodes", {
  format: Schema.Int,
  hosts: Schema.Array(Schema.String),
}) {
  override get message() {
    return postgresTexts.liveNodes({ format: this.format, hosts: this.hosts.join(", ") })
  }
}

/** The error for a database with a table `migrations` that belongs to another program. */
export class ForeignDatabase extends Schema.TaggedError<ForeignDatabase>()("ForeignDatabase", {}) {
  override get message() {
    return postgresTexts.foreign()
  }
}

/** The error for a server, database or secret that cannot be used until an operator acts. */
export class UnusableServer extends Schema.TaggedError<UnusableServer>()("UnusableServer", {
  problem: Schema.String,
}) {
  override get message() {
    return this.problem
  }
}
