import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of the errors that opening a data directory can cause. */
export const sqliteTexts = {
  inUse: errorText(
    "the data directory {directory} is in use by another process",
    "Stop the other server, or set `INLET_DATA_DIR` to another directory.",
  ),
  tooNew: errorText(
    "the data in {directory} has format {found}, but this version of Inlet reads only formats up to {known}",
    "Start the version of Inlet that wrote the data, or a newer version.",
  ),
  tooOld: errorText(
    "the data in {directory} has format {found}, from a build before the first release; run `inlet export` with that build and `inlet import` into a new data directory",
    "Export people, objects, segments and events with the build that wrote the data. Start this version with a new `INLET_DATA_DIR`, and import the files.",
  ),
  unfinishedCopy: errorText(
    "the data directory {directory} is the target of an unfinished copy; run `inlet copy` again to finish the copy",
    "Run the same `inlet copy` command again. If the copy cannot resume, remove the directory. If the directory also held other workspaces, restore them from a backup.",
  ),
  unusable: errorText(
    "the database {file} {problem}; restore the data directory from a backup, or start with a new data directory",
    "Restore a backup into an empty directory. Save the damaged files for a bug report.",
  ),
}
