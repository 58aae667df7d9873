import { assert, describe, it } from "@effect/vitest"
import { erasedCalls } from "@inlethq/core/log/RejectedCall"
import { Sequence } from "@inlethq/core/values/Identifier"

const placed = (texts: ReadonlyArray<string>) =>
  texts.map((text, index) => ({ sequence: Sequence.make(index + 1), call: { path: null, data: { text } } }))

const found = (texts: ReadonlyArray<string>, erased: Readonly<Record<string, number>>) =>
  erasedCalls(
    placed(texts),
    new Map(Object.entries(erased).map(([identifier, before]) => [identifier, Sequence.make(before)])),
  ).map((sequence) => texts[sequence - 1])

/** Texts of two letters, so that many identifiers begin alike, overlap, and contain one another. */
const textsOf = function* (letters: string, lengthMax: number): Generator<string> {
  if (lengthMax > 0)
    for (const rest of textsOf(letters, lengthMax - 1)) yield* [...letters].map((a) => a + rest)
  yield ""
}

describe("the search for erased identifiers in rejected calls", () => {
  it("finds each of many identifiers inside texts as a search for each alone does", () => {
    const texts = [...textsOf("aB", 9)]
    const identifiers = [...textsOf("Ab", 8)].filter(({ length }, index) => length >= 6 && index % 7 === 0)
    const folded = identifiers.map((identifier) => identifier.toLowerCase())
    const expected = texts.filter((text) => folded.some((one) => text.toLowerCase().includes(one)))
    assert.isAbove(expected.length, 100)
    assert.isBelow(expected.length, texts.length)
    const erased = Object.fromEntries(identifiers.map((identifier) => [identifier, 1_000_000]))
    assert.deepStrictEqual(found(texts, erased), expected)
  })

  it("finds a short identifier only as a whole text", () => {
    assert.deepStrictEqual(found([" Ada ", "adam", "to ada"], { ada: 10 }), [" Ada "])
  })

  it("finds a short identifier among the words of a body that is no JSON", () => {
    const bodies = ['{"id":"ada"', "id=ada&x=1", "{'id': 'adam'", String.raw`{"id":"\u0061da"`]
    const calls = bodies.map((data, index) => ({
      sequence: Sequence.make(index + 1),
      call: { path: null, data },
    }))
    assert.deepStrictEqual(
      erasedCalls(calls, new Map([["ada", Sequence.make(10)]])),
      [1, 2, 4].map((sequence) => Sequence.make(sequence)),
    )
  })

  it("finds identifiers only in calls that were recorded before they were erased", () => {
    const texts = ["x", "the person-1", "the person-12", "the person-1", "x", "x"]
    assert.deepStrictEqual(found(texts, { "person-1": 3, "person-12": 4 }), ["the person-1", "the person-12"])
    assert.deepStrictEqual(found(texts, { x: 2, X: 6 }), ["x", "x"])
    assert.deepStrictEqual(found(texts, { "PERSON-1": 5, "person-1": 3 }).length, 3)
  })
})
