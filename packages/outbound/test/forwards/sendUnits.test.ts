import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sendUnits } from "../../src/forwards/sendUnits.ts"
import type { Delivered } from "../../src/sending/Delivered.ts"
import { numbers } from "../../../../tools/testing/randomNumbers.ts"

interface Unit {
  readonly n: number
  readonly items: number
  readonly isErasing: boolean
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
  Array.from({ length: count }, (_, n) => ({ n, items: 1, isErasing: false }))

const nothingChanged: ReadonlySet<Unit> = new Set()

/** The units of the log that are still there, all of them as they were. */
const onlyThere = (units: ReadonlyArray<Unit>) =>
  Effect.succeed({ there: new Set(units), changed: nothingChanged })

const everybody = onlyThere

describe("sendUnits", () => {
  it.effect("files one refused item among a hundred with at most twelve requests, wherever it is", () =>
    Effect.gen(function* () {
      const units = unitsOf(100)
      for (const { n: bad } of units) {
        const { post, requests, taken } = receiver((n) => n === bad)
        const results = yield* sendUnits(units, { post, compare: everybody })
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
        const results = yield* sendUnits(units, { post, compare: everybody })
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
        { n: 0, items: 2, isErasing: false },
        { n: 1, items: 1, isErasing: false },
        { n: 2, items: 1, isErasing: false },
      ]
      const errors = '{"errors":[{"batch_index":1,"message":"bad"},{"batch_index":77}]}'
      for (const status of [207, 400]) {
        const requests: Array<ReadonlyArray<number>> = []
        const results = yield* sendUnits(units, {
          compare: everybody,
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
        const results = yield* sendUnits(unitsOf(3), { post, compare: everybody })
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
      const results = yield* sendUnits(unitsOf(100), { post, compare: everybody })
      assert.isAtMost(requests.length, 50)
      const tags = [...results.values()].map(({ result }) => result._tag)
      assert.strictEqual(tags.length, 100)
      assert.include(tags, "Refused")
      assert.include(tags, "Failed")
    }),
  )

  it.effect("asks before the first request, too, who is still there", () =>
    Effect.gen(function* () {
      const { post, requests } = receiver(() => false)
      const units = unitsOf(3)
      const results = yield* sendUnits(units, {
        post,
        compare: (asked) => onlyThere(asked.filter(({ n }) => n !== 1)),
      })
      assert.deepStrictEqual(requests, [[0, 2]])
      assert.strictEqual(results.size, 2)
    }),
  )

  it.effect("lets what has to be read again wait, with all that follows it", () =>
    Effect.gen(function* () {
      const { post, requests } = receiver(() => false)
      const units = unitsOf(4)
      const results = yield* sendUnits(units, {
        post,
        compare: (asked) =>
          Effect.succeed({
            there: new Set(asked.filter(({ n }) => n !== 1)),
            changed: new Set(asked.filter(({ n }) => n === 1)),
          }),
      })
      assert.deepStrictEqual(requests, [[0]])
      assert.deepStrictEqual(
        units.map((unit) => results.get(unit)?.result._tag),
        ["Delivered", "Failed", "Failed", "Failed"],
      )
    }),
  )

  it.effect("keeps of answers only what quotes one call, of somebody who is still there", () =>
    Effect.gen(function* () {
      const echo = "you sent ada@example.com"
      const excerptsOf = Effect.fnUntraced(function* (
        units: ReadonlyArray<Unit>,
        status: number,
        erasedMeanwhile: ReadonlyArray<number> = [],
        answer = echo,
      ) {
        let sent = false
        const results = yield* sendUnits(units, {
          post: () => Effect.sync(() => answered(status, ((sent = true), answer))),
          compare: (asked) =>
            Effect.suspend(() => onlyThere(asked.filter(({ n }) => !sent || !erasedMeanwhile.includes(n)))),
        })
        return units.map((unit) => results.get(unit)?.delivered.excerpt)
      })
      const errors = '{"errors":[{"batch_index":0},{"batch_index":1}]}'
      assert.deepStrictEqual(yield* excerptsOf(unitsOf(1), 503), [echo])
      assert.deepStrictEqual(yield* excerptsOf(unitsOf(2), 503), [null, null])
      assert.deepStrictEqual(yield* excerptsOf(unitsOf(1), 503, [0]), [null])
      assert.deepStrictEqual(yield* excerptsOf([{ n: 0, items: 1, isErasing: true }], 503), [null])
      assert.deepStrictEqual(yield* excerptsOf(unitsOf(3), 207, [1], errors), [
        '{"batch_index":0}',
        null,
        null,
      ])
    }),
  )

  it.effect("sends everything again after an answer 207 that broke off", () =>
    Effect.gen(function* () {
      const results = yield* sendUnits(unitsOf(2), {
        post: () => Effect.succeed(answered(207, '{"errors":[{"batch_')),
        compare: everybody,
      })
      assert.deepStrictEqual(
        [...results.values()].map(({ result }) => result._tag),
        ["Failed", "Failed"],
      )
    }),
  )

  it.effect("divides calls whose answer 207 is too long to be read", () =>
    Effect.gen(function* () {
      const requests: Array<number> = []
      const units = unitsOf(4)
      const results = yield* sendUnits(units, {
        post: (asked) =>
          Effect.sync(() => {
            requests.push(asked.length)
            const isBad = asked.some(({ n }) => n === 2)
            if (asked.length > 1 && isBad) return answered(207, "x".repeat(64 * 1024))
            return isBad ? answered(207, '{"errors":[{"batch_index":0}]}') : answered(200)
          }),
        compare: everybody,
      })
      assert.deepStrictEqual(
        units.map((unit) => results.get(unit)?.result._tag),
        ["Delivered", "Delivered", "Refused", "Delivered"],
      )
      assert.isAtMost(requests.length, 6)
    }),
  )

  it.effect("sends nothing again of what is no longer there", () =>
    Effect.gen(function* () {
      const { post, requests, taken } = receiver((n) => n === 3)
      const units = unitsOf(8)
      const results = yield* sendUnits(units, {
        post,
        compare: (asked) => onlyThere(asked.filter(({ n }) => n !== 5)),
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
      const results = yield* sendUnits(unitsOf(2), { post, compare: everybody })
      assert.deepStrictEqual(
        [...results.values()].map(({ result }) => result._tag),
        ["Looped", "Looped"],
      )
    }),
  )
})
