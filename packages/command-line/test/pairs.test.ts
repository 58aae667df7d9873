import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { jsonPairs, textPairs } from "../src/flags/pairs.ts"

it.effect("an argument name=value has a text value, and an argument name:=value has a JSON value", () =>
  Effect.gen(function* () {
    const given = ["plan=pro", "url=https://example.com/?a=b", "n:=3", "tags:=[1]", "empty=", "none:=null"]
    assert.deepStrictEqual(yield* jsonPairs(given), {
      plan: "pro",
      url: "https://example.com/?a=b",
      n: 3,
      tags: [1],
      empty: "",
      none: null,
    })
    assert.deepStrictEqual(yield* textPairs(["a:=b", "c=d"]), { "a:": "b", c: "d" })
  }),
)

it.effect.each(["plan", "=pro", ":=3", "n:=three"])("rejects %j", (pair) =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(jsonPairs([pair]))
    assert.match(error.message, /is not a pair/)
  }),
)
