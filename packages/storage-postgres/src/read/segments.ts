import { relatedListedMax, type PersonRecord, type SegmentRecord } from "@inlet/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlet/core/values/Page"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Segment } from "@inlet/core/state/Segment"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { Effect, Option, Schema } from "effect"
import { pageOf, walkLinked, walkOf } from "./paging.ts"
import { personOf } from "./people.ts"
import { personRecords } from "./personRecords.ts"
import type { Read } from "./Read.ts"
import { withSize } from "./subjects.ts"

const decodeSegment = Schema.decodeUnknownSync(Segment)

const recordOf = (row: Row): SegmentRecord => ({
  segment: decodeSegment(subjectFromRow(row)),
  size: integer(row["size"]),
})

const segments = `${withSize} WHERE found.workspace = $1 AND found.state = ${stateCodes.segment}`

/** Reads the segment that has the given key. */
export const readSegment = (
  read: Read,
  workspace: WorkspaceId,
  key: SubjectKey,
): Effect.Effect<Option.Option<SegmentRecord>, StoreUnavailable> =>
  Effect.map(
    read((connection) => connection.query(`${segments} AND found.key = $2`, [workspace, key])),
    ([row]) => Option.map(Option.fromUndefinedOr(row), recordOf),
  )

const walkSegments = walkOf(segments)

/** Lists segments in the order of their keys. */
export const readSegments = (
  read: Read,
  workspace: WorkspaceId,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<SegmentRecord, SubjectKey>, StoreUnavailable> =>
  pageOf(read, walkSegments, workspace, [], page, recordOf)

/** Lists the people in a segment in the order of their keys. Returns an empty list for a missing segment. */
export const readMembers = (
  read: Read,
  workspace: WorkspaceId,
  key: SubjectKey,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable> =>
  Effect.gen(function* () {
    if (Option.isNone(yield* readSegment(read, workspace, key))) return { items: [], next: null }
    const people = yield* pageOf(read, walkLinked, workspace, [key], page, personOf)
    return yield* personRecords(read, workspace, people, relatedListedMax)
  })
