import { assert, describe, it } from "@effect/vitest"
import { svcIdText, SubjectKey } from "@inlet/core/values/Identifier"
import { Result } from "effect"
import { errorBody, errorsBody } from "@inlet/api/track-v1/answers"
import { decodeDelete, decodeIdentify } from "@inlet/api/track-v1/people"
import { defaultBrand, makeBrand } from "@inlet/api/wire/Brand"
import {
  assertDecoded,
  assignments,
  bare,
  byEmail,
  byId,
  bySvcId,
  emailOnly,
  idOnly,
  receipt,
  receivedAt,
  workspace,
  type Expected,
} from "./requests.ts"
import { many } from "./tables.ts"

const differing = (kind: string) => [`invalid ${kind}: ${kind} differs from the ${kind} that is addressed`]
const noTime = (name: string) => [`invalid ${name}: ${name} must be Unix seconds or an ISO 8601 date-time`]

const svc42 = svcIdText(SubjectKey.make(42))
const longEmail = `${"x".repeat(995)}@a.io`
const svc43 = svcIdText(SubjectKey.make(43))

type Row = readonly [
  name: string,
  identifier: string,
  body: unknown,
  expected: Expected,
  over?: typeof workspace,
]

const table = (title: string, rows: ReadonlyArray<Row>) =>
  describe(title, () => {
    for (const [name, identifier, body, expected, over] of rows) {
      it(name, () => assertDecoded(decodeIdentify(receipt("track-v1", over), identifier, body), expected))
    }
  })

