import { countingKeys } from "@inlethq/core/membership/ringOf"
import { isAbout, withLeafStates } from "@inlethq/core/rule/RuleIndex"
import { compileSegments } from "@inlethq/core/rule/definitions"
import { relatedPeopleMax } from "@inlethq/core/rule/ruleBounds"
import type { Needs } from "@inlethq/core/fold/Needs"
import type { SliceCounter, Slices } from "@inlethq/core/Slices"
import type { BuildKey, DuePerson, HolderRange } from "@inlethq/core/ports/Store"
import type { LeafState, LeafStates } from "@inlethq/core/state/LeafState"
import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { holderCodes, stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { subjectKey, workspaceId } from "@inlethq/storage/columns/ids"
import { KnownRules, type Rules } from "@inlethq/storage/KnownRules"
import {
  addLeafState,
  duePeople,
  leafColumns,
  noneRelated,
  relatedIn,
  type LeafRows,
  type Related,
} from "@inlethq/storage/rows/leafRows"
import { subjectFromRow } from "@inlethq/storage/rows/subjectRows"
import type { Database } from "../engine/Database.ts"
import type { Head } from "../engine/heads.ts"
import { rowIdRange, sqlNumber, sqlRowId, sqlWorkspace } from "../engine/rowIds.ts"
import { cachingLoadMax, type SubjectCache } from "./SubjectCache.ts"
import { subjectColumns } from "./subjects.ts"

/** Reads the rules of workspaces, and keeps them until they change. */
export class RuleReader {
  private readonly known = new KnownRules()
  private readonly segments: (workspace: WorkspaceId) => Iterable<Subject>
  private readonly nextDue: (workspace: WorkspaceId) => number | null

  constructor(database: Database) {
    const segments = database.prepare(
      `SELECT ${subjectColumns} FROM subjects AS found WHERE found.id >= ? AND found.id < ? AND state = ${stateCodes.segment}`,
    )
    this.segments = (workspace) =>
      segments.all(...rowIdRange(workspace, 0, Infinity)).map((row) => subjectFromRow(row))
    const nextDue = database.prepareByPlace(
      "SELECT min(due) FROM leaf_states WHERE workspace = ? AND due IS NOT NULL",
    )
    this.nextDue = (workspace) => {
      const due = nextDue.get(workspace)?.[0] ?? null
      return due === null ? null : integer(due)
    }
  }

  /** Returns the rules of a workspace in their current version. */
  rulesOf(workspace: WorkspaceId, { rulesVersion: version }: Pick<Head, "rulesVersion">): Rules {
    const known = this.known.get(workspace, version)
    if (known !== undefined) return known
    const index = compileSegments(
      Array.from(this.segments(workspace)).filter((subject) => subject._tag === "Segment"),
      this.known.last(workspace)?.index,
    )
    const rules = { version, index, nextDue: this.nextDue(workspace) }
    this.known.set(workspace, rules)
    return rules
  }

  /** Returns whether a batch must follow the rules: they are about something that it changes, or a leaf is due. */
  mustFollow(rules: Rules, needs: Needs, latestReceipt: number | null): boolean {
    if (rules.version === 0) return false
    return isAbout(rules.index, needs.concerns) || this.isDue(rules, needs, latestReceipt)
  }

  /** Returns those of the loaded subjects of whom a batch must read what is stored about leaves. */
  withStates(
    rules: Rules,
    needs: Needs,
    loaded: Pick<WorkingSet, "identifiers" | "subjects" | "latestReceipt">,
  ): Iterable<Subject> {
    return this.isDue(rules, needs, loaded.latestReceipt)
      ? loaded.subjects.values()
      : withLeafStates(rules.index, needs.concerns, loaded)
  }

  private isDue(rules: Rules, { concerns, workspace }: Needs, latestReceipt: number | null): boolean {
    const now = Math.max(concerns.receivedAt, latestReceipt ?? 0)
    if (rules.nextDue === null || rules.nextDue > now) return false
    const nextDue = this.nextDue(workspace)
    this.known.set(workspace, { ...rules, nextDue })
    return nextDue !== null && nextDue <= now
  }

  /** Notes the rules that a batch leaves behind, and when the leaves that it is about to save are due. */
  noteSaved({ rules: index, rulesVersion: version, workspace }: WorkingSet, { saved }: LeafRows): void {
    if (version === 0) return
    const before = this.known.last(workspace)
    let nextDue = before?.nextDue ?? null
    for (const { due } of saved) if (due !== null && (nextDue === null || due < nextDue)) nextDue = due
    if (version === before?.version && nextDue === before.nextDue) return
    this.known.set(workspace, { version, index, nextDue })
  }

  clear(): void {
    this.known.clear()
  }
}

/** The largest number of people and visitors whose leaves one statement reads. Each may have many. */
const holdersPerStatement = 250

/** Reads what is stored about the leaves of rules and the people and visitors among the given subjects. */
export const readLeafStates = (
  database: Database,
  cache: SubjectCache | undefined,
): ((
  workspace: WorkspaceId,
  subjects: Iterable<Subject>,
  slice: SliceCounter,
) => Slices<Map<SubjectKey, LeafStates>>) => {
  const statement = database.prepareByPlace(
    `SELECT ${leafColumns} FROM json_each(?) AS wanted
    CROSS JOIN leaf_states AS found ON found.workspace = ? AND found.subject = wanted.value`,
  )
  return function* (workspace, subjects, slice) {
    const missing: Array<SubjectKey> = []
    const states = new Map<SubjectKey, LeafStates>()
    let holders = 0
    for (const key of countingKeys(subjects)) {
      holders++
      const known = cache?.leafStatesOf(workspace, key)
      if (known === undefined) missing.push(key)
      else if (known.size > 0) states.set(key, known)
    }
    if (missing.length === 0) return states
    const read = new Map<SubjectKey, Map<SubjectKey, LeafState>>()
    const wanted = Float64Array.from(missing).toSorted()
    for (let from = 0; from < wanted.length; from += holdersPerStatement) {
      const some = wanted.subarray(from, from + holdersPerStatement)
      const rows = statement.all(`[${some.join()}]`, workspace)
      for (const row of rows) addLeafState(read, row)
      if (slice.isFull(some.length + rows.length)) yield
    }
    for (const [key, found] of read) states.set(key, found)
    if (cache !== undefined && holders <= cachingLoadMax) {
      for (const key of missing) cache.addLeafStates(workspace, key, read.get(key) ?? noStates)
    }
    return states
  }
}

const noStates: LeafStates = new Map()

/** Reads the keys of people and visitors who are related to objects. */
export const readRelatedTo = (
  database: Database,
): ((workspace: WorkspaceId, subjects: Iterable<Subject>) => Related) => {
  const statement = database.prepareByPlace(
    `SELECT found.subject, found.target FROM json_each(?1) AS wanted
    CROSS JOIN links AS found ON found.workspace = ?2 AND found.target = wanted.value
    WHERE found.subject IN (
      SELECT subject FROM links WHERE workspace = ?2 AND target = wanted.value ORDER BY subject LIMIT ${relatedPeopleMax + 1}
    )`,
  )
  return (workspace, subjects) => {
    const objects: Array<SubjectKey> = []
    for (const { _tag, key } of subjects) if (_tag === "DataObject") objects.push(key)
    if (objects.length === 0) return noneRelated
    return relatedIn(statement.all(`[${objects.join()}]`, workspace).map((row) => [row[0], row[1]]))
  }
}

/** Reads whether a workspace has people or visitors. */
export const readHasHolders = (database: Database): ((workspace: WorkspaceId) => boolean) => {
  const statement = database.prepareByPlace(
    `SELECT 1 FROM subjects WHERE id >= ? AND id < ? AND state IN (${holderCodes.join()}) LIMIT 1`,
  )
  return (workspace) => statement.get(...rowIdRange(workspace, 0, Infinity)) !== undefined
}

/** Reads the keys of builds. */
export const readBuilding = (database: Database): (() => ReadonlyArray<BuildKey>) => {
  const statement = database.prepareByPlace(
    `SELECT ${sqlWorkspace("id")}, ${sqlNumber("id")} FROM subjects WHERE state = ${stateCodes.ruleBuild} ORDER BY id`,
  )
  return () =>
    statement
      .all()
      .map((row) => ({ workspace: workspaceId(integer(row[0])), build: subjectKey(integer(row[1])) }))
}

/** Reads the keys of people and visitors in a range of keys. */
export const readHolders = (
  database: Database,
): ((workspace: WorkspaceId, range: HolderRange, limit: number) => ReadonlyArray<SubjectKey>) => {
  const statement = database.prepareByPlace(
    `SELECT ${sqlNumber("id")} FROM subjects WHERE id >= ? AND id < ? AND state IN (${holderCodes.join()}) ORDER BY id LIMIT ?`,
  )
  const related = database.prepareByPlace(
    "SELECT subject FROM links WHERE workspace = ? AND target = ? AND subject > ? AND subject < ? ORDER BY subject LIMIT ?",
  )
  return (workspace, { after, before, relatedTo }, limit) => {
    const rows =
      relatedTo === null
        ? statement.all(...rowIdRange(workspace, after + 1, before), limit)
        : related.all(workspace, relatedTo, after, before, limit)
    return rows.map((row) => subjectKey(integer(row[0])))
  }
}

/** Reads people with due leaves, in the order of the times at which they were due. */
export const readDue = (
  database: Database,
): ((now: EpochMillis, limit: number) => ReadonlyArray<DuePerson>) => {
  const workspaces = database.prepareByPlace(
    "SELECT workspace FROM heads WHERE rules_version > 0 AND deleted_at IS NULL ORDER BY workspace",
  )
  const statement = database.prepareByPlace(
    // A leaf with a row in `subjects` is one that no rule has any more. Housekeeping will remove its states.
    `SELECT workspace, subject, due FROM (
      SELECT workspace, subject, leaf, due FROM leaf_states WHERE workspace = ? AND due <= ? ORDER BY due, subject LIMIT ?
    ) WHERE NOT EXISTS (SELECT 1 FROM subjects WHERE id = ${sqlRowId("workspace", "leaf")})`,
  )
  return (now, limit) => {
    const rows = workspaces.all().flatMap((row) => statement.all(integer(row[0]), now, limit * leavesMax))
    const read = rows.map((row) => [row[0], row[1], row[2]])
    const inTime = read.toSorted((a, b) => integer(a[2]) - integer(b[2]))
    return duePeople(inTime, limit)
  }
}

/** The number of due leaves that are read for each person. */
const leavesMax = 4
