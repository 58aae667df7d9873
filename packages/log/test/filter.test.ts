import { assert, describe, it } from "@effect/vitest"
import { parseFilter, filterLengthMax, WrongFilter } from "../src/filter/parseFilter.ts"
import { indexedPart } from "../src/filter/indexedPart.ts"
import { namedSubjects } from "../src/filter/namedSubjects.ts"
import { entryMatcher } from "../src/filter/matchFilter.ts"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { dropTexts } from "@inlethq/core/log/operationTexts"
import { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Result, Schema } from "effect"
import { EntryFilter, FilterTerm } from "../src/filter/EntryFilter.ts"
import { withCodes } from "../src/filter/withCodes.ts"
import { printFilter } from "../src/filter/printFilter.ts"
import { entryWith } from "./entries.ts"

const entry = entryWith({
  operation_id: "op11000000007-2",
  name: "Order Placed: web",
  outcome: "dropped",
  reasons: [dropTexts.unknownSvcId()],
  rule: "contract §6 unknown people",
  subject: {
    svc_id: "p11000000001",
    id: "ada-1",
    email: "Ada@Example.com",
    name: null,
    anonymous_id: null,
    object_type_id: "1",
    object_id: "acme",
  },
  id: "evt,1",
})

const parsed = (text: string): EntryFilter => Result.getOrThrow(parseFilter(text))

const matches = (text: string, over: Partial<ActivityDocument> = {}): boolean =>
  entryMatcher(parsed(text))({ ...entry, ...over })

describe("matching where calls came from", () => {
  const from: Partial<ActivityDocument> = {
    context: {
      page: { path: "/pricing", url: "https://example.com/pricing?x=1" },
      campaign: { name: "spring" },
      app: { name: "Shop", version: "2.1" },
      library: { name: "analytics.js", version: "2" },
    },
    geo: { country: "DE" },
    bot: true,
  }
  it.each([
    "page:/pricing",
    "page:*x=1",
    "campaign:spring,summer",
    "app:Shop",
    "app:Shop/2.*",
    "library:analytics.js/2 country:DE,AT",
    "bot:true",
    "-bot:false",
  ])("%s matches", (text) => {
    assert.isTrue(matches(text, from))
  })
  it.each(["page:/", "campaign:autumn", "app:2.1", "library:analytics.js/1", "-country:DE", "bot:false"])(
    "%s does not match",
    (text) => {
      assert.isFalse(matches(text, from))
    },
  )
  it("an entry that does not say where it came from matches only bot:false", () => {
    for (const text of ["page:*", "campaign:*", "app:*", "country:*", "library:*", "bot:true"])
      assert.isFalse(matches(text), text)
    assert.isTrue(matches("bot:false"))
  })
})

