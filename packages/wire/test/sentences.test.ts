import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { quoteValue } from "@inlethq/core/log/ErrorText"
import { decisionTexts, dropTexts, ignoreTexts, listTexts, noteTexts } from "@inlethq/core/log/operationTexts"
import { planTexts } from "@inlethq/core/plan/planTexts"
import { reasonsOf } from "@inlethq/core/log/reasonsOf"
import { bodyTexts } from "../src/texts/bodyTexts.ts"
import { rowTexts } from "../src/texts/csvTexts.ts"
import { pathTexts } from "../src/texts/pathTexts.ts"
import { pipelinesTexts } from "../src/texts/pipelinesTexts.ts"
import { reasonTexts } from "../src/texts/reasonTexts.ts"
import { messageOf, reasonInBrand, sentenceOf } from "../src/texts/sentences.ts"
import {
  attributeTexts,
  eventTexts,
  identifierTexts,
  requestTexts,
  resourceTexts,
  valueTexts,
} from "../src/texts/wireTexts.ts"
import { Result } from "effect"
import { receipt } from "./requests.ts"

const catalogues = [
  dropTexts,
  ignoreTexts,
  decisionTexts,
  listTexts,
  requestTexts,
  bodyTexts,
  pathTexts,
  noteTexts,
  valueTexts,
  identifierTexts,
  attributeTexts,
  eventTexts,
  resourceTexts,
  pipelinesTexts,
  planTexts,
  rowTexts,
]

const stale = (field: string) =>
  decisionTexts.stale(field, { sent: "2026-01-01T00:00:00.000Z", stored: "2026-01-02T00:00:00.000Z" })

describe("the codes of reasons", () => {
  it("a code is words with underscores, and no two texts have the same", () => {
    const codes = catalogues.flatMap((texts) => Object.values(texts).map(({ code }) => code))
    for (const code of codes) assert.match(code, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
    assert.strictEqual(new Set(codes).size, codes.length)
    assert.deepStrictEqual(new Set(reasonTexts.keys()), new Set(codes))
  })

  it("a code of another version is its own message", () =>
    assert.strictEqual(messageOf("svc", { code: "not_known", field: "", values: {} }), "not_known"))
})

describe("the sentence of reasons", () => {
  const { takenIdentifier } = decisionTexts

  it("lists stale attributes together, after the other reasons", () =>
    assert.strictEqual(
      sentenceOf(
        "svc",
        reasonsOf([stale("attributes.plan"), takenIdentifier("email"), stale("attributes.city")]),
      ),
      "email: email belongs to another person; stale: attributes.plan, attributes.city (newer values are stored)",
    ))

  it("counts what it does not list", () => {
    const wrong = Array.from({ length: 21 }, () => takenIdentifier("id"))
    const long = Array.from({ length: 300 }, (_, i) => stale(`${"x".repeat(1000)}${i}`))
    const sentence = sentenceOf("svc", reasonsOf([...wrong, ...long])) ?? ""
    assert.include(sentence, "; and 1 more; stale: ")
    assert.include(sentence, ", and 284 more (newer values are stored)")
  })

  it("there is none without reasons", () => assert.isNull(sentenceOf("svc", [])))
})

describe("the brand of a sentence", () => {
  it("contract §1 written brand: it changes what the server writes", () => {
    const unknown = decisionTexts.unknownPerson("svc_relationships.0.identifiers.svc_id")
    assert.strictEqual(
      sentenceOf("cio", [unknown]),
      "cio_relationships.0.identifiers.cio_id: unknown cio_id (no person has it)",
    )
    assert.strictEqual(
      messageOf("cio", identifierTexts.notUsed("identifiers.svc_id", { kind: "svc_id" })),
      "cio_id does not identify people in this workspace",
    )
  })

  it("contract §1 written brand: what a client sent stays as it was sent", () => {
    const action = requestTexts.unknownAction("action", {
      action: quoteValue("svc_id"),
      type: "person",
      actions: "identify",
    })
    assert.include(messageOf("cio", action), 'unknown action "svc_id" for person')
    assert.deepStrictEqual(reasonInBrand("cio", action).values, action.values)
    const key = eventTexts.dataUnfit("data.svc_id", { key: "svc_id", levels: 100 })
    assert.include(sentenceOf("cio", [key]) ?? "", "data.svc_id: event data 'svc_id' is nested deeper")
  })
})

/** Loads the decoders and decides what they make of calls with faults, with other words in every catalogue. */
const decided = async (prefix: string) => {
  vi.resetModules()
  vi.doMock("@inlethq/core/log/ErrorText", async (original) => {
    const real = await original<typeof import("@inlethq/core/log/ErrorText")>()
    return {
      ...real,
      errorText: (template: string, remedy: string) => real.errorText(prefix + template, remedy),
      faultText: (...[reason, template, remedy, rule]: Parameters<typeof real.faultText>) =>
        real.faultText(reason, prefix + template, remedy, rule),
    }
  })
  const { decodeEntity } = await import("../src/track-v2/entity.ts")
  const { reasonsOf } = await import("@inlethq/core/log/reasonsOf")
  const { remediesOf, sentenceOf } = await import("../src/texts/sentences.ts")
  const { codesSaying } = await import("../src/texts/reasonCodes.ts")
  vi.doUnmock("@inlethq/core/log/ErrorText")
  const items = [
    { type: "person", action: "svc_id", identifiers: { id: "5" } },
    { type: "person", action: "event", identifiers: { id: "5" }, timestamp: "x" },
    { type: "person", action: "identify", identifiers: { id: "x".repeat(200) }, attributes: 5 },
    { type: "unknown" },
    { type: "person", action: "identify", identifiers: { id: "5" }, attributes: { created_at: "never" } },
  ]
  const reasons = items.map((item) => reasonsOf(Result.merge(decodeEntity(receipt("track-v2"), item)).faults))
  return {
    stored: JSON.stringify(reasons),
    advice: reasons.map((all) => remediesOf("svc", all)),
    filters: reasons.flatMap((all) => all.map(({ code }) => codesSaying([code]))),
    sentences: reasons.map((all) => sentenceOf("svc", all)),
  }
}

describe("another wording of every text", () => {
  // Test files share their modules.
  afterAll(() => vi.resetModules())

  it("changes the sentences, but nothing that is stored, no advice and no filter by code", async () => {
    const before = await decided("")
    const { sentences, ...after } = await decided("Reworded: ")
    assert.deepStrictEqual(after, {
      stored: before.stored,
      advice: before.advice,
      filters: before.filters,
    })
    assert.isAbove(before.stored.length, 300)
    for (const [i, sentence] of sentences.entries()) {
      assert.include(sentence ?? "", "Reworded: ")
      assert.notStrictEqual(sentence, before.sentences[i])
    }
  })
})
