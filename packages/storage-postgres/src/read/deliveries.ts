import type { DeliveryRecord } from "@inlet/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlet/core/values/Page"
import { addressesAmong, withoutErasedAddress } from "@inlet/core/decision/erasure"
import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Delivery } from "@inlet/core/state/Delivery"
import { Person } from "@inlet/core/state/Person"
import type { Subject } from "@inlet/core/state/Subject"
import { deliveryText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import type { Row } from "@inlet/storage/columns"
import { fitPage } from "@inlet/storage/pageBudget"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { Effect, Option, Schema } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { hasErasedAddresses, readErasedAddresses } from "./erasedAddresses.ts"
import { findByText, pageOf, walkListed } from "./paging.ts"
import type { Read } from "./Read.ts"
import { readSizes, subjectsInSlices } from "./subjectSizes.ts"

const decodeDelivery = Schema.decodeUnknownSync(Delivery)

const decodePerson = Schema.decodeUnknownSync(Person)

const personIn = (subject: Subject) => (subject._tag === "Person" ? decodePerson(subject) : undefined)

const deliveryOf = (row: Row): Delivery => decodeDelivery(subjectFromRow(row))

/** Reads the delivery with the given id. */
export const readDelivery = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  deliveryId: string,
): Effect.Effect<Option.Option<DeliveryRecord>, StoreUnavailable> =>
  Effect.gen(function* () {
    const found = yield* read((connection) =>
      findByText(connection, workspace, deliveryText(deliveryId), stateCodes.delivery),
    )
    if (Option.isNone(found)) return Option.none()
    const page = { items: [deliveryOf(found.value)], next: null }
    const { items } = yield* deliveryRecords(read, digest, workspace, page)
    return Option.fromUndefinedOr(items[0])
  })

const walkDeliveries = walkListed(stateCodes.delivery)

/** Lists deliveries in the order of their keys. */
export const readDeliveries = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<DeliveryRecord, SubjectKey>, StoreUnavailable> =>
  Effect.flatMap(pageOf(read, walkDeliveries, workspace, [], page, deliveryOf), (found) =>
    deliveryRecords(read, digest, workspace, found),
  )

/** Adds to each delivery the person who received it. Ends the page when its size limit is reached. */
const deliveryRecords = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  { items: found, next: after }: Page<Delivery, SubjectKey>,
): Effect.Effect<Page<DeliveryRecord, SubjectKey>, StoreUnavailable> =>
  Effect.gen(function* () {
    const { deliveries, owners, recipients } = yield* read((connection) =>
      recipientsOf(connection, digest, workspace, found),
    )
    const sizes = new Map([...recipients, ...owners].filter(([, { state }]) => state === stateCodes.person))
    const recipientNow = ({ person }: Delivery): ReadonlyArray<SubjectKey> =>
      person === null ? [] : [recipients.get(person)?.owner ?? person]
    const { items, next } = fitPage({ items: deliveries, next: after }, recipientNow, sizes)
    const named = new Set(items.flatMap((item) => item.named))
    const people = yield* subjectsInSlices(read, workspace, named, sizes, personIn)
    const records = items.map(({ item: delivery, named: [key] }) => {
      const person = key === undefined ? null : (people.get(key) ?? null)
      return delivery.person !== null && person === null
        ? { delivery: { ...delivery, recipient: null, subject: null }, person }
        : { delivery, person }
    })
    return { items: records, next }
  })

/**
 * Returns the given deliveries without erased addresses, and the sizes of their recipients' documents. If a recipient
 * was merged, also returns the document size of the remaining person.
 */
const recipientsOf = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  found: ReadonlyArray<Delivery>,
) =>
  Effect.gen(function* () {
    const deliveries = yield* withoutErased(connection, digest, workspace, found)
    const people = deliveries.flatMap(({ person }) => (person === null ? [] : [person]))
    const recipients = yield* readSizes(connection, workspace, new Set(people))
    const merged = [...recipients.values()].flatMap(({ owner }) => (owner === null ? [] : [owner]))
    const owners = yield* readSizes(connection, workspace, new Set(merged))
    return { deliveries, recipients, owners }
  })

const withoutErased = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  deliveries: ReadonlyArray<Delivery>,
): Effect.Effect<ReadonlyArray<Delivery>, DatabaseError> =>
  Effect.gen(function* () {
    if (!(yield* hasErasedAddresses(connection, workspace))) return deliveries
    const digestOf = digestsOf(digest, workspace)
    const addresses = addressesAmong(digestOf, [], deliveries)
    const erasedAddresses = yield* readErasedAddresses(connection, workspace, addresses)
    return deliveries.map((one) => withoutErasedAddress({ digest: digestOf, erasedAddresses }, one))
  })
