import { assert, it } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { addressCounters, makeAddressMeter } from "../../src/listener/AddressMeter.ts"

const window = Duration.seconds(10)
const address = "203.0.113.1"

it.effect("a meter of addresses returns the seconds until its limit has room", () =>
  Effect.gen(function* () {
    const count = yield* makeAddressMeter({ name: "first", max: 2, window })
    assert.deepStrictEqual(
      [yield* count(address), yield* count(address), yield* count(address)],
      [Option.none(), Option.none(), Option.some(10)],
    )
    yield* TestClock.adjust(window)
    assert.deepStrictEqual(yield* count(address), Option.none())
  }).pipe(Effect.provide(addressCounters)),
)

it.effect("two meters of addresses count separately", () =>
  Effect.gen(function* () {
    const [first, second] = [
      yield* makeAddressMeter({ name: "first", max: 1, window }),
      yield* makeAddressMeter({ name: "second", max: 1, window }),
    ]
    assert.deepStrictEqual(
      [yield* first(address), yield* second(address), yield* first(address)],
      [Option.none(), Option.none(), Option.some(10)],
    )
  }).pipe(Effect.provide(addressCounters)),
)
