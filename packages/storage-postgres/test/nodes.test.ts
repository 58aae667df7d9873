import { assert, it } from "@effect/vitest"
import { decideInSlices } from "@inlethq/core/Batch"
import { Catalog, noFilter, type Followed } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { Store } from "@inlethq/core/ports/Store"
import type { Sequence } from "@inlethq/core/values/Identifier"
import {
  byAnonymousId,
  byId,
  event,
  first,
  identify,
  merge,
  noon,
  remove,
} from "@inlethq/store-conformance/script/commands"
import { activity, load, people, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { Context, Effect, Fiber, Layer, type Scope } from "effect"
import { describeServers } from "./server.ts"
import { emptyTables, nodeAt } from "./stores.ts"

type Node = Context.Context<Store | Catalog>

/**
 * Sends commands to a node as one batch. Repeats the batch while the store is unavailable, as clients do. Returns the
 * entries.
 */
const send = (node: Node, ...commands: ReadonlyArray<Command>) =>
  Context.get(node, Store)
    .transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, commands))
    .pipe(
      Effect.flatten,
      Effect.map(({ entries }) => entries),
      Effect.retry({ times: 5 }),
    )

const together = { concurrency: "unbounded" } as const

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describeServers("several nodes on one database", (server) => {
  const nodes: Effect.Effect<readonly [Node, Node], never, Scope.Scope> = Effect.gen(function* () {
    const url = yield* emptyTables(server())
    return [yield* Layer.build(nodeAt(url)), yield* Layer.build(nodeAt(url))]
  })

  it.live(
    "two nodes that commit batches at the same time give out log positions without gaps, and no key twice",
    () =>
      Effect.gen(function* () {
        const both = yield* nodes
        const batches = numbers(60).map((n) =>
          send(both[n % 2 === 0 ? 0 : 1], ...numbers(5).map((i) => identify(byId(`person ${n} ${i}`)))),
        )
        const entries = (yield* Effect.all(batches, { concurrency: 4 })).flat()
        const positions = entries.map(({ sequence }) => Number(sequence)).toSorted((a, b) => a - b)
        assert.deepStrictEqual(
          positions,
          numbers(300).map((n) => n + 1),
        )
        assert.strictEqual(new Set(entries.map(({ subject }) => subject)).size, 300)
        for (const node of both) assert.strictEqual((yield* Effect.provide(people(), node)).length, 300)
      }),
  )

  it.live("readers see every entry once and in order while two nodes commit", () =>
    Effect.gen(function* () {
      const both = yield* nodes
      const read = yield* Effect.forkChild(followTo(both[1], 200))
      const batches = numbers(100).map((n) =>
        send(both[n % 2 === 0 ? 0 : 1], event(byId("ada"), `event ${n}`), event(byId("bob"), `event ${n}`)),
      )
      yield* Effect.all(batches, { concurrency: 4 })
      assert.deepStrictEqual(
        yield* Fiber.join(read),
        numbers(200).map((n) => n + 1),
      )
    }),
  )

  it.live("1000 concurrent identifies of the same person on two nodes create only one person", () =>
    Effect.gen(function* () {
      const both = yield* nodes
      const identifies = numbers(1000).map((n) =>
        send(both[n % 2 === 0 ? 0 : 1], identify(byId("ada"), [["n", n]])),
      )
      const entries = (yield* Effect.all(identifies, { concurrency: 4 })).flat()
      assert.strictEqual(entries.filter(({ outcome }) => outcome === "created").length, 1)
      assert.strictEqual(new Set(entries.map(({ subject }) => subject)).size, 1)
      assert.strictEqual((yield* Effect.provide(people(), both[0])).length, 1)
    }),
  )

  it.live("two concurrent merges of the same two people on two nodes leave one person", () =>
    Effect.gen(function* () {
      const [one, other] = yield* nodes
      yield* send(one, identify(byId("ada")), identify(byId("bob")))
      yield* Effect.all(
        [send(one, merge(byId("ada"), byId("bob"))), send(other, merge(byId("bob"), byId("ada")))],
        together,
      )
      assert.strictEqual((yield* Effect.provide(people(), one)).length, 1)
    }),
  )

  it.live("an event that two nodes receive at the same time is applied once", () =>
    Effect.gen(function* () {
      const both = yield* nodes
      const sent = numbers(20).flatMap((n) =>
        both.map((node) => send(node, event(byId("ada"), "bought", { deduplicationKey: `key ${n}` }))),
      )
      const entries = (yield* Effect.all(sent, { concurrency: 4 })).flat()
      assert.strictEqual(entries.filter(({ outcome }) => outcome === "duplicate").length, 20)
      const keys = new Set(numbers(20).map((n) => `key ${n}`))
      const { claimed } = yield* Effect.provide(load({ deduplication: keys }), both[0])
      assert.strictEqual(claimed.size, 20)
    }),
  )

  it.live("only one node at a time does housekeeping", () =>
    Effect.gen(function* () {
      const [one, other] = yield* nodes
      yield* send(one, identify(byId("ada")), event(byId("ada"), "bought"), remove(byId("ada")))
      yield* Effect.provide(sweepAll(noon), one)
      yield* send(other, identify(byId("bob")), event(byId("bob"), "bought"), remove(byId("bob")))
      const idle = yield* Context.get(other, Store).sweep(noon)
      assert.deepStrictEqual(idle, { entries: 0, done: true })
      const { entries } = yield* Context.get(one, Store).sweep(noon)
      assert.isAbove(entries, 0)
    }),
  )

  it.live("if two nodes change one visitor, the changes of both nodes are stored", () =>
    Effect.gen(function* () {
      const both = yield* nodes
      const cookie = byAnonymousId("cookie")
      const sent = numbers(40).map((n) =>
        send(both[n % 2 === 0 ? 0 : 1], identify(cookie, [[`attribute ${n}`, n]])),
      )
      yield* Effect.all(sent, { concurrency: 4 })
      yield* send(both[0], identify(byId("ada"), [], { anonymousId: "cookie" }))
      const [ada] = yield* Effect.provide(people(), both[1])
      assert.strictEqual(ada?.attributes.size, 40)
      const entries = yield* Effect.provide(activity(), both[0])
      assert.strictEqual(entries.length, 41)
    }),
  )
})

/** Follows the activity log on a node until the position `last` appears. Returns all positions that appeared. */
const followTo = (node: Node, last: number) =>
  Effect.gen(function* () {
    const positions: Array<number> = []
    let after: Sequence | null = null
    while (positions.at(-1) !== last) {
      const followed: Followed = yield* Context.get(node, Catalog).follow(first.id, noFilter, after)
      positions.push(...followed.items.map(({ entry }) => entry.sequence))
      after = followed.readTo
    }
    return positions
  })
