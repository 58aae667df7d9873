import {
  relatedListedMax,
  type PersonNames,
  type PersonRecord,
  type SegmentRecord,
} from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { membersOf, Segment } from "@inlethq/core/state/Segment"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect, Option, Schema } from "effect"
import { stateCodes } from "../columns/codes.ts"
import { integer, type Row } from "../columns/columns.ts"
import { subjectFromRow } from "../rows/subjectRows.ts"
import { personOf } from "./people.ts"
import { readPersonRecords } from "./personRecords.ts"
import type { Read } from "./ReadQueries.ts"
import { readPage } from "./subjectPages.ts"

const decodeSegment = Schema.decodeUnknownSync(Segment)

const recordOf = (row: Row): SegmentRecord => ({
  segment: decodeSegment(subjectFromRow(row)),
  size: integer(row["size"]),
})

export const readSegment = (
  read: Read,
  workspace: WorkspaceId,
  key: SubjectKey,
): Effect.Effect<Option.Option<SegmentRecord>, StoreUnavailable> =>
  read((ask) => Effect.map(ask.byKey(workspace, key, stateCodes.segment), Option.map(recordOf)))

/** Lists segments in the order of their keys. */
export const readSegments = (
  read: Read,
  workspace: WorkspaceId,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<SegmentRecord, SubjectKey>, StoreUnavailable> =>
  readPage(read, workspace, { _tag: "OfKind", state: stateCodes.segment }, page, recordOf)

/** Lists the people in a segment by their identifiers. Nothing else of their documents is decoded. */
export const readMemberNames = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  key: SubjectKey,
  page: PageRequest<SubjectKey>,
): Effect.fn.Return<Page<PersonNames, SubjectKey>, StoreUnavailable> {
  const found = yield* readSegment(read, workspace, key)
  if (Option.isNone(found)) return { items: [], next: null }
  const target = membersOf(found.value.segment)
  return yield* readPage(read, workspace, { _tag: "LinkedTo", target }, page, namesOf)
})

const namesOf = (row: Row): PersonNames => {
  const subject = subjectFromRow(row)
  const { email, id } = subject._tag === "Person" ? subject : { email: null, id: null }
  return { key: subject.key, workspace: subject.workspace, id, email }
}

/** Lists the people in a segment in the order of their keys. Returns an empty list for a missing segment. */
export const readMembers = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  key: SubjectKey,
  page: PageRequest<SubjectKey>,
): Effect.fn.Return<Page<PersonRecord, SubjectKey>, StoreUnavailable> {
  const found = yield* readSegment(read, workspace, key)
  if (Option.isNone(found)) return { items: [], next: null }
  const target = membersOf(found.value.segment)
  const people = yield* readPage(read, workspace, { _tag: "LinkedTo", target }, page, personOf)
  return yield* readPersonRecords(read, workspace, people, relatedListedMax)
})
