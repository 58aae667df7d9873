import { DatabaseSync, StatementSync } from "node:sqlite"
import { decideInSlices } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { Digest } from "@inlethq/core/ports/Digest"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { Store } from "@inlethq/core/ports/Store"
import {
  addDevice,
  byId,
  bySvcId,
  event,
  first,
  identify,
  identifyObject,
  merge,
  objectOf,
  register,
  relate,
  report,
  second,
  submitForm,
  suppress,
  unsuppress,
} from "@inlethq/store-conformance/script/commands"
import { createSegment, joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { apply } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it, layer, vi } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Statement } from "../src/engine/Connection.ts"
import * as SqliteStore from "@inlethq/storage-sqlite/SqliteStore"
import { temporaryDirectory, temporaryStore } from "./temporary.ts"

/** Runs an effect and counts the calls of `node:sqlite` during the run. */
const counted = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => ({
      prepared: vi.spyOn(DatabaseSync.prototype, "prepare"),
      read: vi.spyOn(StatementSync.prototype, "all"),
      readOne: vi.spyOn(StatementSync.prototype, "get"),
      walked: vi.spyOn(StatementSync.prototype, "iterate"),
      written: vi.spyOn(StatementSync.prototype, "run"),
      // Calls `get` of `node:sqlite`.
      executed: vi.spyOn(Statement.prototype, "execute"),
    })),
    ({ executed, prepared, read, readOne, walked, written }) =>
      Effect.map(effect, (value) => ({
        value,
        prepared: prepared.mock.calls.length,
        read: read.mock.calls.length + readOne.mock.calls.length - executed.mock.calls.length,
        walked: walked.mock.calls.length,
        written: written.mock.calls.length + executed.mock.calls.length,
      })),
    (spies) => Effect.sync(() => Object.values(spies).forEach((spy) => spy.mockRestore())),
  )

const costOf = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  Effect.map(counted(read), ({ prepared, read, written }) => ({ prepared, read, written }))

/** The number of statements of a read, without BEGIN and COMMIT of its slices. */
const statementsOf = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  Effect.map(counted(read), (cost) => cost.prepared + cost.read + cost.walked)

const batchOf = (size: number) =>
  Array.from({ length: size }, (_, i) => [
    identify(byId(`somebody ${i % 50}`), [["plan", i]], { deduplicationKey: `${size} identify ${i}` }),
    event(byId(`somebody ${i}`), "bought", { deduplicationKey: `${size} event ${i}` }),
  ]).flat()

/** A batch that touches every table: devices, links, segments, deliveries of merged people, suppressions. */
const richBatchOf = (size: number) =>
  Array.from({ length: size }, (_, i) => [
    relate(byId(`related ${i}`), [[objectOf("1", "acme"), [["role", "owner"]]]]),
    addDevice(byId(`related ${i}`), `token ${i}`),
    joinSegment(1, [byId(`related ${i}`)]),
    report("delivery", "opened"),
    submitForm("form", [["email", `${i}@example.com`]]),
    suppress(byId(`${size} gone ${i}`)),
    event(byId("suppressed"), "bought"),
    event(bySvcId(i + 100_000), "bought", { deduplicationKey: `${size} rich ${i}` }),
  ]).flat()

/** Creates a suppressed person, a merged person, and a delivery to the merged person. */
const withHistory = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* apply(createSegment("segment"), identify(byId("ada")), identify(byId("bob")))
    yield* apply(register("delivery", byId("bob")), merge(byId("ada"), byId("bob")))
    yield* apply(identify(byId("suppressed")), suppress(byId("suppressed")))
  }),
).pipe(Layer.provideMerge(temporaryStore), Layer.fresh)

/** A rule that the people of these tests do not meet, so that nobody's row is evicted from the cache. */
const counting = (n: number) => ({ event: { name: "bought", count: { gte: n }, within: "30d" } })

/** Creates ten people and segments with rules about the event `bought` and the attribute `plan`. */
const withRules = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* apply(
      createSegment("often", { rule: counting(90) }),
      createSegment("very often", { rule: counting(100) }),
      createSegment("pro", { rule: { attribute: { field: "plan", operator: "eq", value: "pro" } } }),
      ...Array.from({ length: 10 }, (_, i) => identify(byId(`somebody ${i}`))),
    )
  }),
).pipe(Layer.provideMerge(temporaryStore), Layer.fresh)

