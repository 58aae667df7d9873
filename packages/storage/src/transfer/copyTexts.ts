import { errorText } from "@inlethq/core/log/ErrorText"

/** Why a copy cannot begin or continue. */
export const copyTexts = {
  occupied: errorText(
    "{target} holds other data; copy into an empty store, or copy one workspace with --workspace",
    "Choose another target, remove the data there, or copy one workspace at a time.",
  ),
  workspaceExists: errorText(
    "{target} already has a workspace {workspace}",
    "Copy the workspace into another store. A copy keeps all ids.",
  ),
  otherCopy: errorText(
    "{target} holds an unfinished copy of another source, or of the same source before it changed; remove the target and copy again",
    "Remove the target. Stop the servers of the source before the copy, and start them after it.",
  ),
  otherAddition: errorText(
    "{target} holds an unfinished copy of another workspace, or of the same workspace before it changed; restore the backup of the target and copy again",
    "If the source has not changed, run the command of the interrupted copy again. Otherwise, restore the backup that you made of the target before the copy, and then copy again.",
  ),
  otherCourse: errorText(
    "{target} has erased people of workspace {workspace}, and {source} has changed since in another way, so nobody can tell whom to erase again; delete these people in the source and copy into an empty store",
    "Delete the people in the source, and copy the workspace into another store, which must be empty. Nothing was copied.",
  ),
  noSuchWorkspace: errorText(
    "workspace {workspace} does not exist in {source}",
    "Find the id with `inlet workspaces list`.",
  ),
  empty: errorText("{source} has no workspaces", "Correct `--from`."),
}