describe("matching entries", () => {
  it.each([
    "",
    "   ",
    "kind:event",
    "kind:page,event",
    "kind:*ent outcome:dropped",
    "-outcome:applied",
    "-outcome:applied,created kind:event",
    'name:"Order Placed: web"',
    "name:Order*web",
    'name:"Order *: web"',
    "name:Order\\ Placed\\:\\ web",
    "source:track-*",
    'rule:"* §6 *"',
    "reason:*svc_id*",
    "reason:unknown_svc_id",
    "reason:unknown_*",
    'reason:"no person"',
    "reason:cio_id",
    "person:ada-1",
    "person:p11000000001",
    "person:svc_p11000000001",
    "person:ada@example.com",
    "person:ADA@*",
    "object:acme",
    "object:1/acme",
    "object:1/*",
    "operation:op11000000007-2",
    "operation:op11000000007",
    'id:"evt,1"',
    "id:evt\\,1",
    "Order",
    '"Order P"',
    "ada",
    "AdA@example",
    "acme",
    "1/ac",
    "op110",
    "evt",
    "*Placed",
    "nobody,ada",
    "-nobody",
    "-person:bob -name:other",
  ])("matches the entry: %s", (text) => assert.isTrue(matches(text)))

  it.each([
    "kind:page",
    "-kind:event",
    "-kind:page,event",
    "kind:event outcome:applied",
    "name:Order",
    "name:order*",
    "person:ada",
    "object:2/acme",
    "operation:op11000000007-3",
    "laced",
    "-ada",
    "nobody",
    "source:csv",
    "reason:erson",
    "reason:unknown_svc",
    "reason:no_person",
  ])("does not match the entry: %s", (text) => assert.isFalse(matches(text)))

  it("a wildcard matches any present value, and an excluded wildcard matches a missing value", () => {
    assert.isTrue(matches("reason:*"))
    assert.isFalse(matches("-reason:*"))
    assert.isFalse(matches("reason:*", { reasons: [] }))
    assert.isTrue(matches("-reason:*", { reasons: [] }))
  })

  it("selects the operations with which somebody entered or left a segment by rule", () => {
    const effects = [
      { svc_id: "p11000000001", segment_id: SubjectKey.make(3), version: 1, change: "entered" as const },
      { svc_id: "p11000000002", segment_id: SubjectKey.make(4), version: 2, change: "left" as const },
    ]
    const found = [
      "entered:3",
      "left:3",
      "entered:4,3",
      "left:4 entered:3",
      "segment:4",
      "segment:5",
      "-entered:*",
    ].filter((text) => matches(text, { effects }))
    assert.deepStrictEqual(found, ["entered:3", "entered:4,3", "left:4 entered:3", "segment:4"])
    assert.isFalse(matches("entered:*"))
  })

  it("the filter language treats an escaped wildcard as a literal character", () => {
    assert.isFalse(matches("name:Order\\*"))
    assert.isTrue(matches("name:5\\*", { name: "5*" }))
    assert.isFalse(matches("name:5\\*", { name: "50" }))
    assert.isTrue(matches('name:"5\\""', { name: '5"' }))
  })
})

describe("invalid filters", () => {
  it.each([
    ["colour:red", 0, "`colour:red` at character 1 has an unknown key: expected one of kind, outcome, name"],
    ["kind:event colour:red x", 11, "`colour:red` at character 12 has an unknown key"],
    ["-http://x", 0, "put quotes around a text that contains a colon"],
    [
      "outcome:aplied",
      0,
      "`outcome:aplied` at character 1 matches no outcome: expected one of applied, created",
    ],
    ["kind:event,evnt", 0, "matches no kind: expected one of identify"],
    ["source:x*", 0, "matches no source: expected one of track-v1"],
    ["name:", 0, "`name:` at character 1 has no value"],
    ["name:a,", 0, "`name:a,` at character 1 has no value"],
    ["ada -", 4, "`-` at character 5 has no value"],
    ['name:""', 0, "has no value"],
    ['name:"a', 0, '`name:"a` at character 1 has no closing quote'],
    ['name:"a"b', 0, "has a quote inside a value"],
    ['name:a"b', 0, "has a quote inside a value"],
    ["name:a\\", 0, "ends with a backslash"],
    ["x".repeat(filterLengthMax + 1), 0, "a filter has at most 1000 characters"],
  ])("reports the invalid term of the filter %j", (text, offset, message) => {
    const wrong = Result.merge(parseFilter(text))
    assert.instanceOf(wrong, WrongFilter)
    assert.include(wrong.message, message)
    assert.strictEqual(wrong.offset, offset)
  })
})

