import type { Digest } from "@inlet/core/Digest"
import type { Directory } from "@inlet/core/Directory"
import type { Database } from "./Database.ts"
import { attempt } from "./outage.ts"
import { readActivity, readOperation } from "./readActivity.ts"
import { readDeliveries, readDelivery, readWorkspacesOfDelivery } from "./readDeliveries.ts"
import { readForm, readForms } from "./readForms.ts"
import { readObject, readObjects } from "./readObjects.ts"
import { readPeople, readPersonRecord } from "./readPeople.ts"
import { readMembers, readSegment, readSegments } from "./readSegments.ts"
import { readIsSuppressed } from "./suppressions.ts"

type Reads<Name extends keyof Directory["Service"]> = Pick<Directory["Service"], Name>

/** What operators read: rows, each decoded by core's schemas. */
export const makeDirectory = (database: Database, digest: Digest["Service"]): Directory["Service"] => ({
  ...aboutPeople(database, digest),
  ...aboutObjectsAndSegments(database),
  ...aboutMessages(database, digest),
  ...aboutActivity(database, digest),
})

const aboutPeople = (
  database: Database,
  digest: Digest["Service"],
): Reads<"person" | "carrier" | "people" | "isSuppressed"> => {
  const { carrier, person } = readPersonRecord(database)
  const people = readPeople(database)
  const isSuppressed = readIsSuppressed(database, digest.of)
  return {
    person: (workspace, key) => attempt("read a person", () => person(workspace, key)),
    carrier: (workspace, identifier) => attempt("read a person", () => carrier(workspace, identifier)),
    people: (workspace, prefix, page) => attempt("read people", () => people(workspace, prefix, page)),
    isSuppressed: (workspace, identifier) =>
      attempt("read what is suppressed", () => isSuppressed(workspace, identifier)),
  }
}

const aboutObjectsAndSegments = (
  database: Database,
): Reads<"object" | "objects" | "segment" | "segments" | "members"> => {
  const object = readObject(database)
  const objects = readObjects(database)
  const segment = readSegment(database)
  const segments = readSegments(database)
  const members = readMembers(database)
  return {
    object: (workspace, typeId, objectId) =>
      attempt("read an object", () => object(workspace, typeId, objectId)),
    objects: (workspace, typeId, page) => attempt("read objects", () => objects(workspace, typeId, page)),
    segment: (workspace, key) => attempt("read a segment", () => segment(workspace, key)),
    segments: (workspace, page) => attempt("read segments", () => segments(workspace, page)),
    members: (workspace, key, page) =>
      attempt("read the people in a segment", () => members(workspace, key, page)),
  }
}

const aboutMessages = (
  database: Database,
  digest: Digest["Service"],
): Reads<"form" | "forms" | "delivery" | "deliveries" | "workspacesOfDelivery"> => {
  const form = readForm(database)
  const forms = readForms(database)
  const delivery = readDelivery(database, digest)
  const deliveries = readDeliveries(database, digest)
  const workspacesOf = readWorkspacesOfDelivery(database)
  return {
    form: (workspace, formId) => attempt("read a form", () => form(workspace, formId)),
    forms: (workspace, page) => attempt("read forms", () => forms(workspace, page)),
    delivery: (workspace, deliveryId) => attempt("read a delivery", () => delivery(workspace, deliveryId)),
    deliveries: (workspace, page) => attempt("read deliveries", () => deliveries(workspace, page)),
    workspacesOfDelivery: (deliveryId) => attempt("read a delivery", () => workspacesOf(deliveryId)),
  }
}

const aboutActivity = (database: Database, digest: Digest["Service"]): Reads<"activity" | "operation"> => {
  const activity = readActivity(database, digest)
  const operation = readOperation(database, digest)
  return {
    activity: (workspace, filter, page) => attempt("read activity", () => activity(workspace, filter, page)),
    operation: (workspace, sequence) => attempt("read activity", () => operation(workspace, sequence)),
  }
}
