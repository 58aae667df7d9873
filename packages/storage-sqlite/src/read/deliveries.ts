import { Delivery } from "@inlet/core/state/Delivery"
import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import type { DeliveryRecord } from "@inlet/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlet/core/values/Page"
import { addressesAmong, withoutErasedAddress } from "@inlet/core/decision/erasure"
import { deliveryText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { Person } from "@inlet/core/state/Person"
import type { Slices } from "@inlet/core/Slices"
import type { Subject } from "@inlet/core/state/Subject"
import { Option, Schema } from "effect"
import { readErasedAddresses } from "./erasedAddresses.ts"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { sqlWorkspace } from "../engine/rowIds.ts"
import { pageOf, findByText, walkListed } from "./paging.ts"
import { fitPage } from "@inlet/storage/pageBudget"
import { readSizes, subjectsInSlices } from "./subjectSizes.ts"
import { readSubjects } from "./subjects.ts"
import { toStored } from "@inlet/storage/storedText"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { workspaceId } from "@inlet/storage/ids"

const decodeDelivery = Schema.decodeUnknownSync(Delivery)

const decodePerson = Schema.decodeUnknownSync(Person)

const personIn = (subject: Subject) => (subject._tag === "Person" ? decodePerson(subject) : undefined)

const deliveryOf = (row: Row): Delivery => decodeDelivery(subjectFromRow(row))

/** Reads the delivery with an id. */
export const readDelivery = (database: Database, digest: Digest["Service"]) => {
  const find = findByText(database, stateCodes.delivery)
  const records = deliveryRecords(database, digest)
  return function* (workspace: WorkspaceId, deliveryId: string): Slices<Option.Option<DeliveryRecord>> {
    const row = Option.getOrUndefined(find(workspace, deliveryText(deliveryId)))
    if (row === undefined) return Option.none()
    const { items } = yield* records(workspace, { items: [deliveryOf(row)], next: null })
    return Option.fromUndefinedOr(items[0])
  }
}

/** Lists deliveries in the order of their keys. */
export const readDeliveries = (database: Database, digest: Digest["Service"]) => {
  const walk = walkListed(database, stateCodes.delivery)
  const records = deliveryRecords(database, digest)
  return function* (
    workspace: WorkspaceId,
    page: PageRequest<SubjectKey>,
  ): Slices<Page<DeliveryRecord, SubjectKey>> {
    return yield* records(workspace, yield* pageOf((part) => walk(workspace, part), page, deliveryOf))
  }
}

/** Returns the workspaces that have a delivery with the given id. */
export const readWorkspacesOfDelivery = (database: Database) => {
  const statement = database.prepare(
    `SELECT DISTINCT ${sqlWorkspace("id")} AS workspace FROM subjects WHERE state = ${stateCodes.delivery} AND name = ? ORDER BY workspace`,
  )
  return (deliveryId: string): ReadonlyArray<WorkspaceId> =>
    statement.all(toStored(deliveryId)).map((row) => workspaceId(integer(row["workspace"])))
}

/**
 * Adds to each delivery the person who received it, in a few statements. Ends the page when its size limit is reached.
 */
const deliveryRecords = (database: Database, digest: Digest["Service"]) => {
  const sizesOf = readSizes(database)
  const subjectsOf = readSubjects(database)
  const erased = readErasedAddresses(database)
  const withoutErased = (
    workspace: WorkspaceId,
    deliveries: ReadonlyArray<Delivery>,
  ): ReadonlyArray<Delivery> => {
    if (!erased.any(workspace)) return deliveries
    const digestOf = digestsOf(digest, workspace)
    const erasedAddresses = erased.among(workspace, addressesAmong(digestOf, [], deliveries))
    return deliveries.map((one) => withoutErasedAddress({ digest: digestOf, erasedAddresses }, one))
  }

  return function* (
    workspace: WorkspaceId,
    { items: found, next: after }: Page<Delivery, SubjectKey>,
  ): Slices<Page<DeliveryRecord, SubjectKey>> {
    const page = { items: withoutErased(workspace, found), next: after }
    const recipients = sizesOf(
      workspace,
      new Set(page.items.flatMap(({ person }) => (person === null ? [] : [person]))),
    )
    const owners = sizesOf(
      workspace,
      new Set([...recipients.values()].flatMap(({ owner }) => (owner === null ? [] : [owner]))),
    )
    const sizes = new Map([...recipients, ...owners].filter(([, { state }]) => state === stateCodes.person))
    const recipientNow = ({ person }: Delivery): ReadonlyArray<SubjectKey> =>
      person === null ? [] : [recipients.get(person)?.owner ?? person]
    const { items, next } = fitPage(page, recipientNow, sizes)
    const named = new Set(items.flatMap((item) => item.named))
    const people = yield* subjectsInSlices(subjectsOf, workspace, named, sizes, personIn)
    const records = items.map(({ item: delivery, named: [key] }) => {
      const person = key === undefined ? null : (people.get(key) ?? null)
      return delivery.person !== null && person === null
        ? { delivery: { ...delivery, recipient: null, subject: null }, person }
        : { delivery, person }
    })
    return { items: records, next }
  }
}
