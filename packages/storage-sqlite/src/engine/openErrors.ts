import { Schema } from "effect"
import { sqliteTexts } from "./sqliteTexts.ts"

/*
 * Errors of opening a data directory. An operator can fix the cause of each error.
 */

/** The error for a data directory that another process, or another store of this process, has locked. */
export class DataDirectoryInUse extends Schema.TaggedError<DataDirectoryInUse>()("DataDirectoryInUse", {
  directory: Schema.String,
}) {
  override get message() {
    return sqliteTexts.inUse({ directory: this.directory })
  }
}

/** The error for a database file that is missing, damaged, or belongs to another program. */
export class UnusableDatabase extends Schema.TaggedError<UnusableDatabase>()("UnusableDatabase", {
  file: Schema.String,
  problem: Schema.String,
}) {
  override get message() {
    return sqliteTexts.unusable({ file: this.file, problem: this.problem })
  }
}

/** The error for a data directory into which a copy of data was started but has not finished. */
export class UnfinishedCopy extends Schema.TaggedError<UnfinishedCopy>()("UnfinishedCopy", {
  directory: Schema.String,
}) {
  override get message() {
    return sqliteTexts.unfinishedCopy({ directory: this.directory })
  }
}

/** The error for a data directory that a newer version of Inlet has written. */
export class DataTooNew extends Schema.TaggedError<DataTooNew>()("DataTooNew", {
  directory: Schema.String,
  found: Schema.Int,
  known: Schema.Int,
}) {
  override get message() {
    return sqliteTexts.tooNew({ directory: this.directory, found: this.found, known: this.known })
  }
}

/** The error for a data directory with a format from before the first release. */
export class DataTooOld extends Schema.TaggedError<DataTooOld>()("DataTooOld", {
  directory: Schema.String,
  found: Schema.Int,
}) {
  override get message() {
    return sqliteTexts.tooOld({ directory: this.directory, found: this.found })
  }
}
