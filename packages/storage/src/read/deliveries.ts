import type { DeliveryRecord } from "@inlethq/core/catalog/Catalog"
import { addressesAmong, withoutErasedAddress } from "@inlethq/core/decision/erasure"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Delivery } from "@inlethq/core/state/Delivery"
import { Person } from "@inlethq/core/state/Person"
import type { Subject } from "@inlethq/core/state/Subject"
import { deliveryText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect, Option, Schema } from "effect"
import { stateCodes } from "../columns/codes.ts"
import type { Row } from "../columns/columns.ts"
import { fitPage, type ItemWithNamed } from "../budgets/pageBudget.ts"
import { subjectFromRow } from "../rows/subjectRows.ts"
import type { Read, ReadQueries } from "./ReadQueries.ts"
import { readPage } from "./subjectPages.ts"
import { partsOf, subjectsInSlices } from "./subjectsInSlices.ts"

const decodeDelivery = Schema.decodeUnknownSync(Delivery)

const decodePerson = Schema.decodeUnknownSync(Person)

const personIn = (subject: Subject) => (subject._tag === "Person" ? decodePerson(subject) : undefined)

const deliveryOf = (row: Row): Delivery => decodeDelivery(subjectFromRow(row))

export const readDelivery = Effect.fnUntraced(function* (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  deliveryId: string,
): Effect.fn.Return<Option.Option<DeliveryRecord>, StoreUnavailable> {
  const found = yield* read((ask) => ask.byText(workspace, deliveryText(deliveryId), stateCodes.delivery))
  if (Option.isNone(found)) return Option.none()
  const page = { items: [deliveryOf(found.value)], next: null }
  const { items } = yield* deliveryRecords(read, digest, workspace, page)
  return Option.fromUndefinedOr(items[0])
})

/** Lists deliveries in the order of their keys. */
export const readDeliveries = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<DeliveryRecord, SubjectKey>, StoreUnavailable> =>
  Effect.flatMap(
    readPage(read, workspace, { _tag: "OfKind", state: stateCodes.delivery }, page, deliveryOf),
    (found) => deliveryRecords(read, digest, workspace, found),
  )

/** Lists the deliveries that name a recipient, in the order of their keys. Only deliveries are linked to people. */
export const readDeliveriesTo = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  target: SubjectKey,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<DeliveryRecord, SubjectKey>, StoreUnavailable> =>
  Effect.flatMap(readPage(read, workspace, { _tag: "LinkedTo", target }, page, deliveryOf), (found) =>
    deliveryRecords(read, digest, workspace, found),
  )

/** Adds to each delivery the person who received it. Ends the page when its size limit is reached. */
const deliveryRecords = Effect.fnUntraced(function* (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  page: Page<Delivery, SubjectKey>,
): Effect.fn.Return<Page<DeliveryRecord, SubjectKey>, StoreUnavailable> {
  if (page.items.length === 0) return { items: [], next: page.next }
  const { atOnce, fitted, sizes } = yield* read((ask) => recipientsAtOnce(ask, digest, workspace, page))
  const people = atOnce ?? (yield* subjectsInSlices(read, workspace, namedIn(fitted), sizes, personIn))
  const items = fitted.items.map(({ item: delivery, named: [key] }) => {
    const person = key === undefined ? null : (people.get(key) ?? null)
    return delivery.person !== null && person === null
      ? { delivery: { ...delivery, recipient: null, subject: null }, person }
      : { delivery, person }
  })
  return { items, next: fitted.next }
})

const namedIn = ({ items }: Page<ItemWithNamed<Delivery>, SubjectKey>): ReadonlySet<SubjectKey> =>
  new Set(items.flatMap(({ named }) => named))

/**
 * Returns the given deliveries without erased addresses, each with its recipient, or with the person into whom the
 * recipient was merged. Returns these people too if one slice is large enough for their documents.
 */
const recipientsAtOnce = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  { items: found, next }: Page<Delivery, SubjectKey>,
) {
  const items = yield* withoutErased(ask, digest, workspace, found)
  const recipients = yield* ask.sizes(
    workspace,
    new Set(items.flatMap(({ person }) => (person === null ? [] : [person]))),
  )
  const merged = [...recipients.values()].flatMap(({ owner }) => (owner === null ? [] : [owner]))
  const owners = yield* ask.sizes(workspace, new Set(merged))
  const sizes = new Map([...recipients, ...owners].filter(([, { state }]) => state === stateCodes.person))
  const recipientNow = ({ person }: Delivery): ReadonlyArray<SubjectKey> =>
    person === null ? [] : [recipients.get(person)?.owner ?? person]
  const fitted = fitPage({ items, next }, recipientNow, sizes)
  const named = namedIn(fitted)
  if (partsOf(named, sizes).length > 1) return { fitted, sizes, atOnce: undefined }
  const people = new Map<SubjectKey, Person>()
  for (const subject of yield* ask.subjects(workspace, named)) {
    const person = personIn(subject)
    if (person !== undefined) people.set(subject.key, person)
  }
  return { fitted, sizes, atOnce: people }
})

const withoutErased = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  deliveries: ReadonlyArray<Delivery>,
): Effect.fn.Return<ReadonlyArray<Delivery>, E> {
  if (!(yield* ask.hasErasedAddresses(workspace))) return deliveries
  const digestOf = digestsOf(digest, workspace)
  const erasedAddresses = yield* ask.erasedAddresses(workspace, addressesAmong(digestOf, [], deliveries))
  return deliveries.map((one) => withoutErasedAddress({ digest: digestOf, erasedAddresses }, one))
})
