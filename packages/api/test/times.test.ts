import { describe, it } from "@effect/vitest"
import { dayMs, secondMs } from "@inlet/core/values/Timestamp"
import { decodeCall } from "@inlet/api/pipelines/decode"
import { decodeMetric } from "@inlet/api/track-v1/deliveries"
import { decodeAddDevice } from "@inlet/api/track-v1/devices"
import { decodeEvent } from "@inlet/api/track-v1/events"
import { decodeIdentify } from "@inlet/api/track-v1/people"
import { decodeEntity } from "@inlet/api/track-v2/entity"
import { assertCommand, requestContext, receipt, receivedAt, workspace } from "./requests.ts"
import { table } from "./tables.ts"

/** A time in milliseconds, as a number from 1e11 on. */
const millis = 1_700_000_000_123
const aDayAhead = receivedAt + dayMs
const tooFarAhead = aDayAhead + secondMs
const iso = (at: number) => new Date(at).toISOString()

const ahead = (field: string) =>
  `invalid ${field}: ${field.slice(field.lastIndexOf(".") + 1)} is more than a day ahead of receipt`

const v2 = (type: string, action: string, rest: object) => ({
  type,
  action,
  identifiers: type === "person" ? { id: "5" } : { object_type_id: "1", object_id: "acme" },
  ...rest,
})

table("v1 identify", (over, body) => decodeIdentify(receipt("track-v1", over), "5", body), [
  ["_timestamp in milliseconds", { _timestamp: millis }, { at: millis, followsReceipt: false }],
  [
    "created_at in milliseconds is stored in seconds",
    { created_at: millis },
    { assignments: [{ name: "created_at", value: 1_700_000_000 }] },
  ],
  ["_timestamp a day ahead of receipt", { _timestamp: iso(aDayAhead) }, { at: aDayAhead }],
  [
    "_timestamp more than a day ahead of receipt is left out",
    { _timestamp: iso(tooFarAhead) },
    { at: receivedAt, followsReceipt: true, faults: [ahead("_timestamp")] },
  ],
])

table("v1 events", (over, body) => decodeEvent(receipt("track-v1", over), "5", body), [
  ["timestamp in milliseconds", { name: "a", timestamp: millis }, { at: millis }],
  ["timestamp beats _timestamp", { name: "a", timestamp: 7, _timestamp: 5 }, { at: 7000 }],
  ["_timestamp without timestamp", { name: "a", _timestamp: 5 }, { at: 5000, followsReceipt: false }],
  [
    "_timestamp more than a day ahead of receipt is left out",
    { name: "a", _timestamp: iso(tooFarAhead) },
    { at: receivedAt, followsReceipt: true, faults: [ahead("_timestamp")] },
  ],
  [
    "timestamp may be any time",
    { name: "a", timestamp: iso(tooFarAhead) },
    { at: tooFarAhead, followsReceipt: false },
  ],
])

table("v1 metrics", (over, body) => decodeMetric(receipt("track-v1", over), body), [
  ["timestamp in milliseconds", { delivery_id: "d", metric: "opened", timestamp: millis }, { at: millis }],
])

table(
  "v1 devices",
  (over, device: object) =>
    decodeAddDevice(receipt("track-v1", over), "5", { device: { id: "t", platform: "ios", ...device } }),
  [
    ["last_used in milliseconds", { last_used: millis }, { lastUsed: millis, lastUsedGiven: true }],
    [
      "last_used more than a day ahead of receipt is left out",
      { last_used: iso(tooFarAhead) },
      { lastUsed: null, lastUsedGiven: false, faults: [ahead("device.last_used")] },
    ],
  ],
)

table("v2 entities", (over, item: object) => decodeEntity(receipt("track-v2", over), item), [
  ["_timestamp in milliseconds", v2("person", "identify", { _timestamp: millis }), { at: millis }],
  ["timestamp in milliseconds", v2("person", "identify", { timestamp: `${millis}` }), { at: millis }],
  [
    "_timestamp and timestamp more than a day ahead are left out",
    v2("object", "identify", {
      attributes: { _timestamp: iso(tooFarAhead), a: 1 },
      timestamp: iso(tooFarAhead),
    }),
    { at: receivedAt, faults: [ahead("attributes._timestamp"), ahead("timestamp")] },
  ],
  [
    "timestamp of an event beats _timestamp",
    v2("person", "event", { name: "a", timestamp: 7, _timestamp: 5 }),
    { at: 7000 },
  ],
])

const decoded = (type: Parameters<typeof decodeCall>[1], body: object) =>
  decodeCall(requestContext({ open: () => workspace }), type, { userId: "5", ...body }).commands[0]

describe("Pipelines", () => {
  it("_timestamp of traits in milliseconds", () =>
    assertCommand(decoded("identify", { traits: { _timestamp: millis } }), { at: millis }))

  it("_timestamp of a group more than a day ahead of receipt is left out", () =>
    assertCommand(decoded("group", { groupId: "g", traits: { _timestamp: iso(tooFarAhead) } }), {
      at: receivedAt,
      followsReceipt: true,
      faults: [ahead("traits._timestamp")],
    }))

  it("last_used in milliseconds", () => {
    const device = { token: "t", type: "ios", last_used: millis }
    assertCommand(decoded("track", { event: "Device Created or Updated", context: { device } }), {
      lastUsed: millis,
      lastUsedGiven: true,
    })
  })

  it("a call dated far ahead does not say that its device was used then", () =>
    assertCommand(
      decoded("track", {
        event: "Device Created or Updated",
        timestamp: iso(tooFarAhead),
        context: { device: { token: "t", type: "ios" } },
      }),
      { lastUsed: receivedAt, lastUsedGiven: false, at: tooFarAhead },
    ))
})
