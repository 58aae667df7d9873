import { assert, describe, it } from "@effect/vitest"
import { keepPreferences } from "../src/state/preferenceBounds.ts"
import { isJsonObject, type Json, type JsonObject } from "../src/values/Json.ts"
import { PreferencesDocument } from "../src/state/PreferencesDocument.ts"
import { numbers } from "../../../tools/testing/randomNumbers.ts"

/** Sets the value at a path on a copy of `from`. The tests compare `PreferencesDocument` with the result. */
const putByCopy = (from: Json, [key, ...rest]: ReadonlyArray<string>, value: Json): Json => {
  if (key === undefined) return value
  const fields = Object.entries(isJsonObject(from) ? from : {}).filter(([name]) => name !== key)
  const inner = isJsonObject(from) && Object.hasOwn(from, key) ? (from[key] ?? null) : null
  const next = putByCopy(inner, rest, value)
  return Object.fromEntries(next === null ? fields : [...fields, [key, next]])
}

const topicsOf = (preferences: JsonObject): number => {
  const { topics, ...others } = preferences
  const below = topics === undefined ? 0 : isJsonObject(topics) ? Object.keys(topics).length : 1
  return below + Object.keys(others).length
}

const values: ReadonlyArray<Json> = [
  true,
  false,
  null,
  "é\n",
  12.5,
  {},
  { a: 1, b: { c: "x" } },
  [1, { a: null }],
]

describe("a preferences document", () => {
  it("a preferences document has the same content, bytes and topics as a plain object after any changes and undone changes", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = numbers(seed)
      const one = <A>(of: ReadonlyArray<A>, otherwise: A): A => of[random(of.length)] ?? otherwise
      let expected: Json = one<Json>(
        [null, {}, { topics: { t: true }, channels: { email: { on: 1 } } }],
        null,
      )
      const document = new PreferencesDocument(expected)
      for (let step = 0; step < 20; step++) {
        const path = Array.from({ length: 1 + random(3) }, () => one(["topics", "a", "t", "email"], ""))
        const value = one(values, null)
        const undo = document.put(path, value)
        if (random(3) === 0) undo()
        else expected = putByCopy(expected, path, value)
        const object = isJsonObject(expected) ? expected : {}
        assert.deepStrictEqual(document.toJson(), object)
        assert.strictEqual(document.bytes, Buffer.byteLength(JSON.stringify(object)))
        assert.strictEqual(document.topics, topicsOf(object))
      }
    }
  })

  it("an update keeps the topics that fit into the limit and adds a fault for each topic that does not fit", () => {
    const preferences = { topics: { a: true, b: true, c: true }, channels: { email: true } }
    const bounds = { preferencesBytesMax: 1000, topicsPerPersonMax: 2 }
    const { faults, kept } = keepPreferences(preferences, bounds)
    assert.deepStrictEqual(kept, { topics: { a: true, b: true } })
    assert.deepStrictEqual(
      faults.map(({ field }) => field),
      ["svc_subscription_preferences.topics.c", "svc_subscription_preferences.channels"],
    )
  })
})
