import { foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { decodeEntity } from "../src/track-v2/entity.ts"
import { receipt, receivedAt, workspace } from "./requests.ts"
import { table } from "./tables.ts"

const longest = "é".repeat(foreignIdBytesMax / 2)

const report = (_over: typeof workspace, rest: object) =>
  decodeEntity(receipt("track-v2"), {
    type: "delivery",
    action: "event",
    identifiers: { id: "d" },
    name: "opened",
    ...rest,
  })

table("Track v2 delivery event", report, [
  [
    "contract §11: reads the token of the device",
    { attributes: { device_token: "t" }, timestamp: 1_561_231_234 },
    {
      _tag: "ReportMetric",
      source: "track-v2",
      deliveryId: "d",
      metric: "opened",
      deviceToken: "t",
      recipient: null,
      reason: null,
      href: null,
      at: 1_561_231_234_000,
    },
  ],
  [
    "contract §11: reads all optional fields",
    { name: "bounced", attributes: { recipient: 4_930_123, reason: "full", href: "https://example.com" } },
    { metric: "bounced", recipient: "4930123", reason: "full", href: "https://example.com", at: receivedAt },
  ],
  ["accepts a report without attributes", {}, { metric: "opened", deviceToken: null }],
  ["accepts null attributes", { attributes: null }, { deviceToken: null }],
  [
    "contract §8: reads data if attributes are missing",
    { data: { device_token: "t" } },
    { deviceToken: "t" },
  ],
  [
    "refuses attributes that are not an object",
    { attributes: ["t"] },
    ["invalid attributes: attributes must be an object"],
  ],
  [
    "reports each attribute of a wrong type",
    { attributes: { device_token: {}, recipient: [], reason: true, href: {} } },
    [
      "invalid attributes.recipient: attributes.recipient must be a string",
      "invalid attributes.reason: attributes.reason must be a string",
      "invalid attributes.href: attributes.href must be a string",
      "invalid attributes.device_token: attributes.device_token must be a string",
    ],
  ],
  ["accepts a number as delivery id", { identifiers: { id: 7 } }, { deliveryId: "7" }],
  ["accepts a delivery id of 1000 bytes", { identifiers: { id: longest } }, { deliveryId: longest }],
  [
    "refuses a delivery id of 1001 bytes",
    { identifiers: { id: `${longest}x` } },
    ["too_long identifiers.id: identifiers.id cannot be longer than 1000 bytes"],
  ],
  [
    "refuses a device token of 1001 bytes",
    { attributes: { device_token: `${longest}x` } },
    ["too_long attributes.device_token: attributes.device_token cannot be longer than 1000 bytes"],
  ],
  [
    "contract §11: refuses a report without a delivery id",
    { identifiers: {} },
    ["required identifiers.id: identifiers.id must be present"],
  ],
  ["refuses null identifiers", { identifiers: null }, ["required identifiers: identifiers must be present"]],
  [
    "refuses identifiers that are not an object",
    { identifiers: "d" },
    ["invalid identifiers: identifiers must be an object"],
  ],
  ["refuses a report without a metric", { name: "" }, ["required name: name must be present"]],
  [
    "contract §11: refuses an unknown metric",
    { name: "sent" },
    [
      "invalid name: name must be one of bounced, clicked, converted, deferred, delivered, dropped, opened, spammed",
    ],
  ],
  [
    "keeps a report whose timestamp is no time, at the time of receipt",
    { timestamp: [] },
    {
      at: receivedAt,
      followsReceipt: true,
      faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
])
