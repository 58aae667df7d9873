import type { Catalog } from "@inlet/core/catalog/Catalog"
import { countActivity } from "./counts.ts"
import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import {
  deliveryText,
  identifierText,
  type Identifier,
  type WorkspaceId,
} from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer } from "@inlet/storage/columns"
import { workspaceId } from "@inlet/storage/ids"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"
import { indexedText } from "../tables/indexedText.ts"
import { followActivity, readActivity, readErased, readOperation } from "./activity.ts"
import { readDeliveries, readDelivery } from "./deliveries.ts"
import { readForm, readForms } from "./forms.ts"
import { readObject, readObjects, readRelated } from "./objects.ts"
import { readPeople, readPersonByIdentifier, readPersonRecord } from "./people.ts"
import { makeRead, type Read } from "./Read.ts"
import { readSearch } from "./search.ts"
import { readMembers, readSegment, readSegments } from "./segments.ts"

/** The methods of a database that the catalog uses. */
export type Reading = Pick<Database["Service"], "read" | "query">

/** Makes the catalog, the read interface for operators. The schemas in `packages/core` decode each row. */
export const makeCatalog = (database: Reading, digest: Digest["Service"]): Catalog["Service"] => {
  const read = makeRead(database)
  return {
    person: (workspace, key) => readPersonRecord(read("a person"), workspace, key),
    personByIdentifier: (workspace, identifier) =>
      readPersonByIdentifier(read("a person"), workspace, identifier),
    people: (workspace, prefix, page) => readPeople(read("people"), workspace, prefix, page),
    search: (workspace, search) => readSearch(read("a search"), workspace, search),
    object: (workspace, typeId, objectId) => readObject(read("an object"), workspace, typeId, objectId),
    objects: (workspace, typeId, page) => readObjects(read("objects"), workspace, typeId, page),
    related: (workspace, key, page) => readRelated(read("the people of an object"), workspace, key, page),
    segment: (workspace, key) => readSegment(read("a segment"), workspace, key),
    segments: (workspace, page) => readSegments(read("segments"), workspace, page),
    members: (workspace, key, page) => readMembers(read("the people in a segment"), workspace, key, page),
    form: (workspace, formId) => readForm(read("a form"), workspace, formId),
    forms: (workspace, page) => readForms(read("forms"), workspace, page),
    delivery: (workspace, deliveryId) => readDelivery(read("a delivery"), digest, workspace, deliveryId),
    deliveries: (workspace, page) => readDeliveries(read("deliveries"), digest, workspace, page),
    workspacesOfDelivery: (deliveryId) => workspacesOfDelivery(database, deliveryId),
    isSuppressed: (workspace, identifier) =>
      isSuppressed(read("what is suppressed"), digest, workspace, identifier),
    activity: (workspace, filter, page) => readActivity(read("activity"), digest, workspace, filter, page),
    counts: (workspace, steps) => countActivity(read("activity"), workspace, steps),
    follow: (workspace, filter, after) => followActivity(read("activity"), digest, workspace, filter, after),
    operation: (workspace, sequence) => readOperation(read("activity"), digest, workspace, sequence),
    erasedAmong: (workspace, sequences) => readErased(read("activity"), digest, workspace, sequences),
  }
}

/** The query looks the delivery up in each workspace, because the index begins with the workspace. */
const workspacesSql = `
  SELECT heads.workspace FROM heads
  CROSS JOIN LATERAL (
    SELECT subject FROM identifiers WHERE identifiers.workspace = heads.workspace AND text = $1 OFFSET 0
  ) AS found
  JOIN subjects ON subjects.workspace = heads.workspace AND subjects.key = found.subject
  WHERE subjects.state = ${stateCodes.delivery} ORDER BY heads.workspace`

/**
 * Ingestion calls this function, so this function must not wait behind the reads of operators. All other functions of
 * the catalog may wait.
 */
const workspacesOfDelivery = (
  database: Reading,
  deliveryId: string,
): Effect.Effect<ReadonlyArray<WorkspaceId>, StoreUnavailable> =>
  Effect.map(
    database.query("read a delivery", workspacesSql, [indexedText(deliveryText(deliveryId))]),
    (rows) => rows.map((row) => workspaceId(integer(row["workspace"]))),
  )

const suppressedSql = "SELECT EXISTS (SELECT FROM suppressions WHERE workspace = $1 AND digest = $2) AS found"

const isSuppressed = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  { kind, value }: Identifier,
): Effect.Effect<boolean, StoreUnavailable> => {
  const digested = digestsOf(digest, workspace)(identifierText(kind, value))
  return Effect.map(
    read((connection) => connection.query(suppressedSql, [workspace, digested])),
    ([row]) => row?.["found"] === true,
  )
}
