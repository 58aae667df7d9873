import type { DeliveryRecord } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { RuleTrial } from "@inlethq/core/rule/RuleTrial"
import { DeliveryMetric } from "@inlethq/core/state/Delivery"
import { patchPerson, type Person } from "@inlethq/core/state/Person"
import { svcIdText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import type { Page } from "@inlethq/core/values/Page"
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

/** A row, and the person whom it is about. */
export interface ExportRow {
  readonly cells: ReadonlyArray<string>
  readonly person: SubjectKey | null
}

/** Gets some rows of an export at a time. */
export type Visit = (rows: ReadonlyArray<ExportRow>) => Effect.Effect<void, StoreUnavailable>

/** Returns cells as a line of CSV (RFC 4180). */
export const csvLine = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`

const peopleColumns = ["id", "email", "cio_id", "created_at"] as const

const attributesOf = (person: Person): Readonly<Record<string, Json>> => {
  const { customer } = customerDocument({ person })
  return Object(Object(customer).attributes)
}

/** Calls `visit` with the people of an export, some at a time. */
const eachPerson = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  job: ExportJob,
  visit: (people: ReadonlyArray<Person>) => Effect.Effect<void, StoreUnavailable>,
) {
  const now = yield* Clock.currentTimeMillis
  const trial = new RuleTrial(yield* customerFilter(job.filters ?? undefined, "filters"))
  for (let after: SubjectKey | null = null; ;) {
    const page: Page<{ readonly person: Person; readonly segments: ReadonlyArray<SubjectKey> }, SubjectKey> =
      yield* snapshot.people(workspace, null, { after, limit: perRead, order: "asc" })
    const found = page.items.flatMap(({ person, segments }) =>
      trial.holds({ person: patchPerson(person, { segments }), subjects: new Map(), entries: [] }, now)
        ? [person]
        : [],
    )
    yield* visit(found)
    after = page.next
    if (after === null) return
    yield* Effect.yieldNow
  }
})

/** Reads the rows of an export of people. Without a choice of attributes, a first pass finds out which there are. */
export const exportPeople = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  job: ExportJob,
  begin: (columns: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>,
  visit: Visit,
): Effect.fn.Return<void, StoreUnavailable | AppRefused> {
  const names = new Set<string>(job.attributes ?? [])
  if (job.attributes === null) {
    yield* eachPerson(snapshot, workspace, job, (people) =>
      Effect.sync(() => {
        for (const person of people) {
          for (const name of Object.keys(attributesOf(person))) {
            if (names.size < exportColumnsMax) names.add(name)
          }
        }
      }),
    )
  }
  for (const name of peopleColumns) names.delete(name)
  const columns = [...peopleColumns, ...[...names].toSorted()]
  yield* begin(columns)
  yield* eachPerson(snapshot, workspace, job, (people) =>
    visit(
      people.map((person) => {
        const attributes = attributesOf(person)
        return { cells: columns.map((name) => asText(attributes[name] ?? "")), person: person.key }
      }),
    ),
  )
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
  snapshot: Snapshot,
  workspace: WorkspaceId,
  job: ExportJob,
  begin: (columns: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>,
  visit: Visit,
): Effect.fn.Return<void, StoreUnavailable> {
  const wanted = job.deliveries
  const attributes = job.attributes ?? []
  yield* begin([...deliveryColumns, ...attributes])
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
    yield* visit(page.items.filter(isWanted).map((record) => deliveryRow(record, attributes)))
    after = page.next
    if (after === null) return
    yield* Effect.yieldNow
  }
})

const deliveryRow = ({ delivery, person }: DeliveryRecord, attributes: ReadonlyArray<string>): ExportRow => {
  const known = person === null ? {} : attributesOf(person)
  const at = (name: DeliveryMetric) => {
    const reported = delivery.metrics.get(name)
    return reported === undefined ? "" : String(seconds(reported.firstAt))
  }
  return {
    person: person?.key ?? null,
    cells: [
      delivery.deliveryId,
      messageType(delivery.channel),
      person?.id ?? "",
      person?.email ?? "",
      person === null ? "" : svcIdText(person.workspace, person.key),
      delivery.recipient ?? "",
      delivery.subject ?? "",
      String(seconds(delivery.createdAt)),
      ...DeliveryMetric.literals.map(at),
      ...attributes.map((name) => asText(known[name] ?? "")),
    ],
  }
}
