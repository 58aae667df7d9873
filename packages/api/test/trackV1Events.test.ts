import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeAnonymousEvent, decodeEvent } from "@inlet/api/track-v1/events"
import {
  assertDecoded,
  bare,
  byAnonymousId,
  byEmail,
  byId,
  receipt,
  receivedAt,
  workspace,
  type Expected,
} from "./requests.ts"

type Row = readonly [name: string, body: unknown, expected: Expected]

const roomy = { ...workspace, limits: { ...workspace.limits, eventDataBytesMax: 20 } }

describe("v1 event", () => {
  it("fills the whole envelope", () => {
    const body = { name: " purchase ", id: "01HB4", timestamp: 1_561_231_234, data: { type: "socks" } }
    assert.deepStrictEqual(Result.getOrThrow(decodeEvent(receipt("track-v1"), "5", body)), {
      _tag: "RecordEvent",
      workspace,
      source: "track-v1",
      receivedAt,
      at: 1_561_231_234_000,
      followsReceipt: false,
      originalTimestamp: null,
      batchIndex: null,
      deduplicationKey: "01HB4",
      faults: [],
      kind: "event",
      target: { _tag: "ByIdentifier", kind: "id", value: "5" },
      anonymousId: null,
      name: "purchase",
      data: { type: "socks" },
      device: null,
    })
  })

  it("leaves out a _timestamp that is no time, and says so", () => {
    const { at, faults } = Result.getOrThrow(
      decodeEvent(receipt("track-v1"), "5", { name: "a", timestamp: 5, _timestamp: "nonsense" }),
    )
    assert.strictEqual(at, 5000)
    assert.deepStrictEqual(
      faults.map(({ field, reason }) => [reason, field]),
      [["invalid", "_timestamp"]],
    )
  })

  const rows: ReadonlyArray<Row> = [
    ["no data", { name: "a" }, { data: {}, at: receivedAt, deduplicationKey: null }],
    [
      "null data",
      { name: "a", data: null, id: null, timestamp: null, type: null },
      { data: {}, kind: "event" },
    ],
    [
      "data keep their types",
      { name: "a", data: { n: 1.5, b: true, z: null, l: ["x", { y: 1 }] } },
      { data: { n: 1.5, b: true, z: null, l: ["x", { y: 1 }] } },
    ],
    ["data may be an array in no case", { name: "a", data: [] }, ["invalid data: event data must be a hash"]],
    ["data may be no text", { name: "a", data: "x" }, ["invalid data: event data must be a hash"]],
    [
      "keys of the prototype",
      JSON.parse('{"name":"a","data":{"__proto__":{"x":1},"constructor":2}}'),
      { data: JSON.parse('{"__proto__":{"x":1},"constructor":2}') },
    ],
    ["an id that is no ULID", { name: "a", id: "evt 123" }, { deduplicationKey: "evt 123" }],
    ["a number as id", { name: "a", id: 12 }, { deduplicationKey: "12" }],
    ["an empty id", { name: "a", id: "" }, { deduplicationKey: null }],
    ["an id of a wrong type", { name: "a", id: [] }, ["invalid id: id must be a string"]],
    [
      "an id beyond all bounds",
      { name: "a", id: "x".repeat(1001) },
      ["too_long id: id cannot be longer than 1000 bytes"],
    ],
    ["decimal timestamp", { name: "a", timestamp: 1_561_231_234.9 }, { at: 1_561_231_234_000 }],
    ["timestamp as digits", { name: "a", timestamp: "1561231234" }, { at: 1_561_231_234_000 }],
    [
      "timestamp in ISO 8601",
      { name: "a", timestamp: "2026-01-02T03:04:05.678Z" },
      { at: Date.parse("2026-01-02T03:04:05.678Z") },
    ],
    [
      "timestamp that is no time",
      { name: "a", timestamp: "2018-03-04T12:08:56.235 PDT" },
      ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
    ],
    ["type event", { name: "a", type: "event" }, { kind: "event" }],
    ["type page", { name: "/home", type: "page" }, { kind: "page", name: "/home" }],
    ["type screen", { name: "Home", type: "screen" }, { kind: "screen" }],
    [
      "another type",
      { name: "a", type: "click" },
      ["unknown_type type: event type must be one of event, page and screen"],
    ],
    [
      "a type that is no text",
      { name: "a", type: {} },
      ["unknown_type type: event type must be one of event, page and screen"],
    ],
    ["no name", {}, ["required name: event name must not be blank"]],
    ["a blank name", { name: " \t" }, ["required name: event name must not be blank"]],
    ["a name that is no text", { name: 5 }, ["invalid name: event name must be a string"]],
    ["a name of 100 bytes once trimmed", { name: ` ${"é".repeat(50)} ` }, { name: "é".repeat(50) }],
    [
      "a name of 101 bytes",
      { name: `${"é".repeat(50)}x` },
      ["too_long name: event name cannot be longer than 100 bytes"],
    ],
    [
      "a page without a name takes its url",
      { type: "page", data: { title: "t", url: " u " } },
      { name: "u" },
    ],
    ["then its path", { type: "page", data: { path: "p", name: "n" } }, { name: "p" }],
    ["then its name", { type: "screen", name: "", data: { name: "n", title: "t" } }, { name: "n" }],
    ["then its title", { type: "page", data: { title: "t", url: 5 } }, { name: "t" }],
    [
      "of these, one that is not too long",
      { type: "page", data: { url: "x".repeat(101), title: "t" } },
      { name: "t" },
    ],
    [
      "a page with names that are all too long",
      { type: "page", data: { url: "x".repeat(101) } },
      ["too_long name: event name cannot be longer than 100 bytes"],
    ],
    [
      "a page that nothing names",
      { type: "page", data: {} },
      ["required name: event name must not be blank"],
    ],
    [
      "everything that is wrong",
      { data: 1, timestamp: "x" },
      [
        "required name: event name must not be blank",
        "invalid data: event data must be a hash",
        "invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time",
      ],
    ],
    ["an anonymous id beside", { name: "a", anonymous_id: "an" }, { anonymousId: "an", kind: "event" }],
    ["no object", [], ["invalid : the body must be a JSON object"]],
  ]
  for (const [name, body, expected] of rows) {
    it(name, () => assertDecoded(decodeEvent(receipt("track-v1"), "5", body), expected))
  }

  it("measures data in bytes of JSON", () => {
    assertDecoded(decodeEvent(receipt("track-v1", roomy), "5", { name: "a", data: { a: "é".repeat(6) } }), {
      data: { a: "é".repeat(6) },
    })
    assertDecoded(
      decodeEvent(receipt("track-v1", roomy), "5", { name: "a", data: { a: `${"é".repeat(6)}x` } }),
      ["too_large data: event data cannot be longer than 20 bytes"],
    )
  })

  it("names a person by any identifier", () =>
    assertDecoded(decodeEvent(receipt("track-v1"), "a@b.io", { name: "a" }), {
      target: bare("a@b.io", byEmail("a@b.io")),
    }))
  it("measures the identifier", () =>
    assertDecoded(decodeEvent(receipt("track-v1"), "x".repeat(151), { name: "a" }), [
      "too_long identifier: id attribute cannot be longer than 150 bytes",
    ]))
})

