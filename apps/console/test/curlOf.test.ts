import type { ActivityDocument } from "@inlet/api/management/ActivityLog"
import { describe, expect, it } from "vitest"
import { curlOf } from "../src/pages/operation/curlOf.ts"

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
  call: null,
  refused: [
    {
      path: "email",
      value: "ada@example.com",
      reason: "email belongs to another person",
      rule: "contract §6 taken identifiers",
      other: { svc_id: "p11000000001" },
    },
  ],
  effects: [],
}

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
        outcome: "rejected",
        source: "track-v2",
        refused: [],
        effects: [],
        data: { type: "person", action: "identify", identifiers: {} },
        call: { path: "/api/v2/batch", key: null, user_agent: null, address: null },
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
        call: { path: "/api/v1/customers/bob", key: null, user_agent: null, address: null },
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
