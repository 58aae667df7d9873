import { errorText } from "@inlethq/core/log/ErrorText"

/** The errors of backups and of restoring them. */
export const backupTexts = {
  noData: errorText(
    "{directory} has no database inlet.db: name the data directory of a server",
    "Correct the directory.",
  ),
  noKey: errorText(
    "{directory} has no digest-key beside inlet.db",
    "Restore the file from an earlier backup. A server needs this key to recognise suppressed identifiers.",
  ),
  postgres: errorText(
    "inlet backup is for data directories; back up PostgreSQL with point-in-time recovery or pg_dump, and keep INLET_SECRET",
    "Use the tools of PostgreSQL, see [operations](operations/backup.md#backup).",
  ),
  logTooLong: errorText(
    "the server wrote so much during the backup that its write-ahead log reached 400 MB; back up again when there is less load",
    "Back up when there is less load, or to a faster disk.",
  ),
  notWritten: errorText(
    "the backup to {file} failed: {problem}",
    "Correct the path or the permissions, or free space. The command leaves no incomplete file behind.",
  ),
  notRead: errorText("cannot read {file}: {problem}", "Correct the path or the permissions."),
  notABackup: errorText("{file} is not a complete backup of Inlet", "Use another backup."),
  damaged: errorText(
    "the backup {file} is damaged: the SHA-256 of its content differs from the SHA-256 in its last line",
    "Use another copy of the backup.",
  ),
  notEmpty: errorText(
    "{directory} is not empty; restore into an empty data directory",
    "Choose another directory, or move the files away.",
  ),
  ledgerNotRead: errorText(
    "cannot use the erasure ledger {path}: {problem}",
    "Name the data directory of the server from which the backup was made, or a file that `inlet erasure ledger` wrote.",
  ),
  notVerified: errorText(
    "cannot verify {file}: {problem}",
    "Name the receipt.json of `inlet erasure get --out`, with receipt.sig beside it, and the data directory of the server that signed it.",
  ),
  notErased: errorText(
    "the people in the erasure ledger could not be erased from the restored data: {problem}",
    "Free space or correct the permissions, and restore again. Nothing was restored.",
  ),
  notRestored: errorText(
    "the backup cannot be restored into {directory}: {problem}",
    "Correct the paths or the permissions, or free space.",
  ),
}
