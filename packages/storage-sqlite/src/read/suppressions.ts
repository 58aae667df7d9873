import {
  identifierText,
  type Identifier,
  type SubjectKey,
  type WorkspaceId,
} from "@inlet/core/values/Identifier"
import type { Needs } from "@inlet/core/Needs"
import type { Subject } from "@inlet/core/state/Subject"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { integer } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { subjectKey, workspaceId } from "@inlet/storage/subjectRows"

/*
 * What is suppressed is kept as digests alone: nobody can tell the identifiers from the files.
 */

type DigestOf = (text: string) => string

/** The texts of the kinds of identifier that can be suppressed. */
const canBeSuppressed = /^(\d+):(?:id|email):/

/**
 * Finds what is suppressed of the texts that nobody carries, and the groups that are named by key; one statement each. A
 * workspace in which nobody is suppressed costs no digests.
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

  /** Those of some texts that are of a workspace in which something is suppressed. */
  const possible = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (texts.length === 0) return []
    const workspaces = new Set(texts.map(workspaceOf))
    const rows = withSuppressions.all(JSON.stringify([...workspaces]))
    const found = new Set(rows.map((row) => integer(row["value"])))
    return found.size === 0 ? [] : texts.filter((text) => found.has(workspaceOf(text)))
  }

  const texts = (asked: ReadonlyArray<string>): Map<string, SubjectKey> => {
    const found = new Map<string, SubjectKey>()
    if (asked.length === 0) return found
    for (const row of byDigest.all(JSON.stringify(asked.map(digest)))) {
      const text = asked[integer(row["place"])]
      if (text !== undefined) found.set(text, subjectKey(integer(row["group_key"])))
    }
    return found
  }

  const groups = (wanted: ReadonlyArray<SubjectKey>): Map<SubjectKey, WorkspaceId> => {
    const found = new Map<SubjectKey, WorkspaceId>()
    if (wanted.length === 0) return found
    for (const row of byGroup.all(JSON.stringify(wanted))) {
      found.set(subjectKey(integer(row["group_key"])), workspaceId(integer(row["workspace"])))
    }
    return found
  }

  return (
    needs: Needs,
    carried: ReadonlyMap<string, SubjectKey>,
    subjects: ReadonlyMap<SubjectKey, Subject>,
  ) => ({
    suppressed: texts(
      possible(
        Array.from(needs.identifiers).filter((text) => canBeSuppressed.test(text) && !carried.has(text)),
      ),
    ),
    suppressedGroups: groups(
      Array.from(needs.subjects).filter((key) => subjects.get(key)?._tag !== "Person"),
    ),
  })
}

const workspaceOf = (text: string): number => Number(canBeSuppressed.exec(text)?.[1])

/** Tells whether an identifier is suppressed. */
export const readIsSuppressed = (database: Database, digest: DigestOf) => {
  const statement = database.prepare("SELECT 1 FROM suppressions WHERE digest = ?")
  return (workspace: WorkspaceId, { kind, value }: Identifier): boolean =>
    statement.get(digest(identifierText(workspace, kind, value))) !== undefined
}

/** Saves what a batch suppressed and released. */
export const suppressionWriter = (database: Database): ((seen: WorkingSet) => void) => {
  const lift = database.prepare("DELETE FROM suppressions WHERE group_key = ?")
  const free = database.prepare("DELETE FROM suppressions WHERE digest = ?")
  const insert = database.prepare("INSERT INTO suppressions (digest, workspace, group_key) VALUES (?, ?, ?)")
  return ({ digest, suppressed, suppressedGroups, written }) => {
    for (const group of written.lifted) lift.run(group)
    for (const text of written.suppressed) {
      const digested = digest(text)
      free.run(digested)
      const group = suppressed.get(text)
      const workspace = group === undefined ? undefined : suppressedGroups.get(group)
      if (group === undefined || workspace === undefined) continue
      insert.run(digested, workspace, group)
    }
  }
}
