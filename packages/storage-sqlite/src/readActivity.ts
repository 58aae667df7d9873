import { ActivityEntry, isHidden, present, type ActivityRecord } from "@inlet/core/Activity"
import type { Digest } from "@inlet/core/Digest"
import { activityScanMax, type ActivityFilter, type Page, type PageRequest } from "@inlet/core/Directory"
import { addressOfEntry, isErased } from "@inlet/core/erasure"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/Identifier"
import type { Outcome } from "@inlet/core/Outcome"
import { plain, type Subject } from "@inlet/core/Subject"
import { personBehind, seenWith } from "@inlet/core/WorkingSet"
import { Option, Schema } from "effect"
import { readErasedAddresses } from "./addresses.ts"
import { kindCodes, outcomeCodes } from "./codes.ts"
import type { Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { entryOf, nameColumn, sequenceOf } from "./entries.ts"
import { logOfPerson, logOfWorkspace, type Log } from "./logs.ts"
import { readPerson } from "./readPeople.ts"
import { readSubjects } from "./readSubjects.ts"

/** Entries that a filtered page reads at a time. */
const scanChunk = 500

const decodeEntry = Schema.decodeUnknownSync(ActivityEntry)

/** Reads one entry of the log; nothing where it is hidden. */
export const readOperation = (database: Database, digest: Digest["Service"]) => {
  const recordsOf = recordReader(database, digest)
  const statement = database.prepare("SELECT * FROM activity WHERE sequence = ? AND workspace = ?")
  return (workspace: WorkspaceId, sequence: Sequence): Option.Option<ActivityRecord> =>
    database.read(() => Option.fromUndefinedOr(recordsOf(statement.all(sequence, workspace))[0]))
}

/** Reads the log by a filter, at most `activityScanMax` entries a page. */
export const readActivity = (database: Database, digest: Digest["Service"]) => {
  const recordsOf = recordReader(database, digest)
  const ofWorkspace = logOfWorkspace(database)
  const ofPerson = logOfPerson(database)
  const { person } = readPerson(database)

  const logOf = (
    workspace: WorkspaceId,
    filter: ActivityFilter,
    { after, order }: PageRequest<Sequence>,
  ): Log => {
    const { person: asked } = filter
    if (asked === null) return ofWorkspace(workspace, after, order)
    const { attached, key } = Option.getOrElse(person(workspace, asked.key), () => asked)
    return ofPerson([key, ...attached.map((attachment) => attachment.key)], after, order)
  }

  return (
    workspace: WorkspaceId,
    filter: ActivityFilter,
    page: PageRequest<Sequence>,
  ): Page<ActivityRecord, Sequence> =>
    database.read(() => {
      const log = logOf(workspace, filter, page)
      const isCandidate = candidates(workspace, filter)
      const items: Array<ActivityRecord> = []
      let size = page.limit + 1
      for (let scanned = 0; scanned < activityScanMax;) {
        const wanted = Math.min(size, activityScanMax - scanned)
        const rows = log.read(wanted)
        for (const record of recordsOf(rows.filter(isCandidate))) {
          if (!matches(record, filter)) continue
          if (items.length === page.limit) return { items, next: items.at(-1)?.entry.sequence ?? null }
          items.push(record)
        }
        if (log.ended()) return { items, next: null }
        if (rows.length < wanted) break
        scanned += rows.length
        size = scanChunk
      }
      return { items, next: sequenceOf(log.position()) }
    })
}

/** What the row alone can say about a filter, before it is decoded. */
const candidates = (workspace: WorkspaceId, { kind, name, outcome }: ActivityFilter) => {
  const kindCode = kind === null ? null : kindCodes[kind]
  const stored = nameColumn(name)
  const outcomes = outcome === null ? null : storedOutcomes(outcome)
  return (row: Row): boolean =>
    row["workspace"] === workspace &&
    (kindCode === null || row["kind"] === kindCode) &&
    (stored === null || row["name"] === stored) &&
    (outcomes === null || outcomes.some((code) => row["outcome"] === code))
}

/** A pending operation is an applied or a partial one once it is somebody's. */
const storedOutcomes = (outcome: Outcome): ReadonlyArray<number> =>
  outcome === "applied" || outcome === "partial"
    ? [outcomeCodes[outcome], outcomeCodes.pending]
    : [outcomeCodes[outcome]]

const matches = (record: ActivityRecord, { name, outcome, person, search }: ActivityFilter): boolean => {
  if (name === null && outcome === null && person === null && search === null) return true
  const view = present(record)
  return (
    (name === null || view.name === name) &&
    (search === null || (view.name !== null && search(view.name))) &&
    (outcome === null || view.outcome === outcome) &&
    (person === null || view.person?.key === person.key || view.subject === person.key)
  )
}

const namedBy = (subjects: Iterable<Subject>): ReadonlyArray<SubjectKey> => [...subjects].flatMap(seenWith)

/** Puts rows together with whom they are about, in a few more statements, and leaves out what is hidden. */
const recordReader = (
  database: Database,
  digest: Digest["Service"],
): ((rows: ReadonlyArray<Row>) => ReadonlyArray<ActivityRecord>) => {
  const subjectsOf = readSubjects(database)
  const erasedAddresses = readErasedAddresses(database)
  const byKey = (keys: Iterable<SubjectKey>) =>
    new Map(subjectsOf(new Set(keys)).map((subject) => [subject.key, plain(subject)]))

  return (rows) => {
    const entries = rows.map((row) => decodeEntry(entryOf(row)))
    const about = byKey(entries.flatMap(({ subject }) => (subject === null ? [] : [subject])))
    const named = byKey(namedBy(about.values()))
    const subjects = new Map([...byKey(namedBy(named.values())), ...named, ...about])
    const addressOf = erasedAddresses.any()
      ? (entry: ActivityEntry) => addressOfEntry(digest.of, entry, subjectIn(subjects, entry))
      : () => null
    const addresses = entries.map(addressOf)
    const seen = {
      subjects,
      erasedAddresses: erasedAddresses.among(new Set(addresses.flatMap((one) => one ?? []))),
    }
    return entries
      .map((entry, place): ActivityRecord => {
        const subject = subjectIn(subjects, entry)
        return {
          entry,
          subject,
          owner: subject === null ? null : personBehind(subjects, subject),
          isErased: isErased(seen, { ...entry, address: addresses[place] ?? null }),
        }
      })
      .filter((record) => !isHidden(record))
  }
}

const subjectIn = (subjects: ReadonlyMap<SubjectKey, Subject>, { subject }: ActivityEntry): Subject | null =>
  subject === null ? null : (subjects.get(subject) ?? null)
