import type { ActivityDocument } from "@inlet/api/management/ActivityLog"
import { describe, expect, it } from "vitest"
import { curlOf, repeatedOperation } from "../src/pages/operation/curlOf.ts"

const origin = "http://127.0.0.1:8080"

type Sequence = ActivityDocument["sequence"]

const entry: ActivityDocument = {
  operation_id: "op11000000002",
  sequence: 2 as Sequence,
  at: "2026-01-31T12:00:00.000Z",
  original_timestamp: null,
  received_at: "2026-01-31T12:00:00.000Z",
  processed_at: "2026-01-31T12:00:00.000Z",
  source: "track-v1",
  sender: null,
  kind: "identify",
  name: null,
  outcome: "partial",
  reason: "email: email belongs to another person",
  reasons: [{ code: "taken_identifier", field: "email", values: {} }],
  rule: "contract §6 taken identifiers",
  subject: {
    svc_id: "p11000000002",
    id: "bob o'neill",
    email: null,
    name: null,
    anonymous_id: null,
    object_type_id: null,
    object_id: null,
  },
  id: null,
  trigger_eligible: false,
  data: { plan: "pro" },
  changes: [],
  request: null,
  kept_as: [],
  refused: [
    {
      path: "email",
      value: "ada@example.com",
      reason: "email belongs to another person",
      code: "taken_identifier",
      rule: "contract §6 taken identifiers",
      other: { svc_id: "p11000000001" },
    },
  ],
  effects: [],
}

const sentTo = (route: string): ActivityDocument["sender"] => ({
  key: null,
  token: null,
  user_agent: null,
  route,
})

const sent = '{"plan":"pro","email":"ada@example.com"}'
const json = '-H "Content-Type: application/json" -d'

describe("copy as curl", () => {
  it.each([
    [
      entry,
      `curl -u "$SITE_ID:$API_KEY" -X PUT ${origin}/api/v1/customers/bob%20o'neill ${json} '${sent}'`.replace(
        "o'neill",
        "o%27neill",
      ),
    ],
    [
      { ...entry, source: "track-v2", subject: { ...entry.subject, id: "bob" } },
      `curl -u "$SITE_ID:$API_KEY" ${origin}/api/v2/entity ${json} '{"type":"person","identifiers":{"id":"bob"},"action":"identify","attributes":${sent}}'`,
    ],
    [
      { ...entry, source: "pipelines", id: "m1", subject: { ...entry.subject, id: "bob" } },
      `curl -u "$WRITE_KEY:" ${origin}/v1/identify ${json} '{"userId":"bob","messageId":"m1","traits":${sent}}'`,
    ],
    [
      {
        ...entry,
        kind: "event",
        name: "bought",
        id: "01H",
        data: { price: 3 },
        refused: [],
        effects: [],
        subject: { ...entry.subject, id: "bob" },
      },
      `curl -u "$SITE_ID:$API_KEY" ${origin}/api/v1/customers/bob/events ${json} '{"name":"bought","id":"01H","data":{"price":3}}'`,
    ],
    [
      {
        ...entry,
        kind: "add_device",
        data: { token: "t1", platform: "ios", last_used: "2023-11-14T22:13:20.000Z", attributes: {} },
        refused: [],
        subject: { ...entry.subject, id: "bob" },
        sender: sentTo("PUT /api/v1/customers/:identifier/devices"),
      },
      `curl -u "$SITE_ID:$API_KEY" -X PUT ${origin}/api/v1/customers/bob/devices ${json} '{"device":{"id":"t1","platform":"ios","attributes":{},"last_used":1700000000}}'`,
    ],
    [
      {
        ...entry,
        kind: "delete_device",
        data: { token: "t 1" },
        refused: [],
        subject: { ...entry.subject, id: "bob" },
        sender: sentTo("DELETE /api/v1/customers/:identifier/devices/:device_id"),
      },
      `curl -u "$SITE_ID:$API_KEY" -X DELETE ${origin}/api/v1/customers/bob/devices/t%201`,
    ],
    [
      {
        ...entry,
        source: "track-v2",
        kind: "delete_relationships",
        data: { relationships: [{ identifiers: { object_type_id: "1", object_id: "acme" } }] },
        refused: [],
        subject: { ...entry.subject, id: "bob" },
        sender: sentTo("POST /v2/batch"),
      },
      `curl -u "$SITE_ID:$API_KEY" ${origin}/v2/batch ${json} '{"batch":[{"type":"person","identifiers":{"id":"bob"},"action":"delete_relationships","svc_relationships":[{"identifiers":{"object_type_id":"1","object_id":"acme"}}]}]}'`,
    ],
    [
      {
        ...entry,
        source: "pipelines",
        kind: "page",
        name: "Home",
        data: { url: "/" },
        refused: [],
        subject: { ...entry.subject, id: "bob" },
        sender: sentTo("POST /v1/batch"),
      },
      `curl -u "$WRITE_KEY:" ${origin}/v1/batch ${json} '{"batch":[{"type":"page","userId":"bob","name":"Home","properties":{"url":"/"}}]}'`,
    ],
    [
      {
        ...entry,
        source: "management",
        data: { plan: "pro" },
        refused: [],
        subject: { ...entry.subject, id: "bob" },
      },
      `curl -H "Authorization: Bearer $INLET_MANAGEMENT_TOKEN" ${origin}/management/v1/workspaces/1/operations ${json} '{"type":"person","identifiers":{"id":"bob"},"action":"identify","attributes":{"plan":"pro"}}'`,
    ],
    [
      {
        ...entry,
        outcome: "rejected",
        source: "track-v2",
        refused: [],
        effects: [],
        data: { type: "person", action: "identify", identifiers: {} },
        request: { path: "/api/v2/batch", key_id: null, key_name: null, user_agent: null, address: null },
      },
      `curl -u "$SITE_ID:$API_KEY" ${origin}/api/v2/batch ${json} '{"batch":[{"type":"person","action":"identify","identifiers":{}}]}'`,
    ],
    [
      {
        ...entry,
        outcome: "rejected",
        refused: [],
        effects: [],
        data: { plan: 1 },
        request: {
          path: "/api/v1/customers/bob",
          key_id: null,
          key_name: null,
          user_agent: null,
          address: null,
        },
      },
      `curl -u "$SITE_ID:$API_KEY" -X PUT ${origin}/api/v1/customers/bob ${json} '{"plan":1}'`,
    ],
  ] satisfies ReadonlyArray<readonly [ActivityDocument, string]>)(
    "repeats the call of %j",
    (operation, command) => expect(curlOf("1", operation, origin)).toBe(command),
  )

  it("reads the entry if the log does not have the data of the call", () =>
    expect(curlOf("1", { ...entry, data: null }, origin)).toContain("/operations/op11000000002"))
})

