import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { deliveryDocument } from "@inlethq/contract/objects/Deliveries"
import { objectDocument, relatedDocument } from "@inlethq/contract/objects/Objects"
import { personDocument } from "@inlethq/contract/people/People"
import { segmentDocument } from "@inlethq/contract/segments/Segments"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, type PersonRecord } from "@inlethq/core/catalog/Catalog"
import { wholePerson } from "@inlethq/log/reading/wholePerson"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { isEventKind, isPermanent } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { svcIdText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Option, Stream } from "effect"
import { firstReceivedSince, type Period } from "@inlethq/log/reading/receiptPeriod"
import { jsonTexts } from "../answers/jsonTexts.ts"

/** The largest number of items that one read returns. Each read also has a limit in bytes. */
const pageItems = 200

/** The workspace to export, and the services that are needed to write its data. */
export interface ExportSource {
  readonly snapshot: Snapshot
  readonly workspace: WorkspaceId
  readonly turns: ReadTurns
  readonly brand: WrittenBrand
}

/** A piece of the text of an export, with the number of lines that end in it. */
export interface Piece {
  readonly text: string
  readonly lines: number
}

type ByKey = PageRequest<SubjectKey>

type Pieces = Stream.Stream<Piece, StoreUnavailable>

/** Exports people, each with all of their data. */
export const peopleLines = ({ snapshot, turns, workspace }: ExportSource): Pieces =>
  pages((page: ByKey) => snapshot.people(workspace, null, page)).pipe(
    Stream.mapEffect(Effect.forEach((record) => wholePerson(snapshot, record))),
    Stream.mapEffect((records) => written(turns, records, personDocument)),
  )

export const deliveryLines = ({ snapshot, turns, workspace }: ExportSource): Pieces =>
  pages((page: ByKey) => snapshot.deliveries(workspace, page)).pipe(
    Stream.mapEffect((records) => written(turns, records, deliveryDocument)),
  )

/** Exports objects, each with the people and visitors related to it. */
export const objectLines = ({ snapshot, turns, workspace }: ExportSource): Pieces =>
  pages((page: ByKey) => snapshot.objects(workspace, null, page)).pipe(
    Stream.flatMap(Stream.fromIterable),
    Stream.flatMap((record) => {
      const related = pages((page: ByKey) => snapshot.related(workspace, record.object.key, page))
      const items = Stream.mapEffect(related, (page) => joined(turns, page, relatedDocument))
      return withItems(objectDocument(record), "relationships", items)
    }),
  )

/** Exports segments, each with its people. */
export const segmentLines = ({ snapshot, turns, workspace }: ExportSource): Pieces =>
  pages((page: ByKey) => snapshot.segments(workspace, page)).pipe(
    Stream.flatMap(Stream.fromIterable),
    Stream.flatMap((record) => {
      const members = pages((page: ByKey) => snapshot.members(workspace, record.segment.key, page))
      const items = Stream.mapEffect(members, (page) => joined(turns, page, memberDocument))
      return withItems(segmentDocument(record), "members", items)
    }),
  )

const memberDocument = ({ person }: PersonRecord) => ({
  svc_id: svcIdText(person.workspace, person.key),
  id: person.id,
  email: person.email,
})

/** Exports the entries that were received in a period and that meet a condition, in the order of the log. */
const entryLines = (
  { brand, snapshot, turns, workspace }: ExportSource,
  { since, until }: Period,
  isWanted: (record: ActivityRecord) => boolean,
): Pieces =>
  Stream.unwrap(
    Effect.map(firstReceivedSince(snapshot, workspace, since), (after) =>
      pages((page) => snapshot.activity(workspace, noFilter, page), after).pipe(
        // Receipt times ascend in the log of a workspace. Therefore the export ends with the page that reaches the end
        // of the period.
        Stream.takeUntil((records) => (records.at(-1)?.entry.receivedAt ?? 0) >= until),
        Stream.map((records) =>
          records.filter((record) => record.entry.receivedAt < until && isWanted(record)),
        ),
        Stream.mapEffect((records) => written(turns, records, (record) => activityDocument(record, brand))),
      ),
    ),
  )

export const activityLines = (source: ExportSource, period: Period): Pieces =>
  entryLines(source, period, () => true)

/**
 * Exports the events that took effect, and the events that are stored until a person receives their identifier. Leaves
 * out duplicates and refused events.
 */
export const eventLines = (source: ExportSource, period: Period): Pieces =>
  entryLines(source, period, isStoredEvent)

const isStoredEvent = ({ entry: { kind, outcome } }: ActivityRecord) =>
  isEventKind(kind) && isPermanent(kind, outcome)

/**
 * Reads a list to its end, one page at a time. Reads the next page only after the client has received the previous
 * page.
 */
export const pages = <Item, Cursor>(
  read: (page: PageRequest<Cursor>) => Effect.Effect<Page<Item, Cursor>, StoreUnavailable>,
  from: Cursor | null = null,
): Stream.Stream<ReadonlyArray<Item>, StoreUnavailable> =>
  Stream.paginate(from, (after) =>
    Effect.map(read({ limit: pageItems, after, order: "asc" }), ({ items, next }) => [
      [items],
      next === null ? Option.none() : Option.some(next),
    ]),
  )

/** Converts each item to a line of JSON. */
export const written = <Item>(
  turns: ReadTurns,
  items: ReadonlyArray<Item>,
  documentOf: (item: Item) => unknown,
): Effect.Effect<Piece, StoreUnavailable> =>
  Effect.map(
    turns.work(() => jsonTexts(items, documentOf)),
    (lines) => ({ text: lines.map((line) => `${line}\n`).join(""), lines: lines.length }),
  )

const joined = <Item>(
  turns: ReadTurns,
  items: ReadonlyArray<Item>,
  documentOf: (item: Item) => unknown,
): Effect.Effect<string, StoreUnavailable> =>
  Effect.map(
    turns.work(() => jsonTexts(items, documentOf)),
    (all) => all.join(","),
  )

/**
 * Writes a document on one line. The document ends with a list of any length, and memory never holds the whole list.
 */
const withItems = (
  document: object,
  name: string,
  items: Stream.Stream<string, StoreUnavailable>,
): Pieces => {
  const head = `${JSON.stringify(document).slice(0, -1)},"${name}":[`
  const present = Stream.filter(items, (text) => text !== "")
  const separated = Stream.map(Stream.zipWithIndex(present), ([text, index]) =>
    index === 0 ? text : `,${text}`,
  )
  return Stream.make(head).pipe(
    Stream.concat(separated),
    Stream.map((text): Piece => ({ text, lines: 0 })),
    Stream.concat(Stream.succeed({ text: "]}\n", lines: 1 })),
  )
}
