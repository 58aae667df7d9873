import {
  relatedListedMax,
  type Page,
  type PageRequest,
  type PersonRecord,
  type SegmentRecord,
} from "@inlet/core/catalog/Catalog"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { Segment } from "@inlet/core/state/Segment"
import type { Slices } from "@inlet/core/catalog/ReadTurns"
import { Option, Schema } from "effect"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { pageOf, walker } from "./paging.ts"
import { personRecords } from "./personRecords.ts"
import { personOf } from "./people.ts"
import { subjectFromRow } from "@inlet/storage/subjectRows"

const decodeSegment = Schema.decodeUnknownSync(Segment)

const recordOf = (row: Row): SegmentRecord => ({
  segment: decodeSegment(subjectFromRow(row)),
  size: integer(row["size"]),
})

const withSize = `SELECT subjects.*, coalesce(size, 0) AS size FROM subjects LEFT JOIN sizes ON subject = key`

/** Reads the segment with a key. */
export const readSegment = (database: Database) => {
  const statement = database.prepare(
    `${withSize} WHERE key = ? AND workspace = ? AND state = ${stateCodes.segment}`,
  )
  return (workspace: WorkspaceId, key: SubjectKey): Option.Option<SegmentRecord> =>
    Option.map(Option.fromUndefinedOr(statement.get(key, workspace)), recordOf)
}

/** Lists segments by key. */
export const readSegments = (database: Database) => {
  const walk = walker(database, `${withSize} WHERE workspace = ? AND state = ${stateCodes.segment}`)
  return (workspace: WorkspaceId, page: PageRequest<SubjectKey>): Slices<Page<SegmentRecord, SubjectKey>> =>
    pageOf((part) => walk([workspace], part), page, recordOf)
}

/** Lists the people in a segment by key. The list of a missing segment is empty. */
export const readMembers = (database: Database) => {
  const segment = readSegment(database)
  const records = personRecords(database)
  const walk = walker(
    database,
    `SELECT found.* FROM links CROSS JOIN subjects AS found ON found.key = links.subject WHERE target = ?`,
    "links.subject",
  )
  return function* (
    workspace: WorkspaceId,
    key: SubjectKey,
    page: PageRequest<SubjectKey>,
  ): Slices<Page<PersonRecord, SubjectKey>> {
    if (Option.isNone(segment(workspace, key))) return { items: [], next: null }
    return yield* records(yield* pageOf((part) => walk([key], part), page, personOf), relatedListedMax)
  }
}
