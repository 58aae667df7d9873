import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sendUnits } from "../../src/forwards/sendUnits.ts"
import type { Delivered } from "../../src/sending/Delivered.ts"
import { numbers } from "../../../../tools/testing/randomNumbers.ts"

interface Unit {
  readonly n: number
  readonly items: number
}

const answered = (status: number, answer = ""): Delivered => ({
  failure: status >= 200 && status < 300 ? null : { kind: "status", status },
  status,
  excerpt: answer === "" ? null : answer,
  answer,
  retryAfterMs: null,
  durationMs: 1,
})

/** A receiver that takes a request as a whole or refuses it. */
const receiver = (isBad: (n: number) => boolean, refusing = 400) => {
  const requests: Array<ReadonlyArray<number>> = []
  const taken: Array<number> = []
  const post = (units: ReadonlyArray<Unit>) =>
    Effect.sync(() => {
      requests.push(units.map(({ n }) => n))
      if (units.some(({ n }) => isBad(n))) return answered(refusing)
      for (const { n } of units) taken.push(n)
      return answered(200)
    })
  return { requests, taken, post }
}

const unitsOf = (count: number): ReadonlyArray<Unit> =>
  Array.from({ length: count }, (_, n) => ({ n, items: 1 }))

const everybody = (units: ReadonlyArray<Unit>) => Effect.succeed(units)

describe("sendUnits", () => {
  it.effect("files one refused item among a hundred with at most twelve requests, wherever it is", () =>
    Effect.gen(function* () {
      const units = unitsOf(100)
      for (const { n: bad } of units) {
        const { post, requests, taken } = receiver((n) => n === bad)
        const results = yield* sendUnits(units, { post, stillThere: everybody })
        assert.isAtMost(requests.length, 12, `item ${bad}`)
        assert.deepStrictEqual(
          taken,
          units.map(({ n }) => n).filter((n) => n !== bad),
        )
        for (const unit of units) {
          const expected = unit.n === bad ? "Refused" : "Delivered"
          assert.strictEqual(results.get(unit)?.result._tag, expected, `item ${unit.n} of ${bad}`)
        }
      }
    }),
  )

  it.effect("takes every good item once and in order, whichever items are refused", () =>
    Effect.gen(function* () {
      for (let seed = 1; seed <= 50; seed++) {
        const below = numbers(seed)
        const bad = new Set(Array.from({ length: below(4) }, () => below(40)))
        const units = unitsOf(1 + below(40))
        const { post, taken } = receiver((n) => bad.has(n))
        const results = yield* sendUnits(units, { post, stillThere: everybody })
        const good = units.filter(({ n }) => !bad.has(n)).map(({ n }) => n)
        assert.deepStrictEqual(taken, good, `seed ${seed}`)
        for (const unit of units.filter(({ n }) => bad.has(n))) {
          assert.strictEqual(results.get(unit)?.result._tag, "Refused", `seed ${seed}`)
        }
      }
    }),
  )

  it.effect("files the items that an answer names, and sends the rest again if nothing was taken", () =>
    Effect.gen(function* () {
      const units = [
        { n: 0, items: 2 },
        { n: 1, items: 1 },
        { n: 2, items: 1 },
      ]
      const errors = '{"errors":[{"batch_index":1,"message":"bad"},{"batch_index":77}]}'
      for (const status of [207, 400]) {
        const requests: Array<ReadonlyArray<number>> = []
        const results = yield* sendUnits(units, {
          stillThere: everybody,
          post: (asked) =>
            Effect.sync(() => {
              requests.push(asked.map(({ n }) => n))
              return requests.length === 1 ? answered(status, errors) : answered(200)
            }),
        })
        assert.deepStrictEqual(
          units.map((unit) => results.get(unit)?.result._tag),
          ["Refused", "Delivered", "Delivered"],
        )
        assert.deepStrictEqual(
          requests,
          status === 207
            ? [[0, 1, 2]]
            : [
                [0, 1, 2],
                [1, 2],
              ],
        )
      }
    }),
  )

  it.effect("lets everything wait after an answer that is about the request, not about an item", () =>
    Effect.gen(function* () {
      for (const status of [401, 403, 404, 429, 500, 503]) {
        const { post, requests } = receiver(() => true, status)
        const results = yield* sendUnits(unitsOf(3), { post, stillThere: everybody })
        assert.strictEqual(requests.length, 1)
        assert.deepStrictEqual(
          [...results.values()].map(({ result }) => result._tag),
          ["Failed", "Failed", "Failed"],
        )
      }
    }),
  )

  it.effect("ends after a bounded number of requests, and lets the rest wait", () =>
    Effect.gen(function* () {
      const { post, requests } = receiver(() => true)
      const results = yield* sendUnits(unitsOf(100), { post, stillThere: everybody })
      assert.isAtMost(requests.length, 50)
      const tags = [...results.values()].map(({ result }) => result._tag)
      assert.strictEqual(tags.length, 100)
      assert.include(tags, "Refused")
      assert.include(tags, "Failed")
    }),
  )

  it.effect("sends nothing again of what is no longer there", () =>
    Effect.gen(function* () {
      const { post, requests, taken } = receiver((n) => n === 3)
      const units = unitsOf(8)
      const results = yield* sendUnits(units, {
        post,
        stillThere: (asked) => Effect.succeed(asked.filter(({ n }) => n !== 5)),
      })
      assert.deepStrictEqual(taken, [0, 1, 2, 4, 6, 7])
      assert.isTrue(requests.slice(1).every((numbersSent) => !numbersSent.includes(5)))
      const gone = units[5]
      assert.isUndefined(gone && results.get(gone))
    }),
  )

  it.effect("notes what came from the receiver as a loop", () =>
    Effect.gen(function* () {
      const { post } = receiver(() => true, 508)
      const results = yield* sendUnits(unitsOf(2), { post, stillThere: everybody })
      assert.deepStrictEqual(
        [...results.values()].map(({ result }) => result._tag),
        ["Looped", "Looped"],
      )
    }),
  )
})