layer(withRules)("a batch in a workspace with rules", (it) => {
  it.effect("reads what rules remember only if a rule is about the batch, and then with one statement", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* apply(...Array.from({ length: 10 }, (_, i) => event(byId(`somebody ${i}`), "looked")))
      const readsOf = Effect.fnUntraced(function* (name: string, size: number) {
        const commands = Array.from({ length: size }, (_, i) => event(byId(`somebody ${i % 10}`), name))
        const { read } = yield* costOf(
          Effect.flatten(
            store.transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, commands)),
          ),
        )
        return read
      })
      const without = yield* readsOf("looked", 5)
      assert.strictEqual(yield* readsOf("looked", 200), without)
      assert.strictEqual(yield* readsOf("bought", 5), without + 1)
      assert.strictEqual(yield* readsOf("bought", 200), without + 1)
    }),
  )
})

layer(temporaryStore)("a batch", (it) => {
  it.effect(
    "writing a batch costs the same number of reading statements whatever the size of the batch, and writes each row once",
    () =>
      Effect.gen(function* () {
        const store = yield* Store
        yield* apply(identify(byId("somebody 0")))
        const costs = yield* Effect.forEach([50, 500], (size) =>
          Effect.gen(function* () {
            const commands = batchOf(size)
            const batch = yield* counted(
              Effect.flatten(
                store.transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, commands)),
              ),
            )
            const { entries, identifiers, subjects } = batch.value.state.written
            return {
              reads: batch.read,
              prepared: batch.prepared,
              // The number of write statements, minus one for each written entry, identifier and subject. Retries count
              // too: if the update of a subject finds no row with its state, a second statement writes the whole row.
              beyondRows: batch.written - entries.length - identifiers.size - subjects.size,
            }
          }),
        )
        // A batch makes seven reads: the workspace's row in `heads`, identifiers, people, deduplication keys, whether the
        // workspace has suppressions, whether anything has freed names, and the length of the write-ahead log. A batch
        // prepares no statements. Besides one write for each row, a batch makes three writes: BEGIN, COMMIT and the row
        // in `heads`.
        const expected = { reads: 7, prepared: 0, beyondRows: 3 }
        assert.deepStrictEqual(costs, [expected, expected])
      }),
  )

  it.effect(
    "writing a batch that touches every table costs the same number of reading statements whatever the size of the batch",
    () =>
      Effect.gen(function* () {
        const costs = yield* Effect.forEach([20, 60], (size) =>
          Effect.gen(function* () {
            const store = yield* Store
            const commands = richBatchOf(size)
            const batch = yield* counted(
              Effect.flatten(
                store.transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, commands)),
              ),
            )
            const { entries, erasures, identifiers, links, subjects, suppressed } = batch.value.state.written
            const touched = [...links.values()].reduce((sum, targets) => sum + targets.size, 0)
            const parts = entries.flatMap(({ overwritten, subject: own }) =>
              overwritten.filter(({ subject }) => subject !== own),
            )
            const rows =
              entries.length +
              identifiers.size +
              subjects.size +
              touched +
              3 * erasures.length +
              2 * (suppressed.size + parts.length)
            return [batch.read, batch.prepared, batch.written - rows]
          }).pipe(Effect.provide(withHistory, { local: true })),
        )
        // Each erasure takes three writes: its record, its receipt, and what forwards have still to tell of it. Each
        // suppressed identifier and each part of an entry takes two.
        // A batch makes fourteen reads: (1) the workspace's row in `heads`, (2) identifiers, (3) people together with
        // deliveries, (4) the recipient of a delivery, (5) the person who absorbed the recipient, (6) whether the
        // workspace has suppressions, (7) digests, (8) suppression groups, (9) deduplication keys, (10) the rejected
        // calls, because it suppresses somebody, (11) the length of the write-ahead log, whether (12) merges or (13) deletions
        // have freed names, and (14) who had those that nobody has. A batch prepares no
        // statements. Besides the writes of rows, a batch makes seven writes: BEGIN, COMMIT, the row in `heads`, the
        // sizes of the object and of the segment, that of the segment on this day, and the errors of imports about whom it
        // suppresses.
        const expected = [14, 0, 7]
        assert.deepStrictEqual(costs, [expected, expected])
      }),
  )

  it.effect(
    "a small batch finds recently read people in the cache, and reads these people again after they were written",
    () =>
      Effect.gen(function* () {
        const store = yield* Store
        const reads = (...commands: ReadonlyArray<Command>) =>
          Effect.map(
            counted(
              Effect.flatten(store.transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, []))),
            ),
            ({ read }) => read,
          )
        const opened = event(byId("frequent"), "opened")
        yield* apply(identify(byId("frequent")))
        const before = yield* reads(opened)
        const cached = yield* reads(opened)
        yield* apply(identify(byId("frequent"), [["plan", "pro"]]))
        const afterWrite = yield* reads(opened)
        // The numbers of statements for the three batches. The first batch needs four statements: the workspace's row
        // in `heads`, the identifier, the person, and the length of the write-ahead log. The second needs two, because
        // the identifier and the person are cached. The third needs three, because the person was written.
        assert.deepStrictEqual([before, cached, afterWrite], [4, 2, 3])
      }),
  )

  it.effect("a large batch does not evict the people of small batches from the cache", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const loadOf = (commands: ReadonlyArray<Command>) =>
        counted(
          Effect.flatten(store.transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, []))),
        )
      const everybody = Array.from({ length: 20_000 }, (_, i) => byId(`one of many ${i}`))
      const opened = event(byId("frequent"), "opened")
      yield* apply(identify(byId("frequent")))
      yield* apply(...everybody.map((who) => identify(who)))
      yield* loadOf([opened])
      yield* loadOf(everybody.map((who) => event(who, "opened")))
      assert.strictEqual((yield* loadOf([opened])).read, 2)
    }),
  )
})

