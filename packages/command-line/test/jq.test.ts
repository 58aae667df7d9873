import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { compileJq } from "../src/output/jq.ts"

it.effect("a jq expression is compiled once and applied to each of several documents", () =>
  Effect.gen(function* () {
    const filter = yield* compileJq(".a")
    assert.deepStrictEqual(filter('{"a":"x"}\n{"a":[1, 2]}'), { output: "x\n[1,2]", problem: undefined })
    assert.deepStrictEqual(filter('{"a":12345678901234567890}').output, "12345678901234567890")
  }),
)

it.effect("an expression that would never end is compiled without running", () =>
  Effect.gen(function* () {
    yield* compileJq("range(0; infinite)")
  }),
)

it.effect("a document of a megabyte is filtered without work that grows with its square", () =>
  Effect.gen(function* () {
    const filter = yield* compileJq("[.[] | length] | add")
    const text = "x".repeat(1000)
    assert.strictEqual(filter(JSON.stringify(Array.from({ length: 1000 }, () => text))).output, "1000000")
  }),
)

it.effect("an expression that begins with a dash is not read as an option of jq", () =>
  Effect.gen(function* () {
    assert.strictEqual((yield* compileJq("-1"))("null").output, "-1")
  }),
)

it.effect("says why jq does not accept an expression, without its prefix and count", () =>
  Effect.gen(function* () {
    const { problem } = yield* Effect.flip(compileJq(".items["))
    assert.strictEqual(
      problem,
      "syntax error, unexpected end of file at <top-level>, line 1, column 7:\n    .items[\n          ^",
    )
  }),
)

it.effect("returns what jq wrote before an error, and the error", () =>
  Effect.gen(function* () {
    const filter = yield* compileJq('.a, error("no")')
    assert.deepStrictEqual(filter('{"a":1}'), { output: "1", problem: "(at /dev/stdin:0): no" })
    const halted = yield* compileJq('"" | halt_error(7)')
    assert.deepStrictEqual(halted("null"), { output: "", problem: "jq ended with code 7" })
  }),
)
