import type { Needs } from "@inlet/core/Needs"
import type { Subject } from "@inlet/core/state/Subject"
import {
  identifierText,
  type Identifier,
  type SubjectKey,
  type WorkspaceId,
} from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { subjectKey, workspaceId } from "@inlet/storage/ids"
import { suppressedGroupsNeeded, suppressibleTexts } from "@inlet/storage/workingSetRows"
import type { Database } from "../engine/Database.ts"

/*
 * Suppressed identifiers are stored as digests only, so the files do not reveal them.
 */

type DigestOf = (text: string) => string

/**
 * Reads which of the texts are suppressed identifiers and which of the keys are suppression groups, with one statement
 * for each of the two. Computes no digests for workspaces without suppressions.
 */
export const readSuppressed = (database: Database, digest: DigestOf) => {
  const byDigest = database.prepare(
    "SELECT wanted.key AS place, found.group_key AS group_key FROM json_each(?) AS wanted CROSS JOIN suppressions AS found ON found.digest = wanted.value",
  )
  const withSuppressions = database.prepare(
    "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM suppressions WHERE workspace = value)",
  )
  const byGroup = database.prepare(
    "SELECT DISTINCT found.group_key AS group_key, found.workspace AS workspace FROM json_each(?) AS wanted CROSS JOIN suppressions AS found ON found.group_key = wanted.value",
  )

  /** Returns the texts of the workspaces that have suppressions. */
  const candidates = (texts: ReadonlyMap<number, ReadonlyArray<string>>): ReadonlyArray<string> => {
    if (texts.size === 0) return []
    const rows = withSuppressions.all(JSON.stringify([...texts.keys()]))
    return rows.flatMap((row) => texts.get(integer(row["value"])) ?? [])
  }

  const groupsByText = (texts: ReadonlyArray<string>): Map<string, SubjectKey> => {
    const found = new Map<string, SubjectKey>()
    if (texts.length === 0) return found
    for (const row of byDigest.all(JSON.stringify(texts.map(digest)))) {
      const text = texts[integer(row["place"])]
      if (text !== undefined) found.set(text, subjectKey(integer(row["group_key"])))
    }
    return found
  }

  const workspacesByGroup = (keys: ReadonlyArray<SubjectKey>): Map<SubjectKey, WorkspaceId> => {
    const found = new Map<SubjectKey, WorkspaceId>()
    if (keys.length === 0) return found
    for (const row of byGroup.all(JSON.stringify(keys))) {
      found.set(subjectKey(integer(row["group_key"])), workspaceId(integer(row["workspace"])))
    }
    return found
  }

  return (
    needs: Needs,
    identifiers: ReadonlyMap<string, SubjectKey>,
    subjects: ReadonlyMap<SubjectKey, Subject>,
  ) => ({
    suppressed: groupsByText(candidates(suppressibleTexts(needs, identifiers))),
    suppressedGroups: workspacesByGroup(suppressedGroupsNeeded(needs, subjects)),
  })
}

/** Returns whether an identifier is suppressed. */
export const readIsSuppressed = (database: Database, digest: DigestOf) => {
  const statement = database.prepare("SELECT 1 FROM suppressions WHERE digest = ?")
  return (workspace: WorkspaceId, { kind, value }: Identifier): boolean =>
    statement.get(digest(identifierText(workspace, kind, value))) !== undefined
}
