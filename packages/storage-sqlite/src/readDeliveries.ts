import { Delivery } from "@inlet/core/delivery/Delivery"
import type { DeliveryRecord, Page, PageRequest } from "@inlet/core/Directory"
import { deliveryText, type SubjectKey, type WorkspaceId } from "@inlet/core/Identifier"
import { Person } from "@inlet/core/person/Person"
import type { Subject } from "@inlet/core/Subject"
import { Option, Schema } from "effect"
import { stateCodes } from "./codes.ts"
import { integer, type Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { andOneMore, pageOf, readNamed, walkListed } from "./lists.ts"
import { readSubjects } from "./readSubjects.ts"
import { toStored } from "./storedText.ts"
import { subjectOf, workspaceId } from "./subjects.ts"

const decodeDelivery = Schema.decodeUnknownSync(Delivery)
const decodePerson = Schema.decodeUnknownSync(Person)

const deliveryOf = (row: Row): Delivery => decodeDelivery(subjectOf(row))

/** Reads the delivery with an id. */
export const readDelivery = (database: Database) => {
  const named = readNamed(database, stateCodes.delivery)
  const records = deliveryRecords(database)
  return (workspace: WorkspaceId, deliveryId: string): Option.Option<DeliveryRecord> =>
    database.read(() => {
      const row = Option.getOrUndefined(named(workspace, deliveryText(workspace, deliveryId)))
      return Option.fromUndefinedOr(row === undefined ? undefined : records([deliveryOf(row)])[0])
    })
}

/** Lists deliveries by key. */
export const readDeliveries = (database: Database) => {
  const walk = walkListed(database, stateCodes.delivery)
  const records = deliveryRecords(database)
  return (workspace: WorkspaceId, page: PageRequest<SubjectKey>): Page<DeliveryRecord, SubjectKey> =>
    database.read(() => {
      const { items, next } = pageOf(walk(workspace, andOneMore(page)).map(deliveryOf), page.limit)
      return { items: records(items), next }
    })
}

/** Reads which workspaces know a delivery. */
export const readWorkspacesOfDelivery = (database: Database) => {
  const statement = database.prepare(
    `SELECT DISTINCT workspace FROM subjects WHERE state = ${stateCodes.delivery} AND name = ? ORDER BY workspace`,
  )
  return (deliveryId: string): ReadonlyArray<WorkspaceId> =>
    statement.all(toStored(deliveryId)).map((row) => workspaceId(integer(row["workspace"])))
}

/** Puts deliveries together with whom they went to, in two statements. */
const deliveryRecords = (database: Database) => {
  const subjectsOf = readSubjects(database)
  const byKey = (keys: Iterable<SubjectKey>) =>
    new Map(subjectsOf(new Set(keys)).map((subject) => [subject.key, subject]))

  return (deliveries: ReadonlyArray<Delivery>): ReadonlyArray<DeliveryRecord> => {
    const sentTo = byKey(deliveries.flatMap(({ person }) => (person === null ? [] : [person])))
    const owners = byKey([...sentTo.values()].flatMap((one) => (one._tag === "Attached" ? [one.owner] : [])))
    return deliveries.map((delivery) => {
      if (delivery.person === null) return { delivery, person: null }
      const named = sentTo.get(delivery.person)
      const person = personOf(named?._tag === "Attached" ? owners.get(named.owner) : named)
      return person === null
        ? { delivery: { ...delivery, recipient: null, subject: null }, person }
        : { delivery, person }
    })
  }
}

const personOf = (subject: Subject | undefined): Person | null =>
  subject?._tag === "Person" ? decodePerson(subject) : null