describe("v1 identify", () => {
  it("fills the whole envelope", () => {
    assert.deepStrictEqual(
      Result.getOrThrow(decodeIdentify(receipt("track-v1"), "5", { first_name: "Bob" })),
      {
        _tag: "IdentifyPerson",
        workspace,
        source: "track-v1",
        receivedAt,
        at: receivedAt,
        followsReceipt: true,
        originalTimestamp: null,
        batchIndex: null,
        deduplicationKey: null,
        faults: [],
        target: { _tag: "ByIdentifier", kind: "id", value: "5" },
        id: null,
        email: null,
        removeEmail: false,
        anonymousId: null,
        assignments: [{ name: "first_name", value: "Bob" }],
        relationships: null,
        device: null,
        updateOnly: false,
      },
    )
  })

  table("names a person by the path", [
    ["id", "5", {}, { target: byId("5") }],
    ["id with a slash", "user/with/slashes", {}, { target: byId("user/with/slashes") }],
    ["id is not trimmed", "5 ", {}, { target: byId("5 ") }],
    ["phone number", "+4930123456", {}, { target: byId("+4930123456") }],
    ["email", "a@b.io", {}, { target: bare("a@b.io", byEmail("a@b.io")) }],
    ["email where it is no identifier", "a@b.io", {}, { target: byId("a@b.io") }, idOnly],
    ["a name that looks like no email", "a@b", {}, { target: byId("a@b") }],
    ["email of 1000 bytes", longEmail, {}, { target: bare(longEmail, byEmail(longEmail)) }],
    [
      "email of 1001 bytes",
      `x${longEmail}`,
      {},
      ["too_long identifier: email attribute cannot be longer than 1000 bytes"],
    ],
    ["svc_id", `svc_${svc42}`, {}, { target: bare(`svc_${svc42}`, bySvcId(42)) }],
    ["svc_id in the other spelling", `cio_${svc42}`, {}, { target: bare(`cio_${svc42}`, bySvcId(42)) }],
    ["svc_id that is none of ours", "cio_347f00d", {}, { target: bare("cio_347f00d", bySvcId(null)) }],
    ["150 bytes", "é".repeat(75), {}, { target: byId("é".repeat(75)) }],
    [
      "151 bytes",
      `${"é".repeat(75)}x`,
      {},
      ["too_long identifier: id attribute cannot be longer than 150 bytes"],
    ],
    ["nothing", "", {}, ["required identifier: id attribute must be present"]],
  ])

  table("takes identifiers out of the body", [
    ["email", "5", { email: "A@b.io" }, { target: byId("5"), email: "A@b.io", assignments: [] }],
    ["id beside an email in the path", "a@b.io", { id: "5" }, { id: "5" }],
    ["id as a number", "5", { id: 5 }, { target: byId("5"), id: "5" }],
    ["another id is left to be decided", "1234", { id: "5" }, { target: byId("1234"), id: "5" }],
    ["anonymous_id", "5", { anonymous_id: "an" }, { anonymousId: "an", assignments: [] }],
    ["anonymous_id as a number", "5", { anonymous_id: 12 }, { anonymousId: "12" }],
    [
      "null and empty are absent",
      "5",
      { id: null, email: "", anonymous_id: null, cio_id: "" },
      { id: null, email: null, anonymousId: null, assignments: [] },
    ],
    [
      "email where it is no identifier",
      "5",
      { email: "a@b.io" },
      { email: null, assignments: assignments(["email", "a@b.io"]) },
      idOnly,
    ],
    [
      "id where it is no identifier",
      "a@b.io",
      { id: "" },
      { id: null, assignments: assignments(["id", ""]) },
      emailOnly,
    ],
    [
      "svc_id leads",
      "5",
      { svc_id: svc42, email: "a@b.io" },
      { target: bySvcId(42), id: "5", email: "a@b.io" },
    ],
    [
      "svc_id leads in the other spelling, with its prefix",
      "5",
      { cio_id: `cio_${svc42}` },
      { target: bySvcId(42), id: "5" },
    ],
    [
      "svc_id leads over an email in the path",
      "a@b.io",
      { svc_id: svc42, email: "A@B.io" },
      { target: bySvcId(42), email: "a@b.io" },
    ],
    [
      "svc_id in path and body",
      `cio_${svc42}`,
      { cio_id: svc42, id: 5 },
      { target: bare(`cio_${svc42}`, bySvcId(42)), id: "5", assignments: [] },
    ],
    [
      "svc_id of somebody else in the body",
      `cio_${svc42}`,
      { cio_id: svc43 },
      {
        target: bare(`cio_${svc42}`, bySvcId(42)),
        faults: differing("svc_id"),
      },
    ],
    [
      "svc_id leads, another id in the body loses",
      "5",
      { svc_id: svc42, id: "6" },
      { target: bySvcId(42), id: "5", faults: differing("id") },
    ],
    ["empty id", "5", { id: "" }, ["invalid id: id attribute cannot be an empty string"]],
    ["id of a wrong type", "5", { id: { a: 1 } }, ["invalid id: id attribute must be a string value"]],
    [
      "email of a wrong type",
      "5",
      { email: true },
      ["invalid email: email attribute must be a string value"],
    ],
    [
      "id of 151 bytes",
      "5",
      { id: "x".repeat(151) },
      ["too_long id: id attribute cannot be longer than 150 bytes"],
    ],
    [
      "anonymous_id of 151 bytes",
      "5",
      { anonymous_id: "x".repeat(151) },
      ["too_long anonymous_id: anonymous_id attribute cannot be longer than 150 bytes"],
    ],
  ])

  table("reads attributes", [
    [
      "any JSON",
      "5",
      { a: "1", b: 2, c: true, d: { e: [1] }, f: [], g: null, h: "" },
      {
        assignments: assignments(
          ["a", "1"],
          ["b", 2],
          ["c", true],
          ["d", { e: [1] }],
          ["f", []],
          ["g", null],
          ["h", ""],
        ),
      },
    ],
    [
      "names as they are",
      "5",
      { _city: "x", "dot.name": "y", Plan: 1, plan: 2, timestamp: 3 },
      {
        assignments: assignments(
          ["_city", "x"],
          ["dot.name", "y"],
          ["Plan", 1],
          ["plan", 2],
          ["timestamp", 3],
        ),
      },
    ],
    [
      "preferences in both spellings",
      "5",
      {
        cio_subscription_preferences: { topics: {} },
        "cio_subscription_preferences.topics.a": true,
        "svc_subscription_preferences.topics.b": false,
      },
      {
        assignments: assignments(
          ["svc_subscription_preferences", { topics: {} }],
          ["svc_subscription_preferences.topics.a", true],
          ["svc_subscription_preferences.topics.b", false],
        ),
      },
    ],
    [
      "a custom name with the brand's prefix",
      "5",
      { cio_plan: 1 },
      { assignments: assignments(["cio_plan", 1]) },
    ],
    [
      "created_at",
      "5",
      { created_at: 1_571_043_797 },
      { assignments: assignments(["created_at", 1_571_043_797]) },
    ],
    [
      "created_at as decimal",
      "5",
      { created_at: 1_571_043_797.9 },
      { assignments: assignments(["created_at", 1_571_043_797]) },
    ],
    [
      "created_at as digits",
      "5",
      { created_at: "1795170096" },
      { assignments: assignments(["created_at", 1_795_170_096]) },
    ],
    [
      "created_at as ISO 8601",
      "5",
      { created_at: "2026-11-20T10:21:36.995Z" },
      { assignments: assignments(["created_at", 1_795_170_096]) },
    ],
    ["created_at removed", "5", { created_at: null }, { assignments: assignments(["created_at", null]) }],
    [
      "created_at that is no time",
      "5",
      { created_at: "25 Mar 2015", a: 1 },
      { assignments: assignments(["a", 1]), faults: noTime("created_at") },
    ],
    [
      "_timestamp",
      "5",
      { _timestamp: 1_571_043_797, a: 1 },
      { at: 1_571_043_797_000, assignments: assignments(["a", 1]) },
    ],
    [
      "_timestamp that is no time",
      "5",
      { _timestamp: "soon" },
      { at: receivedAt, faults: noTime("_timestamp") },
    ],
    ["_update", "5", { _update: true }, { updateOnly: true, assignments: [] }],
    ["_update false", "5", { _update: false }, { updateOnly: false, assignments: [] }],
    ...[true, 1, "1", "true", "TRUE"].map((value): Row => [
      `unsubscribed ${JSON.stringify(value)}`,
      "5",
      { unsubscribed: value },
      { assignments: assignments(["unsubscribed", true]) },
    ]),
    ...[false, 0, "0", "false", "yes", null, "", 2, {}].map((value): Row => [
      `unsubscribed ${JSON.stringify(value)}`,
      "5",
      { unsubscribed: value },
      { assignments: assignments(["unsubscribed", false]) },
    ]),
    [
      "keys of the prototype",
      "5",
      JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":1}'),
      { assignments: assignments(["__proto__", { a: 1 }], ["constructor", "c"], ["toString", 1]) },
    ],
  ])

  table("keeps the limits", [
    ["name of 150 bytes", "5", { ["é".repeat(75)]: 1 }, { assignments: assignments(["é".repeat(75), 1]) }],
    [
      "name of 151 bytes",
      "5",
      { [`${"é".repeat(75)}x`]: 1 },
      ["too_long : attribute name cannot be longer than 150 bytes"],
    ],
    [
      "value of 1000 bytes",
      "5",
      { a: "€".repeat(333) + "x" },
      { assignments: assignments(["a", "€".repeat(333) + "x"]) },
    ],
    [
      "value of 1001 bytes",
      "5",
      { a: "€".repeat(333) + "xy" },
      ["too_long a: value for attribute 'a' cannot be longer than 1000 bytes"],
    ],
    [
      "JSON of 1000 bytes",
      "5",
      { a: ["x".repeat(996)] },
      { assignments: assignments(["a", ["x".repeat(996)]]) },
    ],
    [
      "JSON of 1001 bytes",
      "5",
      { a: ["x".repeat(997)] },
      ["too_long a: value for attribute 'a' cannot be longer than 1000 bytes"],
    ],
    [
      "300 attributes beside those with a place of their own",
      "5",
      {
        ...many(300),
        email: "a@b.io",
        created_at: 1,
        unsubscribed: false,
        _update: true,
        "svc_subscription_preferences.topics.a": true,
      },
      { email: "a@b.io" },
    ],
    [
      "301 attributes",
      "5",
      many(301),
      ["too_many : cannot identify more than 300 attributes in one request"],
    ],
    [
      "everything that is wrong",
      "",
      { id: "", a: "x".repeat(1001) },
      [
        "required identifier: id attribute must be present",
        "invalid id: id attribute cannot be an empty string",
        "too_long a: value for attribute 'a' cannot be longer than 1000 bytes",
      ],
    ],
  ])

  table("wants an object", [
    ["an array", "5", [], ["invalid : the body must be a JSON object"]],
    ["contract §16 null body: null is an empty object", "5", null, { target: byId("5"), assignments: [] }],
    ["a text", "5", "x", ["invalid : the body must be a JSON object"]],
  ])
})

