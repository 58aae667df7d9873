import type { Value } from "./variants.ts"

/*
 * Valid bodies with every field that a document describes. The names of the fields in `data` of a form, and their
 * mapping, belong to the state of a form, so a test leaves them as they are.
 */

const objectNamed = { object_type_id: "1", object_id: "acme" }
const relationship = { identifiers: objectNamed, relationship_attributes: { role: "owner" } }
const event = { name: "purchase", id: "event-1", timestamp: 1_700_000_000, _timestamp: 1_700_000_000 }
const parties = { primary: { id: "ada" }, secondary: { email: "ada@example.org" } }

const customer = "/api/v1/customers/{identifier}"

/** Bodies of Track v1 by method and path. */
export const trackV1Bodies: Readonly<Record<string, ReadonlyArray<Value>>> = {
  [`put ${customer}`]: [
    {
      id: "ada",
      email: "ada@example.com",
      anonymous_id: "visitor",
      plan: "pro",
      created_at: 1_700_000_000,
      _timestamp: 1_700_000_000,
      _update: false,
      unsubscribed: false,
      cio_relationships: { action: "add_relationships", relationships: [relationship] },
    },
    { svc_relationships: { action: "delete_relationships", relationships: [relationship] } },
  ],
  [`put ${customer}/devices`]: [
    { device: { id: "t", platform: "ios", last_used: 1_700_000_000, attributes: { a: "b" }, color: "red" } },
  ],
  [`post ${customer}/events`]: [
    { ...event, type: "event", data: { a: 1 }, anonymous_id: "visitor" },
    { type: "page", data: { url: "https://example.com/" } },
  ],
  [`put ${customer}/events`]: [{ ...event, type: "screen" }],
  "post /api/v1/events": [{ ...event, type: "event", data: { a: 1 }, anonymous_id: "visitor" }],
  "post /api/v1/merge_customers": [
    parties,
    { primary: { id: "a", email: "a@b" }, secondary: { svc_id: "x" } },
  ],
  "post /api/v1/metrics": [
    {
      delivery_id: "d",
      metric: "clicked",
      timestamp: 1_700_000_000,
      recipient: "ada@example.com",
      reason: "none",
      href: "https://example.com/",
    },
  ],
  "post /api/v1/push/events": [
    { delivery_id: "d", event: "opened", device_id: "t", timestamp: 1_700_000_000 },
  ],
  "post /api/v1/forms/{form_id}/submit": [{ data: { email: "ada@example.com", topic: "x", form_name: "x" } }],
  "post /api/v1/segments/{segment_id}/add_customers": [{ ids: ["ada"] }],
  "post /api/v1/segments/{segment_id}/remove_customers": [{ ids: ["ada"] }],
  "post /unsubscribe": [{ delivery_id: "d", unsubscribe: true }],
  "post /unsubscribe/{delivery_id}": [{ unsubscribe: "False" }],
}

const caller = { identifiers: { id: "ada", email: "ada@example.com", cio_id: "x", anonymous_id: "visitor" } }
const person = (action: string, fields: object = {}) => ({ type: "person", action, ...caller, ...fields })
const object = (action: string, fields: object = {}) => ({
  type: "object",
  action,
  identifiers: objectNamed,
  ...fields,
})
const people = [{ identifiers: { id: "ada" }, relationship_attributes: { role: "owner" } }]
const visitors = [{ identifiers: { anonymous_id: "visitor" } }]
const device = { token: "t", platform: "ios", last_used: 1_700_000_000, attributes: { _last_status: "sent" } }

/** Items of Track v2, at least one for each type and action. */
export const trackV2Items = [
  person("identify", { attributes: { plan: "pro" }, svc_relationships: [relationship], _update: false }),
  { type: "person", action: "identify", anonymous_id: "visitor" },
  person("identify", { attributes: { svc_relationships: [relationship] } }),
  person("delete"),
  person("event", { ...event, attributes: { a: 1 } }),
  person("page", { attributes: { title: "Home" } }),
  person("screen", { name: "Home", data: { a: 1 } }),
  person("viewed_content", { attributes: { a: 1 } }),
  person("clicked_content", { id: "event-2" }),
  person("add_relationships", { svc_relationships: [relationship], _timestamp: 1_700_000_000 }),
  person("delete_relationships", { cio_relationships: [relationship] }),
  person("add_device", { device }),
  person("delete_device", { device: { token: "t" } }),
  { type: "person", action: "merge", ...parties },
  person("suppress"),
  person("unsuppress"),
  object("identify", { attributes: { name: "Acme" }, svc_relationships: people }),
  object("identify_anonymous", { svc_relationships: visitors }),
  object("delete"),
  object("add_relationships", { svc_relationships: people }),
  object("delete_relationships", { svc_relationships: people }),
  {
    type: "delivery",
    action: "event",
    identifiers: { id: "d" },
    name: "opened",
    timestamp: 1_700_000_000,
    attributes: {
      device_token: "t",
      recipient: "ada@example.com",
      reason: "x",
      href: "https://example.com/",
    },
  },
] satisfies ReadonlyArray<object>

const call = {
  userId: "ada",
  anonymousId: "visitor",
  messageId: "message-1",
  timestamp: "2026-01-31T12:00:00Z",
  originalTimestamp: "2026-01-31T12:00:00Z",
  sentAt: "2026-01-31T12:00:00Z",
  receivedAt: "2026-01-31T12:00:00Z",
  context: { ip: "1.1.1.1" },
  integrations: { All: true },
}

/** Calls of Pipelines by path. */
export const pipelinesBodies: Readonly<Record<string, Value>> = {
  "/v1/identify": { ...call, type: "identify", traits: { plan: "pro" } },
  "/v1/track": { ...call, event: "purchase", properties: { price: 1 } },
  "/v1/page": { ...call, name: "Home", category: "Docs", properties: { url: "/" } },
  "/v1/screen": { ...call, name: "Home", category: "Docs", properties: { url: "/" } },
  "/v1/group": { ...call, groupId: "acme", traits: { name: "Acme" } },
  "/v1/alias": { ...call, previousId: "bob" },
  "/v1/batch": {
    batch: [{ type: "track", userId: "ada", event: "purchase" }],
    sentAt: "2026-01-31T12:00:00Z",
    context: {},
    integrations: {},
  },
}