describe("properties of the filter language", () => {
  it.prop(
    "a filter that is printed and parsed again is the same filter",
    [EntryFilter],
    ([filter]) => {
      const closed = filter.filter(
        ({ key }) => key !== "kind" && key !== "outcome" && key !== "source" && key !== "plan",
      )
      const text = printFilter(closed)
      if (text.length <= filterLengthMax) assert.deepStrictEqual(parsed(text), closed)
    },
    { arbitrary: { runs: 300 } },
  )

  const alphabet = ["-", '"', ",", ":", "*", "\\", " ", "a", "kind", "name", "event", "\t"] as const
  const texts = Schema.Array(Schema.Literals(alphabet)).check(Schema.isMaxLength(12))

  it.prop(
    "the parser never throws, and a parsed filter does not change when it is printed and parsed again",
    [texts, Schema.String],
    ([pieces, any]) => {
      for (const text of [pieces.join(""), any, pieces.join("") + any]) {
        const result = parseFilter(text)
        if (Result.isFailure(result)) {
          assert.isBelow(result.failure.offset, Math.max(1, text.length))
          continue
        }
        const printed = printFilter(result.success)
        assert.deepStrictEqual(parsed(printed), result.success)
        assert.strictEqual(printFilter(parsed(printed)), printed)
      }
    },
    { arbitrary: { runs: 1000 } },
  )

  it.prop(
    "a filter matches the entries that meet all its terms, and an excluded term matches all other entries",
    [Schema.Array(FilterTerm).check(Schema.isMaxLength(3))],
    ([filter]) => {
      const all = entryMatcher(filter)(entry)
      assert.strictEqual(
        all,
        filter.every((term) => entryMatcher([term])(entry)),
      )
      for (const term of filter) {
        const opposite = { ...term, isExcluded: !term.isExcluded }
        assert.notStrictEqual(entryMatcher([term])(entry), entryMatcher([opposite])(entry))
      }
    },
    { arbitrary: { runs: 300 } },
  )
})

describe("a filter that is kept", () => {
  it.each([
    ["reason:stale -outcome:applied", "reason:stale -outcome:applied"],
    ['reason:"was received before"', "reason:duplicate"],
    ['-reason:"*received before",stale', "-reason:duplicate,stale"],
    ["reason:*", "reason:*"],
    ["reason:nothing", "reason:nothing"],
  ])("%s is kept as %s", (text, kept) => assert.strictEqual(printFilter(withCodes(parsed(text))), kept))
})

describe("the indexed part of a filter", () => {
  it.each([
    ["kind:event outcome:dropped name:a person:x", { kind: "event", outcome: "dropped", name: "a" }],
    ["kind:event,page -outcome:dropped name:a*", { kind: null, outcome: null, name: null }],
    ["kind:ev* outcome:applied outcome:dropped", { kind: null, outcome: "applied", name: null }],
    ["", { kind: null, outcome: null, name: null }],
    [
      'rule:"track-api §2.5",x reason:"is missing"',
      { rules: ["track-api §2.5", "x"], reasons: ["is missing"] },
    ],
    ["rule:track* -rule:x reason:*", { rules: null, reasons: "any" }],
    ["-reason:x rule:a rule:b", { rules: ["a"], reasons: null }],
    ["reason:a,*b", { reasons: "any" }],
    ["reason:stale,duplicate", { reasons: ["stale", "duplicate"] }],
    ['reason:"was received before"', { reasons: ["was received before", "duplicate"] }],
  ] as const)("matches at least the entries that the whole filter matches: %s", (text, part) =>
    assert.deepStrictEqual(indexedPart(parsed(text)), { ...nothingIndexed, ...part }),
  )

  it.each([
    ["person:ada,bob", { people: ["ada", "bob"] }],
    ["person:a* object:acme", { objects: [{ typeId: null, objectId: "acme" }] }],
    ["-person:ada", null],
    ["ada", null],
    [
      "object:1/a/b",
      {
        objects: [
          { typeId: null, objectId: "1/a/b" },
          { typeId: "1", objectId: "a/b" },
          { typeId: "1/a", objectId: "b" },
        ],
      },
    ],
    ["person:p11000000002", { people: ["p11000000002"], keys: [2] }],
    ["person:svc_p11000000002", { people: ["svc_p11000000002"], keys: [2] }],
    ["person:cio_p11000000002", { people: ["cio_p11000000002"], keys: [2] }],
    ["person:p12000000002", { people: ["p12000000002"] }],
  ] as const)("names the people and objects that the entries are about: %s", (text, part) =>
    assert.deepStrictEqual(
      namedSubjects(parsed(text), WorkspaceId.make(1)),
      part === null
        ? null
        : {
            people: [],
            objects: [],
            ...part,
            keys: "keys" in part ? part.keys.map((key) => SubjectKey.make(key)) : [],
          },
    ),
  )
})

const nothingIndexed = { kind: null, outcome: null, name: null, rules: null, reasons: null }