describe("v1 delete", () => {
  it("names whom", () =>
    assertDecoded(decodeDelete(receipt("track-v1"), "1/"), {
      _tag: "DeletePerson",
      target: byId("1/"),
      at: receivedAt,
    }))
  it("measures the identifier", () =>
    assertDecoded(decodeDelete(receipt("track-v1"), "x".repeat(151)), [
      "too_long identifier: id attribute cannot be longer than 150 bytes",
    ]))
})

describe("v1 answers", () => {
  const faults = [
    { reason: "invalid", field: "a", message: "one" },
    { reason: "invalid", field: "b", message: "two" },
  ] as const
  it("one error", () => assert.deepStrictEqual(errorBody(faults), { meta: { error: "one; two" } }))
  it("errors", () => assert.deepStrictEqual(errorsBody(faults), { meta: { errors: ["one", "two"] } }))
})

describe("another brand", () => {
  const brand = makeBrand(["acme", "svc"])
  it("reads all its prefixes and no other", () => {
    const own = { ...receipt("track-v1"), brand }
    assertDecoded(
      decodeIdentify(own, `acme_${svc42}`, { "acme_subscription_preferences.topics.a": true, cio_id: "x" }),
      {
        target: bare(`acme_${svc42}`, bySvcId(42)),
        assignments: assignments(["svc_subscription_preferences.topics.a", true], ["cio_id", "x"]),
      },
    )
    assertDecoded(decodeIdentify(own, "cio_x", {}), { target: byId("cio_x") })
    assert.deepStrictEqual(defaultBrand.prefixes, ["svc_", "cio_"])
  })
})
