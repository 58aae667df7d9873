import type { Catalog } from "@inlethq/core/catalog/Catalog"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import { identifierText } from "@inlethq/core/values/Identifier"
import { followActivity, readActivity, readErased, readOperation, type OpenScan } from "./activity.ts"
import { readCounts } from "./counts.ts"
import { readDeliveries, readDeliveriesTo, readDelivery } from "./deliveries.ts"
import { readEvidence } from "./evidence.ts"
import { readForm, readForms } from "./forms.ts"
import { readObject, readObjects, readObjectTypes, readRelated } from "./objects.ts"
import { readPeople, readPersonByIdentifier, readPersonRecord, readRecordOf } from "./people.ts"
import { readGone } from "./readGone.ts"
import { readOwners } from "./readOwners.ts"
import type { Reading } from "./ReadQueries.ts"
import { readSearch } from "./search.ts"
import { readMemberNames, readMembers, readSegment, readSegments } from "./segments.ts"

/** The reads that each database answers in its own way. */
export interface OwnReads extends Pick<Catalog["Service"], "workspacesOfDelivery"> {
  readonly openScan: OpenScan
}

/** Makes the catalog, the read interface for operators. */
export const makeCatalog = (
  reading: Reading,
  digest: Digest["Service"],
  { openScan, workspacesOfDelivery }: OwnReads,
): Catalog["Service"] => ({
  workspacesOfDelivery,
  counts: (workspace, steps) => reading("activity", (read) => readCounts(read, workspace, steps)),
  person: (workspace, key) => reading("a person", (read) => readPersonRecord(read, workspace, key)),
  personByIdentifier: (workspace, identifier) =>
    reading("a person", (read) => readPersonByIdentifier(read, workspace, identifier)),
  recordOf: (workspace, person) => reading("a person", (read) => readRecordOf(read, workspace, person)),
  people: (workspace, prefix, page) => reading("people", (read) => readPeople(read, workspace, prefix, page)),
  search: (workspace, search) => reading("a search", (read) => readSearch(read, digest, workspace, search)),
  object: (workspace, typeId, objectId) =>
    reading("an object", (read) => readObject(read, workspace, typeId, objectId)),
  objects: (workspace, typeId, page) =>
    reading("objects", (read) => readObjects(read, workspace, typeId, page)),
  objectTypes: (workspace) => reading("the types of objects", (read) => readObjectTypes(read, workspace)),
  related: (workspace, key, page) =>
    reading("the people of an object", (read) => readRelated(read, workspace, key, page)),
  segment: (workspace, key) => reading("a segment", (read) => readSegment(read, workspace, key)),
  segments: (workspace, page) => reading("segments", (read) => readSegments(read, workspace, page)),
  members: (workspace, key, page) =>
    reading("the people in a segment", (read) => readMembers(read, workspace, key, page)),
  memberNames: (workspace, key, page) =>
    reading("the people in a segment", (read) => readMemberNames(read, workspace, key, page)),
  form: (workspace, formId) => reading("a form", (read) => readForm(read, workspace, formId)),
  forms: (workspace, page) => reading("forms", (read) => readForms(read, workspace, page)),
  delivery: (workspace, deliveryId) =>
    reading("a delivery", (read) => readDelivery(read, digest, workspace, deliveryId)),
  deliveries: (workspace, page) =>
    reading("deliveries", (read) => readDeliveries(read, digest, workspace, page)),
  deliveriesTo: (workspace, recipient, page) =>
    reading("deliveries", (read) => readDeliveriesTo(read, digest, workspace, recipient, page)),
  isSuppressed: (workspace, { kind, value }) => {
    const digested = digestsOf(digest, workspace)(identifierText(kind, value))
    return reading("what is suppressed", (read) => read((ask) => ask.isSuppressed(workspace, digested)))
  },
  activity: (workspace, filter, page) =>
    reading("activity", (read) => readActivity(read, openScan, workspace, filter, page)),
  follow: (workspace, filter, after) =>
    reading("activity", (read) => followActivity(read, openScan, workspace, filter, after)),
  operation: (workspace, sequence) =>
    reading("activity", (read) => readOperation(read, digest, workspace, sequence)),
  prunedTo: (workspace) => reading("activity", (read) => read((ask) => ask.prunedTo(workspace))),
  goneAmong: (workspace, keys) => reading("people", (read) => readGone(read, workspace, keys)),
  ownersAmong: (workspace, keys) => reading("people", (read) => readOwners(read, workspace, keys)),
  evidence: (workspace, between, page) =>
    reading("the activity log", (read) => readEvidence(read, digest, workspace, between, page)),
  erasedAmong: (workspace, sequences) =>
    reading("activity", (read) => readErased(read, digest, workspace, sequences)),
})