describe("v1 anonymous event", () => {
  const rows: ReadonlyArray<Row> = [
    [
      "of a visitor",
      { name: "a", anonymous_id: "an" },
      { kind: "anonymous_event", target: byAnonymousId("an"), anonymousId: "an" },
    ],
    ["of a visitor with a number", { name: "a", anonymous_id: 123 }, { target: byAnonymousId("123") }],
    [
      "of nobody",
      { name: "invite", data: { recipient: "a@b.io" } },
      { kind: "anonymous_event", target: null, anonymousId: null, data: { recipient: "a@b.io" } },
    ],
    ["of nobody, the id empty", { name: "a", anonymous_id: "" }, { target: null }],
    [
      "a page view",
      { name: "a", anonymous_id: "an", type: "page" },
      { kind: "page", target: byAnonymousId("an") },
    ],
    ["a screen view of nobody", { name: "a", type: "screen" }, { kind: "screen", target: null }],
    [
      "an id of a wrong type",
      { name: "a", anonymous_id: {} },
      ["invalid anonymous_id: anonymous_id attribute must be a string value"],
    ],
    [
      "an id that is too long",
      { name: "a", anonymous_id: "é".repeat(76) },
      ["too_long anonymous_id: anonymous_id attribute cannot be longer than 150 bytes"],
    ],
    ["no name", { anonymous_id: "an" }, ["required name: event name must not be blank"]],
    ["no object", "x", ["invalid : the body must be a JSON object"]],
  ]
  for (const [name, body, expected] of rows) {
    it(name, () => assertDecoded(decodeAnonymousEvent(receipt("track-v1"), body), expected))
  }
  it("keeps a person's path apart", () =>
    assertDecoded(decodeEvent(receipt("track-v1"), "12345", { name: "a" }), {
      kind: "event",
      target: byId("12345"),
    }))
})
