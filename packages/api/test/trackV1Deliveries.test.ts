import { assert, describe, it } from "@effect/vitest"
import { foreignIdBytesMax } from "@inlet/core/workspace/Limits"
import { Result } from "effect"
import { decodeMetric, decodePushMetric, decodeUnsubscribe } from "@inlet/api/track-v1/deliveries"
import { receipt, receivedAt, workspace } from "./requests.ts"
import { table, type Row } from "./tables.ts"

const longest = "é".repeat(foreignIdBytesMax / 2)
const allMetrics = [
  "bounced",
  "clicked",
  "converted",
  "deferred",
  "delivered",
  "dropped",
  "opened",
  "spammed",
]

const metric = (_over: typeof workspace, body: unknown) => decodeMetric(receipt("track-v1"), body)
const push = (_over: typeof workspace, body: unknown) => decodePushMetric(receipt("track-v1"), body)

const delivered = (rest: object) => ({ delivery_id: "d", metric: "delivered", ...rest })
const opened = (rest: object) => ({ delivery_id: "d", event: "opened", ...rest })

describe("v1 metric", () => {
  it("fills the whole envelope", () => {
    const body = {
      delivery_id: "RPILAgUBcRhIBqSfeiIwdIYJKxTY==",
      metric: "clicked",
      timestamp: 1_561_231_234,
      recipient: "a@b.io",
      reason: "because",
      href: "https://example.com/",
      metadata: { action_name: "buy", action_value: 5 },
    }
    assert.deepStrictEqual(Result.getOrThrow(decodeMetric(receipt("track-v1"), body)), {
      _tag: "ReportMetric",
      workspace,
      source: "track-v1",
      receivedAt,
      at: 1_561_231_234_000,
      followsReceipt: false,
      originalTimestamp: null,
      batchIndex: null,
      deduplicationKey: null,
      faults: [],
      deliveryId: "RPILAgUBcRhIBqSfeiIwdIYJKxTY==",
      metric: "clicked",
      recipient: "a@b.io",
      reason: "because",
      href: "https://example.com/",
      deviceToken: null,
      actionName: "buy",
      actionValue: "5",
    })
  })
})

table("v1 metrics", metric, [
  ...allMetrics.map((name): Row<unknown> => [
    `contract §11: ${name}`,
    { delivery_id: "d", metric: name },
    { metric: name, at: receivedAt, recipient: null, reason: null, href: null },
  ]),
  [
    "another metric",
    { delivery_id: "d", metric: "sent" },
    [
      "invalid metric: metric must be one of bounced, clicked, converted, deferred, delivered, dropped, opened, spammed",
    ],
  ],
  [
    "no metadata that can be read",
    { delivery_id: "d", metric: "clicked", metadata: "x" },
    { actionName: null, actionValue: null },
  ],
  [
    "an action of a wrong type",
    { delivery_id: "d", metric: "clicked", metadata: { action_name: {} } },
    ["invalid metadata.action_name: metadata.action_name must be a string"],
  ],
  ["track-api §2.6: a metric is required", { delivery_id: "d" }, ["required metric: metric must be present"]],
  [
    "track-api §2.6: a delivery is required",
    { metric: "opened" },
    ["required delivery_id: delivery_id must be present"],
  ],
  [
    "an empty delivery id",
    delivered({ delivery_id: "" }),
    ["required delivery_id: delivery_id must be present"],
  ],
  ["a delivery id as a number", delivered({ delivery_id: 12 }), { deliveryId: "12" }],
  [
    "a delivery id of a wrong type",
    delivered({ delivery_id: [] }),
    ["invalid delivery_id: delivery_id must be a string"],
  ],
  ["a delivery id of 1000 bytes", delivered({ delivery_id: longest }), { deliveryId: longest }],
  [
    "a delivery id of 1001 bytes",
    delivered({ delivery_id: `${longest}x` }),
    ["too_long delivery_id: delivery_id cannot be longer than 1000 bytes"],
  ],
  ["a phone number as recipient", delivered({ recipient: 4_930_123_456 }), { recipient: "4930123456" }],
  [
    "a recipient of a wrong type",
    delivered({ recipient: {} }),
    ["invalid recipient: recipient must be a string"],
  ],
  [
    "nulls",
    delivered({ recipient: null, reason: null, href: "" }),
    { recipient: null, reason: null, href: null },
  ],
  ["what is not known is left alone", delivered({ metadata: { action_name: "score" } }), { deliveryId: "d" }],
  ["timestamp as digits", delivered({ timestamp: "1561231234" }), { at: 1_561_231_234_000 }],
  [
    "contract §8: timestamp that is no time",
    delivered({ timestamp: "soon" }),
    ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
  ],
  [
    "everything that is wrong",
    { metric: [], timestamp: "" },
    [
      "required delivery_id: delivery_id must be present",
      "invalid metric: metric must be one of bounced, clicked, converted, deferred, delivered, dropped, opened, spammed",
      "invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time",
    ],
  ],
  ["contract §4: no object", null, ["invalid : the body must be a JSON object"]],
])

