import { Schema } from "effect"

/** The error for a backup or a restore that cannot be made. The failed command leaves no files behind. */
export class BackupRefused extends Schema.TaggedError<BackupRefused>()("BackupRefused", {
  problem: Schema.String,
}) {
  override get message() {
    return this.problem
  }
}
