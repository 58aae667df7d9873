import type { Needs } from "@inlethq/core/fold/Needs"
import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { integer } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import { suppressedGroupsNeeded, suppressibleTexts } from "@inlethq/storage/rows/workingSetRows"
import type { Database } from "../engine/Database.ts"

/* The database stores only digests of suppressed identifiers, so that its files do not reveal them. */

/**
 * Reads which of the given identifiers are suppressed, and which of the given keys are keys of suppression groups. Runs
 * one statement for the identifiers and one for the keys. Computes no digests in a workspace without suppressions.
 */
export const readSuppressed = (database: Database) => {
  const any = database.prepare("SELECT 1 FROM suppressions WHERE workspace = ? LIMIT 1")
  const byDigest = database.prepareByPlace(
    "SELECT wanted.key, found.group_key FROM json_each(?) AS wanted CROSS JOIN suppressions AS found ON found.workspace = ? AND found.digest = wanted.value",
  )
  const byGroup = database.prepareByPlace(
    "SELECT DISTINCT found.group_key FROM json_each(?) AS wanted CROSS JOIN suppressions AS found ON found.workspace = ? AND found.group_key = wanted.value",
  )

  const groupsByText = (
    workspace: WorkspaceId,
    texts: ReadonlyArray<string>,
    digest: WorkingSet["digest"],
  ): Map<string, SubjectKey> => {
    const found = new Map<string, SubjectKey>()
    if (texts.length === 0 || any.get(workspace) === undefined) return found
    for (const row of byDigest.all(JSON.stringify(texts.map(digest)), workspace)) {
      const text = texts[integer(row[0])]
      if (text !== undefined) found.set(text, subjectKey(integer(row[1])))
    }
    return found
  }

  const groupsAmong = (workspace: WorkspaceId, keys: ReadonlyArray<SubjectKey>): Set<SubjectKey> =>
    new Set(
      (keys.length === 0 ? [] : byGroup.all(JSON.stringify(keys), workspace)).map((row) =>
        subjectKey(integer(row[0])),
      ),
    )

  return (
    needs: Needs,
    identifiers: ReadonlyMap<string, SubjectKey>,
    subjects: ReadonlyMap<SubjectKey, Subject>,
    digest: WorkingSet["digest"],
  ): Pick<WorkingSet, "suppressed" | "suppressedGroups"> => ({
    suppressed: groupsByText(needs.workspace, suppressibleTexts(needs, identifiers), digest),
    suppressedGroups: groupsAmong(needs.workspace, suppressedGroupsNeeded(needs, subjects)),
  })
}