describe("a batch of one workspace", () => {
  it.effect("a batch computes no digests for suppressions in other workspaces", () =>
    Effect.gen(function* () {
      const digested: Array<string> = []
      const counting = Layer.succeed(Digest, {
        of: (text: string) => {
          digested.push(text)
          return text
        },
      })
      const store = Layer.unwrap(
        Effect.map(temporaryDirectory, (directory) => SqliteStore.layer({ directory })),
      ).pipe(Layer.provide(counting))
      yield* Effect.gen(function* () {
        yield* apply(identify(byId("gone"), [], { in: second }), suppress(byId("gone"), { in: second }))
        digested.length = 0
        yield* apply(identify(byId("ada")), event(byId("bob"), "bought"))
        assert.deepStrictEqual(digested, [])
        yield* apply(identify(byId("ada"), [], { in: second }))
        assert.deepStrictEqual([...new Set(digested)], ["2:id:ada"])
        yield* apply(unsuppress(byId("gone"), { in: second }))
        digested.length = 0
        yield* apply(identify(byId("bob"), [], { in: second }))
        // Somebody was deleted there, so the entry could say that it was bob.
        assert.deepStrictEqual(digested, ["2:id:bob", "2:id:bob"])
      }).pipe(Effect.provide(store))
    }),
  )
})

layer(temporaryStore)("a page", (it) => {
  it.effect(
    "reading a page of a list costs the same number of SQL statements whatever the size of the page",
    () =>
      Effect.gen(function* () {
        const directory = yield* Catalog
        yield* apply(createSegment("segment"), ...richBatchOf(60))
        yield* apply(
          ...Array.from({ length: 60 }, (_, i) => [
            identifyObject(objectOf("1", `object ${i}`), [], [[byId(`related ${i}`)]]),
            register(`delivery ${i}`, byId(`related ${i}`)),
          ]).flat(),
        )
        const acme = (yield* Effect.fromOption(yield* directory.object(first.id, "1", "acme"))).object.key
        const costs = yield* Effect.forEach([2, 50], (limit) =>
          Effect.gen(function* () {
            const page = { limit, after: null, order: "asc" } as const
            return {
              people: yield* statementsOf(directory.people(first.id, null, page)),
              search: yield* statementsOf(directory.people(first.id, "related", page)),
              person: yield* statementsOf(
                directory.personByIdentifier(first.id, { kind: "id", value: "related 1" }),
              ),
              members: yield* statementsOf(directory.members(first.id, SubjectKey.make(1), page)),
              objects: yield* statementsOf(directory.objects(first.id, null, page)),
              objectsOfType: yield* statementsOf(directory.objects(first.id, "1", page)),
              related: yield* statementsOf(directory.related(first.id, acme, page)),
              deliveries: yield* statementsOf(directory.deliveries(first.id, page)),
              forms: yield* statementsOf(directory.forms(first.id, page)),
              segments: yield* statementsOf(directory.segments(first.id, page)),
              activity: yield* statementsOf(directory.activity(first.id, noFilter, { ...page, after: null })),
            }
          }),
        )
        // One statement reads the rows of a list. Of people it takes two more: the sizes of their objects and segments, and
        // the objects. A search looks the prefix up as id and as email first. Of deliveries, one looks for erased addresses.
        // Of activity it takes two more if an entry has parts: the parts, and who of their people is deleted. Entries of relationships
        // do. One more reads what was sent, which an entry in the longer page keeps.
        const expected = {
          people: 3,
          search: 6,
          person: 3,
          members: 4,
          objects: 1,
          objectsOfType: 1,
          related: 1,
          deliveries: 4,
          forms: 1,
          segments: 1,
          activity: 7,
        }
        assert.deepStrictEqual(costs, [expected, { ...expected, activity: 8 }])
      }),
  )
})
