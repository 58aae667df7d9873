import type { Digest } from "@inlet/core/ports/Digest"
import type { Catalog } from "@inlet/core/catalog/Catalog"
import type { ReadTurns } from "@inlet/engine/reads/ReadTurns"
import type { Slices } from "@inlet/core/Slices"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"
import type { Durability } from "../engine/Durability.ts"
import { readActivity, readErased, readOperation } from "./activity.ts"
import { readCounts } from "./counts.ts"
import { readDeliveries, readDelivery, readWorkspacesOfDelivery } from "./deliveries.ts"
import { readForm, readForms } from "./forms.ts"
import { readObject, readObjects, readRelated } from "./objects.ts"
import { readPeople, readPersonRecord } from "./people.ts"
import { readSearch } from "./search.ts"
import { readMembers, readSegment, readSegments } from "./segments.ts"
import { readIsSuppressed } from "./suppressions.ts"

type Reads<Name extends keyof Catalog["Service"]> = Pick<Catalog["Service"], Name>

/** Runs a read in slices (bounded parts). Each slice reads one consistent state of the database. */
type Read = <A>(what: string, slices: () => Slices<A>) => Effect.Effect<A, StoreUnavailable>

/** Decides whether reads may run, and when their results may be shown. */
export type ReadGuard = Pick<Durability, "attempt" | "untilDurable">

/** Makes the catalog, the read interface for operators. The schemas in `packages/core` decode each row. */
export const makeCatalog = (
  database: Database,
  digest: Digest["Service"],
  turns: ReadTurns,
  guard: ReadGuard = database.durability,
): Catalog["Service"] => {
  const read: Read = (what, slices) =>
    Effect.suspend(() => {
      const operation = `read ${what}`
      let untilDurable: Effect.Effect<void, StoreUnavailable> = Effect.void
      const slice = <A>(body: () => A) =>
        guard.attempt(operation, () => {
          const read = database.read(body)
          untilDurable = guard.untilDurable(operation)
          return read
        })
      return Effect.tap(turns.run(slices, slice), () => untilDurable)
    })
  return {
    ...peopleReads(database, digest, read),
    ...objectReads(database, read),
    ...messageReads(database, digest, read, guard),
    ...activityReads(database, digest, read),
  }
}

/** Wraps `read` as a computation with a single slice. For reads of a few rows. */
function* oneSlice<A>(read: () => A): Slices<A> {
  return read()
}

const peopleReads = (
  database: Database,
  digest: Digest["Service"],
  read: Read,
): Reads<"person" | "personByIdentifier" | "people" | "search" | "isSuppressed"> => {
  const { carrier, person } = readPersonRecord(database)
  const people = readPeople(database)
  const search = readSearch(database)
  const isSuppressed = readIsSuppressed(database, digest)
  return {
    person: (workspace, key) => read("a person", () => person(workspace, key)),
    personByIdentifier: (workspace, identifier) => read("a person", () => carrier(workspace, identifier)),
    people: (workspace, prefix, page) => read("people", () => people(workspace, prefix, page)),
    search: (workspace, wanted) => read("a search", () => search(workspace, wanted)),
    isSuppressed: (workspace, identifier) =>
      read("what is suppressed", () => oneSlice(() => isSuppressed(workspace, identifier))),
  }
}

const objectReads = (
  database: Database,
  read: Read,
): Reads<"object" | "objects" | "related" | "segment" | "segments" | "members"> => {
  const object = readObject(database)
  const objects = readObjects(database)
  const related = readRelated(database)
  const segment = readSegment(database)
  const segments = readSegments(database)
  const members = readMembers(database)
  return {
    object: (workspace, typeId, objectId) =>
      read("an object", () => oneSlice(() => object(workspace, typeId, objectId))),
    objects: (workspace, typeId, page) => read("objects", () => objects(workspace, typeId, page)),
    related: (workspace, key, page) => read("the people of an object", () => related(workspace, key, page)),
    segment: (workspace, key) => read("a segment", () => oneSlice(() => segment(workspace, key))),
    segments: (workspace, page) => read("segments", () => segments(workspace, page)),
    members: (workspace, key, page) => read("the people in a segment", () => members(workspace, key, page)),
  }
}

const messageReads = (
  database: Database,
  digest: Digest["Service"],
  read: Read,
  guard: ReadGuard,
): Reads<"form" | "forms" | "delivery" | "deliveries" | "workspacesOfDelivery"> => {
  const form = readForm(database)
  const forms = readForms(database)
  const delivery = readDelivery(database, digest)
  const deliveries = readDeliveries(database, digest)
  const workspacesOf = readWorkspacesOfDelivery(database)
  return {
    form: (workspace, formId) => read("a form", () => oneSlice(() => form(workspace, formId))),
    forms: (workspace, page) => read("forms", () => forms(workspace, page)),
    delivery: (workspace, deliveryId) => read("a delivery", () => delivery(workspace, deliveryId)),
    deliveries: (workspace, page) => read("deliveries", () => deliveries(workspace, page)),
    // Ingestion calls this method. Therefore this method, unlike the others, does not wait behind the reads of
    // operators.
    workspacesOfDelivery: (deliveryId) =>
      Effect.flatten(
        guard.attempt("read a delivery", () => {
          const found = workspacesOf(deliveryId)
          return Effect.as(guard.untilDurable("read a delivery"), found)
        }),
      ),
  }
}

const activityReads = (
  database: Database,
  digest: Digest["Service"],
  read: Read,
): Reads<"activity" | "counts" | "follow" | "operation" | "erasedAmong"> => {
  const { follow, page: pageOf } = readActivity(database, digest)
  const operation = readOperation(database, digest)
  const erased = readErased(database, digest)
  const counts = readCounts(database)
  return {
    activity: (workspace, filter, page) => read("activity", () => pageOf(workspace, filter, page)),
    counts: (workspace, steps) => read("activity", () => counts(workspace, steps)),
    follow: (workspace, filter, after) => read("activity", () => follow(workspace, filter, after)),
    operation: (workspace, sequence) =>
      read("activity", () => oneSlice(() => operation(workspace, sequence))),
    erasedAmong: (workspace, sequences) => read("activity", () => erased(workspace, sequences)),
  }
}
