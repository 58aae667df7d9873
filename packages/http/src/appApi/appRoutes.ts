import { customerActivities, listActivities } from "./activities.ts"
import { Effect } from "effect"
import { refuse } from "./AppAnswer.ts"
import type { AppRoute } from "./AppCall.ts"
import { appTexts } from "./appTexts.ts"
import {
  attributesOfCustomers,
  customerAttributes,
  customerPreferences,
  customerRelationships,
  customersByEmail,
  customerSegments,
  searchCustomers,
} from "./customers.ts"
import { downloadExport, exportCustomers, exportMessages, getExport, listExports } from "./exports.ts"
import { customerMessages, getMessage, listMessages } from "./messages.ts"
import { findObjects, listObjectTypes, objectAttributes, objectRelationships } from "./objects.ts"
import {
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
  segmentCount,
  segmentMembership,
  segmentUses,
} from "./segments.ts"

const get = (path: string, endpoint: AppRoute["endpoint"]): AppRoute => ({
  method: "GET",
  path,
  scope: "read",
  endpoint,
})

/** A `POST` that only reads: its body is a filter or a list of ids. */
const ask = (path: string, endpoint: AppRoute["endpoint"]): AppRoute => ({
  ...get(path, endpoint),
  method: "POST",
})

const customer = "/v1/customers/*customer_id"
const segment = "/v1/segments/:segment_id"
const object = "/v1/objects/:object_type_id/*object_id"

/** The calls of the App API. Of two that match a path, the first counts. */
export const appRoutes: ReadonlyArray<AppRoute> = [
  get("/v1/customers", customersByEmail),
  ask("/v1/customers", searchCustomers),
  ask("/v1/customers/attributes", attributesOfCustomers),
  get(`${customer}/attributes`, customerAttributes),
  get(`${customer}/segments`, customerSegments),
  get(`${customer}/relationships`, customerRelationships),
  get(`${customer}/messages`, customerMessages),
  get(`${customer}/activities`, customerActivities),
  get(`${customer}/subscription_preferences`, customerPreferences),
  get("/v1/activities", listActivities),
  get("/v1/messages", listMessages),
  // Would otherwise be a message whose id ends so.
  get("/v1/messages/*message_id/archived_message", () => Effect.fail(refuse(404, appTexts.unknownPath()))),
  get("/v1/messages/*message_id", getMessage),
  get("/v1/segments", listSegments),
  { method: "POST", path: "/v1/segments", scope: "read+segments", endpoint: createSegment },
  get(segment, getSegment),
  { method: "DELETE", path: segment, scope: "read+segments", endpoint: deleteSegment },
  get(`${segment}/customer_count`, segmentCount),
  get(`${segment}/membership`, segmentMembership),
  get(`${segment}/used_by`, segmentUses),
  get("/v1/exports", listExports),
  ask("/v1/exports/customers", exportCustomers),
  ask("/v1/exports/deliveries", exportMessages),
  get("/v1/exports/:export_id", getExport),
  get("/v1/exports/:export_id/download", downloadExport),
  get("/v1/object_types", listObjectTypes),
  ask("/v1/objects", findObjects),
  get(`${object}/attributes`, objectAttributes),
  get(`${object}/relationships`, objectRelationships),
]
