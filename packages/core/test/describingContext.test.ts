import { assert, describe, it } from "@effect/vitest"
import { descriptionOf, joinContext, ownBeside, splitContext } from "@inlethq/core/log/describingContext"
import { sameJson, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { Arbitrary } from "effect"
import { propertyOptions } from "./propertyOptions.ts"
import { oneOf } from "./scripts.ts"

const long = "x".repeat(300)
const pair = (key: string, value: Json): readonly [string, Json] => [key, value]

/** Keys that describe clients and keys that do not, with values that may and that may not, in any order. */
const contexts = Arbitrary.array(
  oneOf(
    pair("userAgent", "Mozilla"),
    pair("userAgent", long),
    pair("userAgent", null),
    pair("locale", "de"),
    pair("locale", ["de", "en"]),
    pair("timezone", { name: "Europe/Berlin" }),
    pair("library", { name: "a.js", version: "1" }),
    pair("library", { version: "1", name: "a.js" }),
    pair("library", { name: "a.js", version: "1", build: 7 }),
    pair("library", { build: 7 }),
    pair("library", {}),
    pair("library", "a.js"),
    pair("userAgentData", { brands: [{ brand: "A", version: "9" }], mobile: false }),
    pair("userAgentData", { brands: [{ version: "9", brand: "A" }], mobile: false }),
    pair("userAgentData", { brands: [[long]], mobile: true }),
    pair("constructor", "name"),
    pair("__proto__", "name"),
    pair("screen", { width: 0, height: null }),
    pair("page", { url: "/" }),
    pair("ip", "203.0.113.0"),
  ),
  { maxLength: 6 },
).pipe(Arbitrary.map((pairs): JsonObject => Object.fromEntries(pairs)))

describe("descriptions of clients", () => {
  it.prop(
    "a context is the same in parts and joined again",
    [contexts],
    ([context]) => assert.isTrue(sameJson(joinContext(splitContext(context)), context)),
    propertyOptions(1000),
  )

  it.prop(
    "the own part beside a description is that of splitting, and there is none beside another description",
    [contexts, contexts],
    ([context, other]) => {
      const { described, own } = splitContext(context)
      assert.deepStrictEqual(ownBeside(context, descriptionOf(described)), own)
      const second = splitContext(other)
      const beside = ownBeside(context, descriptionOf(second.described))
      assert.deepStrictEqual(beside, sameJson(described, second.described) ? own : undefined)
    },
    propertyOptions(2000),
  )
})