const rejected = (over: Partial<ActivityDocument>, path: string): ActivityDocument => ({
  ...entry,
  outcome: "rejected",
  refused: [],
  request: { path, key_id: null, key_name: null, user_agent: null, address: null },
  ...over,
})

describe("sending a rejected call again", () => {
  const person = { type: "person", action: "event" }

  it.each([
    [
      { source: "pipelines", kind: "event", data: { userId: "", event: "", properties: { total: 12 } } },
      "/v1/track",
      { ...person, identifiers: { id: "" }, name: "", attributes: { total: 12 } },
    ],
    [
      { source: "pipelines", kind: "identify", data: { anonymousId: "a1", traits: { plan: "pro" } } },
      "/v1/batch",
      {
        ...person,
        action: "identify",
        identifiers: { anonymous_id: "a1" },
        attributes: { plan: "pro" },
      },
    ],
    [
      { source: "track-v1", kind: "identify", data: { plan: "pro" } },
      "/api/v1/customers/bob%40example.com",
      {
        ...person,
        action: "identify",
        identifiers: { email: "bob@example.com" },
        attributes: { plan: "pro" },
      },
    ],
    [
      { source: "track-v1", kind: "identify", data: {} },
      "/api/v1/customers/cio_p11000000001",
      { ...person, action: "identify", identifiers: { svc_id: "p11000000001" }, attributes: {} },
    ],
    [
      {
        source: "pipelines",
        kind: "event",
        data: { userId: null, anonymousId: "a1", event: "seen", timestamp: "2026-01-31T12:00:00Z" },
      },
      "/v1/track",
      {
        ...person,
        timestamp: "2026-01-31T12:00:00Z",
        identifiers: { anonymous_id: "a1" },
        name: "seen",
        attributes: {},
      },
    ],
    [
      { source: "pipelines", kind: "page", data: { userId: "bob", anonymousId: "a1", name: "Home" } },
      "/v1/page",
      {
        ...person,
        action: "page",
        identifiers: { id: "bob", anonymous_id: "a1" },
        name: "Home",
        attributes: {},
      },
    ],
    [
      {
        source: "track-v1",
        kind: "event",
        data: { name: "seen", anonymous_id: "a1", timestamp: 1613063089, data: {} },
      },
      "/api/v1/customers/bob/events",
      {
        ...person,
        timestamp: 1613063089,
        identifiers: { id: "bob", anonymous_id: "a1" },
        name: "seen",
        attributes: {},
      },
    ],
    [
      { source: "track-v1", kind: "event", data: { name: "", data: { total: 12 } } },
      "/api/v1/customers/bob/events",
      { ...person, identifiers: { id: "bob" }, name: "", attributes: { total: 12 } },
    ],
    [
      { source: "track-v1", kind: "event", data: { name: "seen", anonymous_id: 7 } },
      "/api/v1/events",
      { ...person, identifiers: { anonymous_id: 7 }, name: "seen", attributes: {} },
    ],
    [{ source: "track-v1", kind: null, data: { delivery_id: 1 } }, "/api/v1/metrics", null],
    [{ source: "track-v2", kind: null, data: null }, "/api/v2/entity", null],
  ] satisfies ReadonlyArray<readonly [Partial<ActivityDocument>, string, unknown]>)(
    "begins with %j to %s as an entity that can be mended",
    (over, path, operation) => expect(repeatedOperation(rejected(over, path))).toEqual(operation),
  )
})
