import type { DeliveryRecord } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { RuleTrial } from "@inlethq/core/rule/RuleTrial"
import { DeliveryMetric } from "@inlethq/core/state/Delivery"
import { patchPerson, type Person } from "@inlethq/core/state/Person"
import { svcIdText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import type { Page } from "@inlethq/core/values/Page"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Clock, Effect } from "effect"
import type { AppRefused } from "./AppAnswer.ts"
import { asText, customerDocument, seconds } from "./customerDocuments.ts"
import { customerFilter } from "./customerFilter.ts"
import type { ExportJob } from "./ExportJob.ts"
import { messageType } from "./messages.ts"

/** The people or deliveries in one read of an export. */
const perRead = 100

/** The most attributes that are columns of an export. */
export const exportColumnsMax = 1000

/** What an export is read with. Rows are made in turns with other reads, one row a slice. */
interface Reading {
  readonly snapshot: Snapshot
  readonly turns: ReadTurns
  readonly workspace: WorkspaceId
  readonly job: ExportJob
}

/** A row as a line of CSV, and the person whom it is about. */
interface ExportRow {
  readonly line: string
  readonly person: SubjectKey | null
}

/** Gets some rows of an export at a time. */
export type Visit = (rows: ReadonlyArray<ExportRow>) => Effect.Effect<void, StoreUnavailable>

/** Begins an export with its first line. */
type Begin = (line: string) => Effect.Effect<void, StoreUnavailable>

/** Returns cells as a line of CSV (RFC 4180). */
const csvLine = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`

const peopleColumns = ["id", "email", "cio_id", "created_at"] as const

/** Returns the attributes of a person by their names, which may be those of properties that every object has. */
const attributesOf = (person: Person): ReadonlyMap<string, Json> => {
  const { customer } = customerDocument({ person })
  return new Map(Object.entries<Json>(Object(Object(customer).attributes)))
}

const cellOf = (attributes: ReadonlyMap<string, Json>, name: string): string =>
  asText(attributes.get(name) ?? "")

/** Returns what `of` makes of each item that it wants. Other work runs between two items. */
const eachOf = <Item, Made>(
  turns: ReadTurns,
  items: ReadonlyArray<Item>,
  of: (item: Item) => Made | undefined,
): Effect.Effect<ReadonlyArray<Made>, StoreUnavailable> =>
  turns.work(function* () {
    const made: Array<Made> = []
    for (const item of items) {
      const one = of(item)
      if (one !== undefined) made.push(one)
      yield
    }
    return made
  })

/** Calls `visit` with what `of` makes of the people of an export, some at a time. */
const eachPerson = Effect.fnUntraced(function* <Made>(
  { job, snapshot, turns, workspace }: Reading,
  of: (person: Person) => Made | undefined,
  visit: (made: ReadonlyArray<Made>) => Effect.Effect<void, StoreUnavailable>,
): Effect.fn.Return<void, StoreUnavailable | AppRefused> {
  const now = yield* Clock.currentTimeMillis
  const trial = new RuleTrial(yield* customerFilter(job.filters ?? undefined, "filters"))
  for (let after: SubjectKey | null = null; ;) {
    const page: Page<{ readonly person: Person; readonly segments: ReadonlyArray<SubjectKey> }, SubjectKey> =
      yield* snapshot.people(workspace, null, { after, limit: perRead, order: "asc" })
    const made = yield* eachOf(turns, page.items, ({ person, segments }) =>
      trial.holds({ person: patchPerson(person, { segments }), subjects: new Map(), entries: [] }, now)
        ? of(person)
        : undefined,
    )
    yield* visit(made)
    after = page.next
    if (after === null) return
  }
})

/** Reads the rows of an export of people. Without a choice of attributes, a first pass finds out which there are. */
export const exportPeople = Effect.fnUntraced(function* (
  reading: Reading,
  begin: Begin,
  visit: Visit,
): Effect.fn.Return<void, StoreUnavailable | AppRefused> {
  const { attributes: wanted } = reading.job
  const names = new Set<string>(wanted ?? [])
  if (wanted === null) {
    const addNames = (person: Person) => {
      for (const name of attributesOf(person).keys()) if (names.size < exportColumnsMax) names.add(name)
      return undefined
    }
    yield* eachPerson(reading, addNames, () => Effect.void)
  }
  for (const name of peopleColumns) names.delete(name)
  const columns = [...peopleColumns, ...[...names].toSorted()]
  yield* begin(csvLine(columns))
  const rowOf = (person: Person): ExportRow => {
    const attributes = attributesOf(person)
    return { line: csvLine(columns.map((name) => cellOf(attributes, name))), person: person.key }
  }
  yield* eachPerson(reading, rowOf, visit)
})

const deliveryColumns = [
  "delivery_id",
  "type",
  "customer_id",
  "email",
  "cio_id",
  "recipient",
  "subject",
  "created",
  ...DeliveryMetric.literals,
] as const

/** Reads the rows of an export of deliveries, oldest first. */
export const exportDeliveries = Effect.fnUntraced(function* (
  { job, snapshot, turns, workspace }: Reading,
  begin: Begin,
  visit: Visit,
): Effect.fn.Return<void, StoreUnavailable> {
  const wanted = job.deliveries
  const attributes = job.attributes ?? []
  yield* begin(csvLine([...deliveryColumns, ...attributes]))
  if (wanted === null) return
  const { from, metric, source, to } = wanted
  const isWanted = ({ delivery }: DeliveryRecord): boolean =>
    String(delivery.sources.get(source[0]) ?? "") === source[1] &&
    delivery.createdAt >= from &&
    (to === null || delivery.createdAt <= to) &&
    (metric === null ||
      metric === "created" ||
      [...delivery.metrics.keys()].some((known) => known === metric))
  for (let after: SubjectKey | null = null; ;) {
    const page: Page<DeliveryRecord, SubjectKey> = yield* snapshot.deliveries(workspace, {
      after,
      limit: perRead,
      order: "asc",
    })
    const rows = yield* eachOf(turns, page.items, (record) =>
      isWanted(record) ? deliveryRow(record, attributes) : undefined,
    )
    yield* visit(rows)
    after = page.next
    if (after === null) return
  }
})

const deliveryRow = ({ delivery, person }: DeliveryRecord, attributes: ReadonlyArray<string>): ExportRow => {
  const known = person === null ? new Map<string, Json>() : attributesOf(person)
  const at = (name: DeliveryMetric) => {
    const reported = delivery.metrics.get(name)
    return reported === undefined ? "" : String(seconds(reported.firstAt))
  }
  return {
    person: person?.key ?? null,
    line: csvLine([
      delivery.deliveryId,
      messageType(delivery.channel),
      person?.id ?? "",
      person?.email ?? "",
      person === null ? "" : svcIdText(person.workspace, person.key),
      delivery.recipient ?? "",
      delivery.subject ?? "",
      String(seconds(delivery.createdAt)),
      ...DeliveryMetric.literals.map(at),
      ...attributes.map((name) => cellOf(known, name)),
    ]),
  }
}
