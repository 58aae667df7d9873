import { errorText } from "@inlet/core/log/ErrorText"

const backup = "`inlet backup`: exit code 1"
const restore = "`inlet restore`: exit code 1"

/** The errors of backups and of restoring them. */
export const backupTexts = {
  noData: errorText("{directory} has no database inlet.db: name the data directory of a server", {
    seen: backup,
    expected: "the data directory of a server, in `--data-dir` or `INLET_DATA_DIR`",
    remedy: "Correct the directory.",
  }),
  noKey: errorText("{directory} has no digest-key beside inlet.db", {
    seen: backup,
    expected: "the file `digest-key`, because a server needs this key to recognise suppressed identifiers",
    remedy: "Restore the file from an earlier backup.",
  }),
  postgres: errorText(
    "inlet backup is for data directories; back up PostgreSQL with point-in-time recovery or pg_dump, and keep INLET_SECRET",
    {
      seen: backup,
      expected: "a data directory",
      remedy: "Use the tools of PostgreSQL, see [operations](operations/backup.md#backup).",
    },
  ),
  logTooLong: errorText(
    "the server wrote so much during the backup that its write-ahead log reached 400 MB; back up again when there is less load",
    {
      seen: backup,
      expected: "a backup that ends before the write-ahead log is too long",
      remedy: "Back up when there is less load, or to a faster disk.",
    },
  ),
  notWritten: errorText("the backup to {file} failed: {problem}", {
    seen: backup,
    expected: "a path that this user can write, on a disk with enough space",
    remedy:
      "Correct the path or the permissions, or free space. The command leaves no incomplete file behind.",
  }),
  notRead: errorText("cannot read {file}: {problem}", {
    seen: restore,
    expected: "a file that this user can read",
    remedy: "Correct the path or the permissions.",
  }),
  notABackup: errorText("{file} is not a complete backup of Inlet", {
    seen: restore,
    expected: "a file that `inlet backup` wrote",
    remedy: "Use another backup.",
  }),
  damaged: errorText(
    "the backup {file} is damaged: the SHA-256 of its content differs from the SHA-256 in its last line",
    {
      seen: restore,
      expected: "an unchanged backup",
      remedy: "Use another copy of the backup.",
    },
  ),
  notEmpty: errorText("{directory} is not empty; restore into an empty data directory", {
    seen: restore,
    expected: "a data directory that is empty or does not exist",
    remedy: "Choose another directory, or move the files away.",
  }),
  notRestored: errorText("the backup cannot be restored into {directory}: {problem}", {
    seen: restore,
    expected: "a readable backup, and a directory that this user can write",
    remedy: "Correct the paths or the permissions, or free space.",
  }),
}
