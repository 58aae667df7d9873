import { foreignIdBytesMax } from "@inlet/core/workspace/Limits"
import { decodeEntity } from "@inlet/api/track-v2/entity"
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

table("v2 delivery event", report, [
  [
    "contract §11: with a device",
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
    "contract §11: all that it may hold",
    { name: "bounced", attributes: { recipient: 4_930_123, reason: "full", href: "https://example.com" } },
    { metric: "bounced", recipient: "4930123", reason: "full", href: "https://example.com", at: receivedAt },
  ],
  ["no attributes", {}, { metric: "opened", deviceToken: null }],
  ["null attributes", { attributes: null }, { deviceToken: null }],
  ["contract §8: data in the place of attributes", { data: { device_token: "t" } }, { deviceToken: "t" }],
  [
    "attributes that are no object",
    { attributes: ["t"] },
    ["invalid attributes: attributes must be an object"],
  ],
  [
    "attributes of wrong types",
    { attributes: { device_token: {}, recipient: [], reason: true, href: {} } },
    [
      "invalid attributes.recipient: attributes.recipient must be a string",
      "invalid attributes.reason: attributes.reason must be a string",
      "invalid attributes.href: attributes.href must be a string",
      "invalid attributes.device_token: attributes.device_token must be a string",
    ],
  ],
  ["a delivery id as a number", { identifiers: { id: 7 } }, { deliveryId: "7" }],
  ["a delivery id of 1000 bytes", { identifiers: { id: longest } }, { deliveryId: longest }],
  [
    "a delivery id of 1001 bytes",
    { identifiers: { id: `${longest}x` } },
    ["too_long identifiers.id: identifiers.id cannot be longer than 1000 bytes"],
  ],
  [
    "a device token of 1001 bytes",
    { attributes: { device_token: `${longest}x` } },
    ["too_long attributes.device_token: attributes.device_token cannot be longer than 1000 bytes"],
  ],
  [
    "contract §11: no delivery id",
    { identifiers: {} },
    ["required identifiers.id: identifiers.id must be present"],
  ],
  ["no identifiers", { identifiers: null }, ["required identifiers: identifiers must be present"]],
  [
    "identifiers of a wrong type",
    { identifiers: "d" },
    ["invalid identifiers: identifiers must be an object"],
  ],
  ["no name", { name: "" }, ["required name: name must be present"]],
  [
    "contract §11: another metric",
    { name: "sent" },
    [
      "invalid name: name must be one of bounced, clicked, converted, deferred, delivered, dropped, opened, spammed",
    ],
  ],
  [
    "contract §8: timestamp that is no time",
    { timestamp: [] },
    ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
  ],
])
