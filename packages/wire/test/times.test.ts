import { describe, it } from "@effect/vitest"
import { dayMs, secondMs } from "@inlethq/core/values/Timestamp"
import { decodeCall } from "../src/pipelines/decode.ts"
import { decodeMetric } from "../src/track-v1/deliveries.ts"
import { decodeAddDevice } from "../src/track-v1/devices.ts"
import { decodeEvent } from "../src/track-v1/events.ts"
import { decodeIdentify } from "../src/track-v1/people.ts"
import { decodeEntity } from "../src/track-v2/entity.ts"
import { assertCommand, requestContext, receipt, receivedAt, workspace } from "./requests.ts"
import { table } from "./tables.ts"

/**
 * A time in milliseconds. Numbers of at least 1e11 are read as milliseconds, and smaller numbers are read as seconds.
 */
const millis = 1_700_000_000_123
const aDayAhead = receivedAt + dayMs
const tooFarAhead = aDayAhead + secondMs
const iso = (at: number) => new Date(at).toISOString()

const ahead = (field: string) =>
  `invalid ${field}: ${field.slice(field.lastIndexOf(".") + 1)} is ${iso(tooFarAhead)}, more than one day later than the time of receipt`

const v2 = (type: string, action: string, rest: object) => ({
  type,
  action,
  identifiers: type === "person" ? { id: "5" } : { object_type_id: "1", object_id: "acme" },
  ...rest,
})

table("times of a Track v1 identify", (over, body) => decodeIdentify(receipt("track-v1", over), "5", body), [
  ["accepts a _timestamp in milliseconds", { _timestamp: millis }, { at: millis, followsReceipt: false }],
  [
    "stores a created_at in milliseconds as seconds",
    { created_at: millis },
    { assignments: [{ name: "created_at", value: 1_700_000_000 }] },
  ],
  ["accepts a _timestamp one day ahead of receipt", { _timestamp: iso(aDayAhead) }, { at: aDayAhead }],
  [
    "leaves out a _timestamp more than one day later than the time of receipt",
    { _timestamp: iso(tooFarAhead) },
    { at: receivedAt, followsReceipt: true, faults: [ahead("_timestamp")] },
  ],
])

table("times of a Track v1 event", (over, body) => decodeEvent(receipt("track-v1", over), "5", body), [
  ["accepts a timestamp in milliseconds", { name: "a", timestamp: millis }, { at: millis }],
  ["prefers timestamp over _timestamp", { name: "a", timestamp: 7, _timestamp: 5 }, { at: 7000 }],
  [
    "uses _timestamp if timestamp is missing",
    { name: "a", _timestamp: 5 },
    { at: 5000, followsReceipt: false },
  ],
  [
    "leaves out a _timestamp more than one day later than the time of receipt",
    { name: "a", _timestamp: iso(tooFarAhead) },
    { at: receivedAt, followsReceipt: true, faults: [ahead("_timestamp")] },
  ],
  [
    "names a timestamp far ahead of receipt",
    { name: "a", timestamp: iso(tooFarAhead) },
    { at: tooFarAhead, followsReceipt: false, faults: [ahead("timestamp")] },
  ],
])

table("times of a Track v1 metric", (over, body) => decodeMetric(receipt("track-v1", over), body), [
  [
    "accepts a timestamp in milliseconds",
    { delivery_id: "d", metric: "opened", timestamp: millis },
    { at: millis },
  ],
])

table(
  "times of a Track v1 device",
  (over, device: object) =>
    decodeAddDevice(receipt("track-v1", over), "5", { device: { id: "t", platform: "ios", ...device } }),
  [
    ["accepts a last_used in milliseconds", { last_used: millis }, { lastUsed: millis, lastUsedGiven: true }],
    [
      "leaves out a last_used more than one day later than the time of receipt",
      { last_used: iso(tooFarAhead) },
      { lastUsed: null, lastUsedGiven: false, faults: [ahead("device.last_used")] },
    ],
  ],
)

table("times of a Track v2 entity", (over, item: object) => decodeEntity(receipt("track-v2", over), item), [
  ["accepts a _timestamp in milliseconds", v2("person", "identify", { _timestamp: millis }), { at: millis }],
  [
    "accepts a timestamp in milliseconds as text",
    v2("person", "identify", { timestamp: `${millis}` }),
    { at: millis },
  ],
  [
    "leaves out a _timestamp and a timestamp more than one day later than the time of receipt",
    v2("object", "identify", {
      attributes: { _timestamp: iso(tooFarAhead), a: 1 },
      timestamp: iso(tooFarAhead),
    }),
    { at: receivedAt, faults: [ahead("attributes._timestamp"), ahead("timestamp")] },
  ],
  [
    "prefers the timestamp of an event over its _timestamp",
    v2("person", "event", { name: "a", timestamp: 7, _timestamp: 5 }),
    { at: 7000 },
  ],
])

const decoded = (type: Parameters<typeof decodeCall>[1], body: object) =>
  decodeCall(requestContext({ open: () => workspace }), type, { userId: "5", ...body }).commands[0]

describe("times of a Pipelines call", () => {
  it("a _timestamp in milliseconds in the traits is accepted", () =>
    assertCommand(decoded("identify", { traits: { _timestamp: millis } }), { at: millis }))

  it("a group call leaves out a _timestamp that is ${iso(tooFarAhead)}, more than one day later than the time of receipt", () =>
    assertCommand(decoded("group", { groupId: "g", traits: { _timestamp: iso(tooFarAhead) } }), {
      at: receivedAt,
      followsReceipt: true,
      faults: [ahead("traits._timestamp")],
    }))

  it("accepts a last_used in milliseconds", () => {
    const device = { token: "t", type: "ios", last_used: millis }
    assertCommand(decoded("track", { event: "Device Created or Updated", context: { device } }), {
      lastUsed: millis,
      lastUsedGiven: true,
    })
  })

  it("a device's last use is the time of receipt if the call is dated far ahead", () =>
    assertCommand(
      decoded("track", {
        event: "Device Created or Updated",
        timestamp: iso(tooFarAhead),
        context: { device: { token: "t", type: "ios" } },
      }),
      {
        lastUsed: receivedAt,
        lastUsedGiven: false,
        at: tooFarAhead,
        faults: [ahead("timestamp")],
      },
    ))
})
