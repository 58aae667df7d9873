import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeAnonymousEvent, decodeEvent } from "../src/track-v1/events.ts"
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
  envelopeFrom,
} from "./requests.ts"

type Row = readonly [name: string, body: unknown, expected: Expected]

const roomy = { ...workspace, limits: { ...workspace.limits, eventDataBytesMax: 20 } }

describe("Track v1 event", () => {
  it("the decoder reads every field of a Track v1 event", () => {
    const body = { name: " purchase ", id: "01HB4", timestamp: 1_561_231_234, data: { type: "socks" } }
    assert.deepStrictEqual(Result.getOrThrow(decodeEvent(receipt("track-v1"), "5", body)), {
      _tag: "RecordEvent",
      ...envelopeFrom("track-v1"),
      at: 1_561_231_234_000,
      followsReceipt: false,
      deduplicationKey: "01HB4",
      kind: "event",
      target: { _tag: "ByIdentifier", kind: "id", value: "5" },
      anonymousId: null,
      name: "purchase",
      data: { type: "socks" },
      device: null,
    })
  })

  it("a Track v1 event leaves out an invalid _timestamp and reports a fault", () => {
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
    ["accepts an event without data", { name: "a" }, { data: {}, at: receivedAt, deduplicationKey: null }],
    [
      "reads null data, id, timestamp and type as missing",
      { name: "a", data: null, id: null, timestamp: null, type: null },
      { data: {}, kind: "event" },
    ],
    [
      "stores data with their JSON types",
      { name: "a", data: { n: 1.5, b: true, z: null, l: ["x", { y: 1 }] } },
      { data: { n: 1.5, b: true, z: null, l: ["x", { y: 1 }] } },
    ],
    ["refuses data that are an array", { name: "a", data: [1] }, ["invalid data: event data must be a hash"]],
    ["refuses data that are a string", { name: "a", data: "x" }, ["invalid data: event data must be a hash"]],
    [
      "stores keys such as __proto__ as data",
      JSON.parse('{"name":"a","data":{"__proto__":{"x":1},"constructor":2}}'),
      { data: JSON.parse('{"__proto__":{"x":1},"constructor":2}') },
    ],
    ["accepts any text as id", { name: "a", id: "evt 123" }, { deduplicationKey: "evt 123" }],
    ["accepts a number as id", { name: "a", id: 12 }, { deduplicationKey: "12" }],
    ["reads an empty id as missing", { name: "a", id: "" }, { deduplicationKey: null }],
    ["refuses an id that is an array", { name: "a", id: [] }, ["invalid id: id must be a string"]],
    [
      "refuses an id of 1001 bytes",
      { name: "a", id: "x".repeat(1001) },
      ["too_long id: id cannot be longer than 1000 bytes"],
    ],
    ["reads a timestamp with decimals", { name: "a", timestamp: 1_561_231_234.9 }, { at: 1_561_231_234_000 }],
    [
      "reads a timestamp as text of digits",
      { name: "a", timestamp: "1561231234" },
      { at: 1_561_231_234_000 },
    ],
    [
      "reads a timestamp in ISO 8601",
      { name: "a", timestamp: "2026-01-02T03:04:05.678Z" },
      { at: Date.parse("2026-01-02T03:04:05.678Z") },
    ],
    [
      "keeps an event whose timestamp is no time, at the time of receipt",
      { name: "a", timestamp: "2018-03-04T12:08:56.235 PDT" },
      {
        at: receivedAt,
        followsReceipt: true,
        faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
      },
    ],
    ["accepts the type event", { name: "a", type: "event" }, { kind: "event" }],
    [
      "records the type page as a page view",
      { name: "/home", type: "page" },
      { kind: "page", name: "/home" },
    ],
    ["records the type screen as a screen view", { name: "Home", type: "screen" }, { kind: "screen" }],
    [
      "refuses an unknown type",
      { name: "a", type: "click" },
      ["unknown_type type: event type must be one of event, page and screen"],
    ],
    [
      "refuses a type that is not a string",
      { name: "a", type: {} },
      ["unknown_type type: event type must be one of event, page and screen"],
    ],
    ["refuses an event without a name", {}, ["required name: event name must not be blank"]],
    ["refuses a blank name", { name: " \t" }, ["required name: event name must not be blank"]],
    ["refuses a name that is not a string", { name: 5 }, ["invalid name: event name must be a string"]],
    ["accepts a name of 100 bytes after trimming", { name: ` ${"é".repeat(50)} ` }, { name: "é".repeat(50) }],
    [
      "refuses a name of 101 bytes",
      { name: `${"é".repeat(50)}x` },
      ["too_long name: event name cannot be longer than 100 bytes"],
    ],
    [
      "uses the url as the name of a page without a name",
      { type: "page", data: { title: "t", url: " u " } },
      { name: "u" },
    ],
    [
      "uses the path as the name of a page without a name and a url",
      { type: "page", data: { path: "p", name: "n" } },
      { name: "p" },
    ],
    [
      "uses the name in the data of a screen as its name",
      { type: "screen", name: "", data: { name: "n", title: "t" } },
      { name: "n" },
    ],
    [
      "uses the title as the name of a page without other names",
      { type: "page", data: { title: "t", url: 5 } },
      { name: "t" },
    ],
    [
      "skips a url that is too long for a name",
      { type: "page", data: { url: "x".repeat(101), title: "t" } },
      { name: "t" },
    ],
    [
      "refuses a page if all its names are too long",
      { type: "page", data: { url: "x".repeat(101) } },
      ["too_long name: event name cannot be longer than 100 bytes"],
    ],
    [
      "refuses a page without any name",
      { type: "page", data: {} },
      ["required name: event name must not be blank"],
    ],
    [
      "reports all faults of an event",
      { data: 1, timestamp: "x" },
      ["required name: event name must not be blank", "invalid data: event data must be a hash"],
    ],
    [
      "records the anonymous id of a person's event",
      { name: "a", anonymous_id: "an" },
      { anonymousId: "an", kind: "event" },
    ],
    [
      "refuses an anonymous id of a person's event that is neither text nor a number",
      { name: "a", anonymous_id: {} },
      ["invalid anonymous_id: anonymous_id attribute must be a string value"],
    ],
    [
      "refuses an anonymous id of a person's event of 151 bytes",
      { name: "a", anonymous_id: "x".repeat(151) },
      ["too_long anonymous_id: anonymous_id attribute cannot be longer than 150 bytes"],
    ],
    ["refuses an event body that is not an object", [], ["invalid : the body must be a JSON object"]],
  ]
  for (const [name, body, expected] of rows) {
    it(name, () => assertDecoded(decodeEvent(receipt("track-v1"), "5", body), expected))
  }

  it("the size of event data is limited by the bytes of its JSON", () => {
    assertDecoded(decodeEvent(receipt("track-v1", roomy), "5", { name: "a", data: { a: "é".repeat(6) } }), {
      data: { a: "é".repeat(6) },
    })
    assertDecoded(
      decodeEvent(receipt("track-v1", roomy), "5", { name: "a", data: { a: `${"é".repeat(6)}x` } }),
      ["too_large data: event data cannot be longer than 20 bytes"],
    )
  })

  it("a Track v1 event identifies the person by any identifier in the path", () =>
    assertDecoded(decodeEvent(receipt("track-v1"), "a@b.io", { name: "a" }), {
      target: bare("a@b.io", byEmail("a@b.io")),
    }))
  it("a Track v1 event refuses an identifier that is too long", () =>
    assertDecoded(decodeEvent(receipt("track-v1"), "x".repeat(151), { name: "a" }), [
      "too_long identifier: id attribute cannot be longer than 150 bytes",
    ]))
})

describe("Track v1 anonymous event", () => {
  const rows: ReadonlyArray<Row> = [
    [
      "records an event of an anonymous visitor",
      { name: "a", anonymous_id: "an" },
      { kind: "anonymous_event", target: byAnonymousId("an"), anonymousId: "an" },
    ],
    ["accepts a number as anonymous id", { name: "a", anonymous_id: 123 }, { target: byAnonymousId("123") }],
    [
      "records an event without an anonymous id",
      { name: "invite", data: { recipient: "a@b.io" } },
      { kind: "anonymous_event", target: null, anonymousId: null, data: { recipient: "a@b.io" } },
    ],
    ["reads an empty anonymous id as missing", { name: "a", anonymous_id: "" }, { target: null }],
    [
      "records a page view of a visitor",
      { name: "a", anonymous_id: "an", type: "page" },
      { kind: "page", target: byAnonymousId("an") },
    ],
    [
      "records a screen view without an anonymous id",
      { name: "a", type: "screen" },
      { kind: "screen", target: null },
    ],
    [
      "refuses an anonymous id that is an object",
      { name: "a", anonymous_id: {} },
      ["invalid anonymous_id: anonymous_id attribute must be a string value"],
    ],
    [
      "refuses an anonymous id that is too long",
      { name: "a", anonymous_id: "é".repeat(76) },
      ["too_long anonymous_id: anonymous_id attribute cannot be longer than 150 bytes"],
    ],
    [
      "refuses an anonymous event without a name",
      { anonymous_id: "an" },
      ["required name: event name must not be blank"],
    ],
    ["refuses an anonymous event that is not an object", "x", ["invalid : the body must be a JSON object"]],
  ]
  for (const [name, body, expected] of rows) {
    it(name, () => assertDecoded(decodeAnonymousEvent(receipt("track-v1"), body), expected))
  }
  it("a Track v1 event sent to a person's path is recorded as an event of that person", () =>
    assertDecoded(decodeEvent(receipt("track-v1"), "12345", { name: "a" }), {
      kind: "event",
      target: byId("12345"),
    }))
})