table("v1 push metrics", push, [
  [
    "track-api §2.6: opened",
    opened({ device_id: "t", timestamp: 1_561_231_234 }),
    {
      _tag: "ReportMetric",
      deliveryId: "d",
      metric: "opened",
      deviceToken: "t",
      recipient: null,
      at: 1_561_231_234_000,
    },
  ],
  ["track-api §2.6: converted", opened({ event: "converted" }), { metric: "converted", deviceToken: null }],
  ["track-api §2.6: delivered", opened({ event: "delivered" }), { metric: "delivered" }],
  [
    "contract §11: no other metric",
    opened({ event: "bounced" }),
    ["invalid event: event must be one of opened, converted, delivered"],
  ],
  ["no event", { delivery_id: "d" }, ["required event: event must be present"]],
  ["no delivery", { event: "opened" }, ["required delivery_id: delivery_id must be present"]],
  ["a device id of 1000 bytes", opened({ device_id: longest }), { deviceToken: longest }],
  [
    "a device id of 1001 bytes",
    opened({ device_id: `${longest}x` }),
    ["too_long device_id: device_id cannot be longer than 1000 bytes"],
  ],
  ["contract §4: no object", [], ["invalid : the body must be a JSON object"]],
])

type Unsubscribe = readonly [deliveryId: string | null, body: unknown]

const unsubscribe = (_over: typeof workspace, [deliveryId, body]: Unsubscribe) =>
  decodeUnsubscribe(receipt("track-v1"), deliveryId, body)

table("v1 unsubscribe", unsubscribe, [
  [
    "contract §11: by the path",
    ["d/1==", { unsubscribe: true }],
    { _tag: "UnsubscribeByDelivery", deliveryId: "d/1==", unsubscribe: true, at: receivedAt },
  ],
  ["contract §11: by the body", [null, { delivery_id: "d" }], { deliveryId: "d", unsubscribe: true }],
  ["the path before the body", ["d", { delivery_id: "e" }], { deliveryId: "d" }],
  ["an empty path gives way", ["", { delivery_id: "e" }], { deliveryId: "e" }],
  ["contract §11: no body", ["d", undefined], { deliveryId: "d", unsubscribe: true }],
  ["contract §11: absent means true", ["d", { unsubscribe: null }], { unsubscribe: true }],
  ["contract §11: false sets it back", ["d", { unsubscribe: false }], { unsubscribe: false }],
  ["in other spellings", ["d", { unsubscribe: "False" }], { unsubscribe: false }],
  ["as a number", ["d", { unsubscribe: 1 }], { unsubscribe: true }],
  [
    "what can be neither",
    ["d", { unsubscribe: "maybe" }],
    ["invalid unsubscribe: unsubscribe must be a boolean"],
  ],
  [
    "contract §11: no delivery",
    [null, { unsubscribe: true }],
    ["required delivery_id: delivery_id must be present"],
  ],
  [
    "contract §11: an empty delivery",
    [null, { delivery_id: "" }],
    ["required delivery_id: delivery_id must be present"],
  ],
  ["neither path nor body", [null, undefined], ["required delivery_id: delivery_id must be present"]],
  [
    "a delivery of a wrong type",
    [null, { delivery_id: { a: 1 }, unsubscribe: [] }],
    [
      "invalid delivery_id: delivery_id must be a string",
      "invalid unsubscribe: unsubscribe must be a boolean",
    ],
  ],
  [
    "a delivery id of 1001 bytes",
    [`${longest}x`, {}],
    ["too_long delivery_id: delivery_id cannot be longer than 1000 bytes"],
  ],
  ["contract §4: no object", ["d", null], ["invalid : the body must be a JSON object"]],
])
