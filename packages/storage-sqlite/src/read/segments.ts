import { relatedListedMax, type PersonRecord, type SegmentRecord } from "@inlet/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlet/core/values/Page"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { Segment } from "@inlet/core/state/Segment"
import type { Slices } from "@inlet/core/Slices"
import { Option, Schema } from "effect"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { linkWalker, pageOf, walker } from "./paging.ts"
import { personRecords } from "./personRecords.ts"
import { personOf } from "./people.ts"
import { subjectColumns } from "./subjects.ts"
import { subjectFromRow } from "@inlet/storage/subjectRows"

const decodeSegment = Schema.decodeUnknownSync(Segment)

const recordOf = (row: Row): SegmentRecord => ({
  segment: decodeSegment(subjectFromRow(row)),
  size: integer(row["size"]),
})

const withSize = `SELECT ${subjectColumns}, coalesce(size, 0) AS size FROM subjects AS found LEFT JOIN sizes ON sizes.id = found.id`

/** Reads the segment that has the given key. */
export const readSegment = (database: Database) => {
  const statement = database.prepare(`${withSize} WHERE found.id = ? AND state = ${stateCodes.segment}`)
  return (workspace: WorkspaceId, key: SubjectKey): Option.Option<SegmentRecord> =>
    Option.map(Option.fromUndefinedOr(statement.get(rowId(workspace, key))), recordOf)
}

/** Lists segments in the order of their keys. */
export const readSegments = (database: Database) => {
  const walk = walker(database, `${withSize} WHERE state = ${stateCodes.segment}`)
  return (workspace: WorkspaceId, page: PageRequest<SubjectKey>): Slices<Page<SegmentRecord, SubjectKey>> =>
    pageOf((part) => walk(workspace, [], part), page, recordOf)
}

/** Lists the people in a segment in the order of their keys. Returns an empty list for a missing segment. */
export const readMembers = (database: Database) => {
  const segment = readSegment(database)
  const records = personRecords(database)
  const walk = linkWalker(database)
  return function* (
    workspace: WorkspaceId,
    key: SubjectKey,
    page: PageRequest<SubjectKey>,
  ): Slices<Page<PersonRecord, SubjectKey>> {
    if (Option.isNone(segment(workspace, key))) return { items: [], next: null }
    const people = yield* pageOf((part) => walk(workspace, [key], part), page, personOf)
    return yield* records(workspace, people, relatedListedMax)
  }
}
