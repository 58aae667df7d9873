import type { JsonObject } from "@inlethq/core/values/Json"

/** What the OpenAPI document says about a call. */
export interface CallText {
  readonly id: string
  readonly summary: string
  readonly required?: ReadonlyArray<string>
  readonly query?: ReadonlyArray<string>
  /** An example of the body. */
  readonly body?: JsonObject
}

const page = ["start", "limit"]
const period = ["start_ts", "end_ts"]
const activity = ["type", "name"]
const sources = [
  "type",
  "metric",
  "campaign_id",
  "newsletter_id",
  "action_id",
  "transactional_id",
  "content_id",
]

const filter: JsonObject = {
  and: [{ segment: { id: 3 } }, { not: { attribute: { field: "plan", operator: "eq", value: "free" } } }],
}

/** The calls of the App API by method and path. */
export const callTexts: Readonly<Record<string, CallText>> = {
  "GET /v1/customers": {
    id: "getCustomersByEmail",
    summary: "Find people by email",
    required: ["email"],
  },
  "POST /v1/customers": {
    id: "searchCustomers",
    summary: "Find the people for whom a filter holds",
    query: page,
    body: { filter },
  },
  "POST /v1/customers/attributes": {
    id: "getAttributesOfCustomers",
    summary: "Get attributes and devices of up to 100 people",
    query: ["id_type"],
    body: { ids: ["ada", "bob"] },
  },
  "GET /v1/customers/{customer_id}/attributes": {
    id: "getCustomerAttributes",
    summary: "Get the attributes and devices of a person",
    query: ["id_type"],
  },
  "GET /v1/customers/{customer_id}/segments": {
    id: "getCustomerSegments",
    summary: "List the segments of a person",
    query: ["id_type"],
  },
  "GET /v1/customers/{customer_id}/relationships": {
    id: "getCustomerRelationships",
    summary: "List the objects that a person is related to",
    query: ["id_type", ...page],
  },
  "GET /v1/customers/{customer_id}/messages": {
    id: "getCustomerMessages",
    summary: "List the messages to a person, newest first",
    query: ["id_type", ...page, ...period],
  },
  "GET /v1/customers/{customer_id}/activities": {
    id: "getCustomerActivities",
    summary: "List what happened to a person, newest first",
    query: ["id_type", ...page, ...activity],
  },
  "GET /v1/customers/{customer_id}/subscription_preferences": {
    id: "getCustomerSubscriptionPreferences",
    summary: "Get the subscription preferences of a person",
    query: ["id_type"],
  },
  "GET /v1/activities": {
    id: "listActivities",
    summary: "List what happened in the workspace, newest first",
    query: [...page, ...activity, "customer_id", "id_type", "deleted"],
  },
  "GET /v1/messages": {
    id: "listMessages",
    summary: "List messages, newest first",
    query: [...page, ...period, ...sources],
  },
  "GET /v1/messages/{message_id}": { id: "getMessage", summary: "Get a message" },
  "GET /v1/segments": { id: "listSegments", summary: "List the segments, newest first" },
  "POST /v1/segments": {
    id: "createSegment",
    summary: "Create a manual segment",
    body: { segment: { name: "Beta", description: "People who try the beta" } },
  },
  "GET /v1/segments/{segment_id}": { id: "getSegment", summary: "Get a segment" },
  "DELETE /v1/segments/{segment_id}": { id: "deleteSegment", summary: "Delete a manual segment" },
  "GET /v1/segments/{segment_id}/customer_count": {
    id: "getSegmentCustomerCount",
    summary: "Count the people in a segment",
  },
  "GET /v1/segments/{segment_id}/membership": {
    id: "getSegmentMembership",
    summary: "List the people in a segment",
    query: page,
  },
  "GET /v1/segments/{segment_id}/used_by": {
    id: "getSegmentUsedBy",
    summary: "List what uses a segment, which is nothing in Inlet",
  },
  "GET /v1/exports": { id: "listExports", summary: "List exports, newest first" },
  "POST /v1/exports/customers": {
    id: "exportCustomers",
    summary: "Export the people for whom a filter holds",
    body: { filters: filter },
  },
  "POST /v1/exports/deliveries": {
    id: "exportDeliveries",
    summary: "Export the deliveries of a source",
    body: { newsletter_id: 3 },
  },
  "GET /v1/exports/{export_id}": { id: "getExport", summary: "Get an export" },
  "GET /v1/exports/{export_id}/download": {
    id: "downloadExport",
    summary: "Get a link to the file of an export",
  },
  "GET /v1/object_types": { id: "listObjectTypes", summary: "List the types of objects" },
  "POST /v1/objects": {
    id: "findObjects",
    summary: "Find the objects of a type for which a filter holds",
    query: page,
    body: {
      object_type_id: "1",
      filter: { object_attribute: { field: "plan", operator: "exists", type_id: "1" } },
    },
  },
  "GET /v1/objects/{object_type_id}/{object_id}/attributes": {
    id: "getObjectAttributes",
    summary: "Get the attributes of an object",
    query: ["id_type"],
  },
  "GET /v1/objects/{object_type_id}/{object_id}/relationships": {
    id: "getObjectRelationships",
    summary: "List the people related to an object",
    query: ["id_type", ...page],
  },
}
