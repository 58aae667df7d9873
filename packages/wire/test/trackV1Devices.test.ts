import { assert, describe, it } from "@effect/vitest"
import { foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { Result } from "effect"
import { decodeAddDevice, decodeDeleteDevice } from "../src/track-v1/devices.ts"
import {
  assertDecoded,
  assignments,
  bare,
  byEmail,
  byId,
  receipt,
  receivedAt,
  workspace,
  envelopeFrom,
} from "./requests.ts"
import { many, table, withLimits } from "./tables.ts"

const longest = "é".repeat(foreignIdBytesMax / 2)

const add = (over: typeof workspace, device: unknown) =>
  decodeAddDevice(receipt("track-v1", over), "5", { device })

const ios = (rest: object) => ({ id: "t", platform: "ios", ...rest })

describe("Track v1 add device", () => {
  it("the decoder reads every field of a Track v1 device", () => {
    const body = {
      device: { id: "t", platform: "ios", last_used: 1_561_235_678, attributes: { app_version: "1.23" } },
    }
    assert.deepStrictEqual(Result.getOrThrow(decodeAddDevice(receipt("track-v1"), "a@b.io", body)), {
      _tag: "AddDevice",
      ...envelopeFrom("track-v1"),
      target: {
        _tag: "ByBareText",
        value: "a@b.io",
        otherwise: { _tag: "ByIdentifier", kind: "email", value: "a@b.io" },
      },
      token: "t",
      platform: "ios",
      lastUsed: 1_561_235_678_000,
      lastUsedGiven: true,
      assignments: [{ name: "app_version", value: "1.23" }],
    })
  })

  it("the decoder of a Track v1 device call ignores all fields outside the device object", () =>
    assertDecoded(decodeAddDevice(receipt("track-v1"), "5", { id: "5", device: ios({}) }), {
      target: byId("5"),
      token: "t",
    }))

  it("a Track v1 error reports all faults of a device", () =>
    assertDecoded(decodeAddDevice(receipt("track-v1"), "x".repeat(151), { device: {} }), [
      "too_long identifier: id attribute cannot be longer than 150 bytes",
      "required device.id: device.id must be present",
      "required device.platform: device.platform must be present",
    ]))

  it("contract §4: a device call with a body that is not an object is refused", () =>
    assertDecoded(decodeAddDevice(receipt("track-v1"), "5", []), [
      "invalid : the body must be a JSON object",
    ]))
})

table("Track v1 device", add, [
  [
    "track-api §2.4: accepts a device with only an id and a platform",
    ios({}),
    { token: "t", platform: "ios", lastUsed: null, assignments: [] },
  ],
  ["contract §10: accepts any platform", { id: "t", platform: "mobile" }, { platform: "mobile" }],
  [
    "track-api §2.4: refuses a device without an id",
    { platform: "ios" },
    ["required device.id: device.id must be present"],
  ],
  ["refuses an empty id", { id: "", platform: "ios" }, ["required device.id: device.id must be present"]],
  ["accepts a number as id", { id: 5, platform: "ios" }, { token: "5" }],
  [
    "refuses an id that is an object",
    { id: {}, platform: "ios" },
    ["invalid device.id: device.id must be a string"],
  ],
  ["accepts an id of 1000 bytes", ios({ id: longest }), { token: longest }],
  [
    "refuses an id of 1001 bytes",
    ios({ id: `${longest}x` }),
    ["too_long device.id: device.id cannot be longer than 1000 bytes"],
  ],
  [
    "contract §10: refuses a device without a platform",
    { id: "t" },
    ["required device.platform: device.platform must be present"],
  ],
  [
    "refuses a platform that is not a string",
    { id: "t", platform: true },
    ["invalid device.platform: device.platform must be a string"],
  ],
  [
    "refuses a platform that is too long",
    { id: "t", platform: "x".repeat(1001) },
    ["too_long device.platform: device.platform cannot be longer than 1000 bytes"],
  ],
  [
    "contract §10: reads last_used as text of digits",
    ios({ last_used: "1606511962" }),
    { lastUsed: 1_606_511_962_000 },
  ],
  ["contract §10: reads last_used with decimals", ios({ last_used: 5.9 }), { lastUsed: 5000 }],
  [
    "contract §10: reads last_used in ISO 8601",
    ios({ last_used: "2026-02-20T10:21:36.911Z" }),
    { lastUsed: Date.parse("2026-02-20T10:21:36.911Z") },
  ],
  ["accepts a device without last_used", ios({ last_used: null }), { lastUsed: null }],
  [
    "contract §6: leaves out an invalid last_used",
    ios({ last_used: "yesterday", a: 1 }),
    {
      lastUsed: null,
      assignments: assignments(["a", 1]),
      faults: ["invalid device.last_used: last_used must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  ["accepts null attributes", ios({ attributes: null }), { assignments: [] }],
  [
    "refuses attributes that are not an object",
    ios({ attributes: ["a"] }),
    ["invalid device.attributes: device.attributes must be an object"],
  ],
  [
    "contract §10: stores unknown keys of the device as attributes",
    ios({ rating: 2, from_background: false, product_id: "p", token: "x" }),
    {
      assignments: assignments(
        ["rating", 2],
        ["from_background", false],
        ["product_id", "p"],
        ["token", "x"],
      ),
    },
  ],
  [
    "prefers the value in attributes over the value directly in the device",
    ios({ attributes: { a: 2 }, a: 1 }),
    { assignments: assignments(["a", 1], ["a", 2]) },
  ],
  [
    "contract §1: reads the SDK version with either prefix",
    ios({ cio_sdk_version: "1", attributes: { svc_sdk_version: "2" } }),
    { assignments: assignments(["svc_sdk_version", "1"], ["svc_sdk_version", "2"]) },
  ],
  [
    "removes attributes that are null or empty",
    ios({ attributes: { a: null, b: "" } }),
    { assignments: assignments(["a", null], ["b", ""]) },
  ],
  [
    "stores keys such as __proto__ as attributes",
    JSON.parse(
      '{"id":"t","platform":"ios","__proto__":{"x":1},"attributes":{"__proto__":2,"constructor":3}}',
    ),
    { assignments: assignments(["__proto__", { x: 1 }], ["__proto__", 2], ["constructor", 3]) },
  ],
  [
    "track-api §8 attribute name: refuses a name of 151 bytes",
    ios({ attributes: { [`${"é".repeat(75)}x`]: 1 } }),
    ["too_long device.attributes: attribute name cannot be longer than 150 bytes"],
  ],
  [
    "track-api §8 attribute value: refuses a value of 1001 bytes",
    ios({ a: "x".repeat(1001) }),
    ["too_long device.a: value for attribute 'a' cannot be longer than 1000 bytes"],
  ],
  ["accepts 300 attributes in all", ios({ ...many(150), attributes: many(150) }), { token: "t" }],
  [
    "refuses 301 attributes in all",
    ios({ ...many(150), attributes: many(151) }),
    ["too_many device: device cannot have more than 300 attributes"],
  ],
  ["refuses a body without a device", undefined, ["required device: device must be present"]],
  ["refuses a null device", null, ["required device: device must be present"]],
  ["refuses a device that is not an object", "t", ["invalid device: device must be an object"]],
  [
    "applies the workspace's limit on attributes",
    ios({ attributes: many(3) }),
    ["too_many device: device cannot have more than 2 attributes"],
    withLimits({ attributesPerPersonMax: 2 }),
  ],
])

const remove = (_over: typeof workspace, [identifier, deviceId]: readonly [string, string]) =>
  decodeDeleteDevice(receipt("track-v1"), identifier, deviceId)

table("Track v1 delete device", remove, [
  [
    "reads the person and the device from the path",
    ["1/", "2 "],
    { _tag: "DeleteDevice", target: byId("1/"), token: "2 ", at: receivedAt },
  ],
  ["identifies the person by email", ["a@b.io", "t"], { target: bare("a@b.io", byEmail("a@b.io")) }],
  ["accepts a device id of 1000 bytes", ["5", longest], { token: longest }],
  [
    "refuses a device id of 1001 bytes",
    ["5", `${longest}x`],
    ["too_long device_id: device_id cannot be longer than 1000 bytes"],
  ],
  [
    "refuses an empty person and an empty device id",
    ["", ""],
    ["required identifier: id attribute must be present", "required device_id: device_id must be present"],
  ],
])
