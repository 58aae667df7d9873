import { assert, describe, it } from "@effect/vitest"
import { foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { Result } from "effect"
import { decodeMetric, decodePushMetric, decodeUnsubscribe } from "../src/track-v1/deliveries.ts"
import { receipt, receivedAt, workspace, envelopeFrom } from "./requests.ts"
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

describe("Track v1 metric", () => {
  it("the decoder reads every field of a Track v1 metric", () => {
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
      ...envelopeFrom("track-v1"),
      at: 1_561_231_234_000,
      followsReceipt: false,
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

table("Track v1 metric", metric, [
  ...allMetrics.map((name): Row<unknown> => [
    `contract §11: accepts the metric ${name}`,
    { delivery_id: "d", metric: name },
    { metric: name, at: receivedAt, recipient: null, reason: null, href: null },
  ]),
  [
    "refuses an unknown metric",
    { delivery_id: "d", metric: "sent" },
    [
      "invalid metric: metric must be one of bounced, clicked, converted, deferred, delivered, dropped, opened, spammed",
    ],
  ],
  [
    "ignores metadata that are not an object",
    { delivery_id: "d", metric: "clicked", metadata: "x" },
    { actionName: null, actionValue: null },
  ],
  [
    "refuses an action name that is not a string",
    { delivery_id: "d", metric: "clicked", metadata: { action_name: {} } },
    ["invalid metadata.action_name: metadata.action_name must be a string"],
  ],
  [
    "track-api §2.6: refuses a report without a metric",
    { delivery_id: "d" },
    ["required metric: metric must be present"],
  ],
  [
    "track-api §2.6: refuses a report without a delivery id",
    { metric: "opened" },
    ["required delivery_id: delivery_id must be present"],
  ],
  [
    "refuses an empty delivery id",
    delivered({ delivery_id: "" }),
    ["required delivery_id: delivery_id must be present"],
  ],
  ["accepts a number as delivery id", delivered({ delivery_id: 12 }), { deliveryId: "12" }],
  [
    "refuses a delivery id that is an array",
    delivered({ delivery_id: [] }),
    ["invalid delivery_id: delivery_id must be a string"],
  ],
  ["accepts a delivery id of 1000 bytes", delivered({ delivery_id: longest }), { deliveryId: longest }],
  [
    "refuses a delivery id of 1001 bytes",
    delivered({ delivery_id: `${longest}x` }),
    ["too_long delivery_id: delivery_id cannot be longer than 1000 bytes"],
  ],
  ["accepts a number as recipient", delivered({ recipient: 4_930_123_456 }), { recipient: "4930123456" }],
  [
    "refuses a recipient that is an object",
    delivered({ recipient: {} }),
    ["invalid recipient: recipient must be a string"],
  ],
  [
    "reads null and empty optional fields as missing",
    delivered({ recipient: null, reason: null, href: "" }),
    { recipient: null, reason: null, href: null },
  ],
  [
    "ignores metadata of other metrics",
    delivered({ metadata: { action_name: "score" } }),
    { deliveryId: "d" },
  ],
  ["reads a timestamp as text of digits", delivered({ timestamp: "1561231234" }), { at: 1_561_231_234_000 }],
  [
    "keeps a report whose timestamp is no time, at the time of receipt",
    delivered({ timestamp: "soon" }),
    {
      at: receivedAt,
      followsReceipt: true,
      faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "reports all faults of a metric",
    { metric: [], timestamp: "" },
    [
      "required delivery_id: delivery_id must be present",
      "invalid metric: metric must be one of bounced, clicked, converted, deferred, delivered, dropped, opened, spammed",
    ],
  ],
  ["contract §4: refuses a body that is not an object", null, ["invalid : the body must be a JSON object"]],
])

table("Track v1 push metric", push, [
  [
    "track-api §2.6: records that a push was opened",
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
  [
    "track-api §2.6: records that a push converted",
    opened({ event: "converted" }),
    { metric: "converted", deviceToken: null },
  ],
  [
    "track-api §2.6: records that a push was delivered",
    opened({ event: "delivered" }),
    { metric: "delivered" },
  ],
  [
    "contract §11: refuses other metrics of a push",
    opened({ event: "bounced" }),
    ["invalid event: event must be one of opened, converted, delivered"],
  ],
  ["refuses a push metric without an event", { delivery_id: "d" }, ["required event: event must be present"]],
  [
    "refuses a push metric without a delivery id",
    { event: "opened" },
    ["required delivery_id: delivery_id must be present"],
  ],
  ["accepts a device id of 1000 bytes", opened({ device_id: longest }), { deviceToken: longest }],
  [
    "refuses a device id of 1001 bytes",
    opened({ device_id: `${longest}x` }),
    ["too_long device_id: device_id cannot be longer than 1000 bytes"],
  ],
  [
    "contract §4: refuses a push metric that is not an object",
    [],
    ["invalid : the body must be a JSON object"],
  ],
])

type Unsubscribe = readonly [deliveryId: string | null, body: unknown]

const unsubscribe = (_over: typeof workspace, [deliveryId, body]: Unsubscribe) =>
  decodeUnsubscribe(receipt("track-v1"), deliveryId, body)

table("unsubscribe by delivery", unsubscribe, [
  [
    "contract §11: takes the delivery id from the path",
    ["d/1==", { unsubscribe: true }],
    { _tag: "UnsubscribeByDelivery", deliveryId: "d/1==", unsubscribe: true, at: receivedAt },
  ],
  [
    "contract §11: takes the delivery id from the body",
    [null, { delivery_id: "d" }],
    { deliveryId: "d", unsubscribe: true },
  ],
  [
    "prefers the delivery id in the path over the delivery id in the body",
    ["d", { delivery_id: "e" }],
    { deliveryId: "d" },
  ],
  [
    "takes the delivery id from the body if the path is empty",
    ["", { delivery_id: "e" }],
    { deliveryId: "e" },
  ],
  [
    "contract §11: accepts a request without a body",
    ["d", undefined],
    { deliveryId: "d", unsubscribe: true },
  ],
  ["contract §11: unsubscribes if the field is missing", ["d", { unsubscribe: null }], { unsubscribe: true }],
  [
    "contract §11: subscribes the person again if the field is false",
    ["d", { unsubscribe: false }],
    { unsubscribe: false },
  ],
  ["accepts a boolean as text in any case", ["d", { unsubscribe: "False" }], { unsubscribe: false }],
  ["accepts 1 and 0 as booleans", ["d", { unsubscribe: 1 }], { unsubscribe: true }],
  [
    "refuses a value that is not a boolean",
    ["d", { unsubscribe: "maybe" }],
    ["invalid unsubscribe: unsubscribe must be a boolean"],
  ],
  [
    "contract §11: refuses a request without a delivery id",
    [null, { unsubscribe: true }],
    ["required delivery_id: delivery_id must be present"],
  ],
  [
    "contract §11: refuses an empty delivery id",
    [null, { delivery_id: "" }],
    ["required delivery_id: delivery_id must be present"],
  ],
  [
    "refuses a request without a delivery id in the path and without a body",
    [null, undefined],
    ["required delivery_id: delivery_id must be present"],
  ],
  [
    "reports each value of a wrong type",
    [null, { delivery_id: { a: 1 }, unsubscribe: [] }],
    [
      "invalid delivery_id: delivery_id must be a string",
      "invalid unsubscribe: unsubscribe must be a boolean",
    ],
  ],
  [
    "refuses a delivery id of 1001 bytes in the path",
    [`${longest}x`, {}],
    ["too_long delivery_id: delivery_id cannot be longer than 1000 bytes"],
  ],
  [
    "contract §4: refuses an unsubscribe body that is not an object",
    ["d", null],
    ["invalid : the body must be a JSON object"],
  ],
])
