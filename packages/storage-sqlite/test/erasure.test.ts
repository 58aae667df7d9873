import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setImmediate } from "node:timers/promises"
import type { Command } from "@inlethq/core/Command"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import {
  addDevice,
  byAnonymousId,
  byId,
  deleteObject,
  event,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  register,
  relate,
  relatePeople,
  remove,
  report,
  submitForm,
  suppress,
  unsubscribe,
} from "@inlethq/store-conformance/script/commands"
import { createSegment, joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Store } from "@inlethq/core/ports/Store"
import { activity, apply, people, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { storeIn, temporaryDirectory } from "./temporary.ts"

/** Returns the marks (unique texts) that can be found in a file of the directory. */
const found = (directory: string, marks: ReadonlyArray<string>) => {
  const inClear = new Set(
    readdirSync(directory).flatMap(
      (file) =>
        readFileSync(join(directory, file))
          .toString("latin1")
          .match(/mark-\d+-/g) ?? [],
    ),
  )
  return marks.filter((mark) => inClear.has(mark))
}

/** Sweeps until the files have no bytes of what was erased. A sweep leaves them while a checkpoint works on the log. */
const sweepFiles = Effect.fnUntraced(function* (now: number) {
  const ledger = yield* ErasureLedger
  do {
    yield* sweepAll(now)
    yield* Effect.promise(() => setImmediate())
  } while (!(yield* ledger.isOverwritten))
})

/**
 * Returns the entries with a mark (unique text) in their details. With `state`, returns only entries about people or
 * objects in that state.
 */
const markedEntries = (directory: string, state?: number) => {
  const file = new DatabaseSync(join(directory, "inlet.db"), { readOnly: true })
  const marked = file.prepare(
    "SELECT activity.* FROM activity LEFT JOIN subjects ON subjects.id = (activity.id >> 38 << 38) + subject WHERE detail LIKE '%mark-%' AND coalesce(state = ?, TRUE)",
  )
  const rows = marked.all(state ?? null)
  file.close()
  return rows
}

/** Adds to commands where their calls came from. What is the person's own contains their mark (unique text). */
const from = (mark: string, commands: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  commands.map((command) => ({
    ...command,
    provenance: {
      context: {
        library: { name: "js", version: "2", own: mark },
        userAgent: `Browser ${"x".repeat(300)} ${mark}`,
        page: { search: `?who=${mark}` },
        ip: `ip of ${mark}`,
        device: { id: `device of ${mark}`, type: "ios" },
      },
      integrations: { One: { id: mark } },
      contextOmitted: [mark],
    },
  }))

/**
 * Returns commands about a person in which every text contains a mark (unique text). Each round makes the person's rows
 * longer, so that SQLite moves them to other pages.
 */
const lifeOf = (who: number, round: number): ReadonlyArray<Command> => {
  const mark = `mark-${who}-`
  const receivedAt = noon + round
  const length = ((who * 7919 + round * 104_729) % 23) * 40
  return from(mark, [
    event(byAnonymousId(`${mark}cookie`), `${mark}seen`, { receivedAt }),
    identify(
      byId(`${mark}id`),
      [
        [`${mark}name${round}`, `${mark}${"v".repeat(length)}`],
        ["name", `Ada ${mark}${round}`],
      ],
      {
        receivedAt,
        email: `${mark}@example.com`,
        ...(round === 2 && { anonymousId: `${mark}cookie` }),
        deduplicationKey: `${mark}identify${round}`,
      },
    ),
    event(byId(`${mark}id`), `${mark}bought`, {
      receivedAt,
      data: { [mark]: `${mark}${"d".repeat(length * 3)}` },
      deduplicationKey: `${mark}event${round}`,
    }),
  ])
}

/** Returns commands that give a person every kind of data. Every text contains a mark (unique text). */
const richLifeOf = (who: number): ReadonlyArray<Command> => {
  const mark = `mark-${who}-`
  const person = byId(`${mark}id`)
  const other = byId(`${mark}other`)
  const said = [[`${mark}name`, `${mark}${"v".repeat(who % 700)}`]] as const
  const acme = objectOf("1", "acme")
  return from(mark, [
    addDevice(byAnonymousId(`${mark}cookie`), `${mark}visitor's`, said),
    relate(byAnonymousId(`${mark}cookie`), [[acme, said]]),
    identify(person, said, { anonymousId: `${mark}cookie`, relatedTo: [[acme, said]] }),
    addDevice(person, `${mark}token`, said, { platform: `${mark}os` }),
    relate(person, [[objectOf("1", `object of ${who}`), said]]),
    submitForm("form", [
      ["id", `${mark}id`],
      ["note", `${mark}note`],
    ]),
    identify(other, said, { email: `${mark}@example.com` }),
    addDevice(other, `${mark}other's`, said),
    register(`delivery of ${who}`, other, { recipient: `${mark}@example.com`, subject: `Dear ${mark}` }),
    report(`delivery of ${who}`, "opened", {
      recipient: `${mark}@example.com`,
      deviceToken: `${mark}token`,
      href: `https://example.com/${mark}`,
    }),
    joinSegment(1, [person, other]),
    merge(person, other),
    unsubscribe(`delivery of ${who}`),
  ])
}

/** Returns commands that record data of a person in log entries about somebody or something else. */
const saidElsewhere = (who: number): ReadonlyArray<Command> => {
  const mark = `mark-${who}-`
  const acme = objectOf("1", "acme")
  return [
    ...from(mark, [
      relatePeople(acme, [[byId(`${mark}id`), [["role", `${mark}role`]]]]),
      identifyObject(acme, [], [[byId(`${mark}new`), [["role", `${mark}role`]]]]),
      report(`delivery of ${who}`, "opened", { recipient: `${mark}@example.com` }),
    ]),
    register(`delivery of ${who}`, byId(`${mark}id`)),
    identify(byId(`${mark}id`), [], { email: `${mark}@example.com`, anonymousId: `${mark}cookie` }),
    // These values are refused, because they belong to the person above.
    identify(byId(`somebody else ${who}`), [], {
      email: `${mark}@example.com`,
      anonymousId: `${mark}cookie`,
    }),
  ]
}

/** Changes the file while the store is open. */
const exec = (directory: string, sql: string) => {
  const file = new DatabaseSync(join(directory, "inlet.db"))
  file.exec(sql)
  file.close()
}

/** Runs housekeeping until nobody is being erased. Returns the number of steps. */
const stepsOfErasing = Effect.fnUntraced(function* () {
  const store = yield* Store
  const { erasing } = yield* ErasureLedger
  let steps = 0
  for (; (yield* erasing(first.id)).length > 0; steps++) yield* store.sweep(noon)
  return steps
})

const everybody = Array.from({ length: 400 }, (_, i) => i + 1000)
const gone = everybody.filter((who) => who % 3 !== 0)
const marksOf = (people: ReadonlyArray<number>) => people.map((who) => `mark-${who}-`)

describe("erasing", () => {
  it.effect(
    "erasing removes all readable data of deleted people from every file and does not change other people",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          for (const round of [1, 2, 3, 4]) {
            yield* apply(...everybody.flatMap((who) => lifeOf(who, round)))
          }
          assert.deepStrictEqual(found(directory, marksOf(everybody)), marksOf(everybody))
          yield* apply(...gone.map((who) => remove(byId(`mark-${who}-id`))))
          yield* sweepFiles(noon + 1000)
          assert.deepStrictEqual(found(directory, marksOf(gone)), [])
          // Later writes must not bring back erased data.
          yield* apply(...everybody.filter((who) => !gone.includes(who)).flatMap((who) => lifeOf(who, 5)))
          assert.deepStrictEqual(found(directory, marksOf(gone)), [])
          const rest = everybody.length - gone.length
          assert.strictEqual((yield* people(null, { limit: 1000 })).length, rest)
          assert.strictEqual((yield* activity({ kind: "event" }, { limit: 5000 })).length, rest * 10)
        }).pipe(Effect.provide(storeIn(directory)))
        const file = new DatabaseSync(join(directory, "inlet.db"))
        assert.strictEqual(file.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok")
        const [erasures, scrubbed] = ["erasures", "scrubbed"].map(
          (name) => file.prepare("SELECT value FROM counters WHERE name = ?").get(name)?.["value"],
        )
        assert.strictEqual(scrubbed, erasures)
        file.close()
      }),
  )

  it.effect("erasing removes devices, relationships, form values, deliveries and merged people", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const people = everybody.slice(0, 60)
      yield* Effect.gen(function* () {
        yield* apply(createSegment("segment"))
        for (const who of people) yield* apply(...richLifeOf(who))
        assert.deepStrictEqual(found(directory, marksOf(people)), marksOf(people))
        yield* apply(...people.map((who, i) => (i % 2 === 0 ? remove : suppress)(byId(`mark-${who}-id`))))
        // Identify calls for a suppressed person must not store the person's identifier.
        const suppressed = people.filter((_, i) => i % 2 === 1)
        yield* apply(...suppressed.map((who) => identify(byId(`mark-${who}-id`), [["plan", `mark-${who}-`]])))
        yield* sweepFiles(noon + 1000)
        assert.deepStrictEqual(found(directory, marksOf(people)), [])
      }).pipe(Effect.provide(storeIn(directory)))
    }),
  )

  // The commands record a person's identifiers in entries about an object. They also register a delivery for a person
  // after a report on the delivery, and the report contains the person's address.
  it.effect("erasing removes a person's data from log entries about other people and about objects", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const people = everybody.slice(0, 3)
      yield* Effect.gen(function* () {
        for (const who of people) yield* apply(...saidElsewhere(who))
        yield* apply(...people.flatMap((who) => ["id", "new"].map((id) => remove(byId(`mark-${who}-${id}`)))))
        yield* sweepFiles(noon + 1000)
        assert.deepStrictEqual(found(directory, marksOf(people)), [])
      }).pipe(Effect.provide(storeIn(directory)))
    }),
  )

  it.effect(
    "if a delivery was registered again for another person, erasing its first recipient removes the data of this recipient",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          for (const [who, isOneBatch] of [
            [1, false],
            [2, false],
            [3, true],
          ] as const) {
            const ids = [byId(`mark-${who}-a`), byId(`mark-${who}-b`)] as const
            const recipient = `mark-${who}-@example.com`
            const deliveryId = `delivery ${who}`
            const commands = [
              ...ids.map((id) => identify(id)),
              report(deliveryId, "opened", { recipient }),
              register(deliveryId, ids[0], { recipient }),
              register(deliveryId, ids[1], { recipient: "somebody@example.com" }),
              remove(who === 2 ? ids[1] : ids[0]),
            ]
            if (isOneBatch) yield* apply(...commands)
            else for (const command of commands) yield* apply(command)
          }
          yield* sweepAll(noon + 1000)
          assert.deepStrictEqual(markedEntries(directory, stateCodes.delivery), [])
          const { items } = yield* (yield* Catalog).deliveries(first.id, {
            limit: 10,
            after: null,
            order: "asc",
          })
          // The recipient of the second delivery was deleted. The addresses of the two other recipients must still be
          // stored.
          assert.deepStrictEqual(
            items.map(({ delivery }) => delivery.recipient),
            ["somebody@example.com", null, "somebody@example.com"],
          )
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )

  it.effect(
    "deleted people are erased before deleted objects, even if the objects were deleted earlier",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          const store = yield* Store
          const acme = objectOf("1", "acme")
          const crowd = Array.from({ length: 250 }, (_, i) => relate(byId(`somebody ${i}`), [[acme]]))
          yield* apply(identifyObject(acme), ...crowd)
          yield* apply(...richLifeOf(1000))
          yield* apply(deleteObject(acme), remove(byId("mark-1000-id")))
          yield* store.sweep(noon)
          assert.deepStrictEqual(markedEntries(directory), [])
          const left = (yield* people(null, { limit: 1000 })).filter((one) => one.relationships.size > 0)
          assert.isNotEmpty(left)
          yield* sweepFiles(noon)
          assert.deepStrictEqual(found(directory, ["mark-1000-"]), [])
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )

  it.effect(
    "each step of erasing processes fewer deliveries if it must search more runs (blocks of log entries) for each delivery",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          const deliveries = Array.from({ length: 50 }, (_, i) => register(`delivery ${i}`, byId("ada")))
          yield* apply(identify(byId("ada")), ...deliveries)
          yield* apply(remove(byId("ada")))
          const outside = new DatabaseSync(join(directory, "inlet.db"))
          outside.exec("UPDATE heads SET indexed_runs = 400")
          yield* (yield* Store).sweep(noon)
          const left = Number(outside.prepare("SELECT count(*) AS n FROM links").get()?.["n"])
          outside.close()
          assert.isTrue(left >= 40 && left < 50, `${left} are left`)
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )

  it.effect(
    "a step erases many entries, even if searching the runs for them costs more than its budget",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          yield* apply(identify(byId("ada")))
          for (let n = 0; n < 5; n++) {
            yield* apply(...Array.from({ length: 1000 }, () => event(byId("ada"), "seen")))
          }
          yield* sweepAll(noon)
          yield* apply(remove(byId("ada")))
          exec(directory, "UPDATE heads SET indexed_runs = 4000")
          assert.isAtMost(yield* stepsOfErasing(), 50)
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )

  it.effect(
    "a step forgets many states of a leaf, even if searching the runs for its entries costs more than its budget",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          yield* apply(identify(byId("ada")))
          yield* apply(remove(byId("ada")))
          exec(
            directory,
            `UPDATE heads SET indexed_runs = 4000, timeline_runs = 4000;
          INSERT INTO leaf_states (workspace, subject, leaf, ring)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
            SELECT ${first.id}, 100 + n, 1, '' FROM numbers`,
          )
          assert.isAtMost(yield* stepsOfErasing(), 10)
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )

  it.effect("an interrupted erasure resumes in the next process", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const inIt = Effect.provide(storeIn(directory), { local: true })
      const events = Array.from({ length: 1500 }, (_, i) => event(byId("ada"), `mark-1-${i}`))
      yield* Effect.gen(function* () {
        yield* apply(identify(byId("ada")), ...events)
        yield* apply(remove(byId("ada")))
      }).pipe(inIt)
      assert.isNotEmpty(found(directory, ["mark-1-"]))
      yield* sweepFiles(noon).pipe(inIt)
      assert.deepStrictEqual(found(directory, ["mark-1-"]), [])
    }),
  )

  it.effect(
    "removing a deleted object from many documents takes several steps, and the next process continues with the remaining steps",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const inIt = Effect.provide(storeIn(directory), { local: true })
        const crowd = Array.from(
          { length: 250 },
          (_, i) => [byId(`somebody ${i}`), [["role", "mark-1-"]]] as const,
        )
        const naming = Effect.map(
          people(null, { limit: 1000 }),
          (all) => all.filter(({ relationships }) => relationships.size > 0).length,
        )
        yield* Effect.gen(function* () {
          yield* apply(...crowd.map(([person, role]) => relate(person, [[objectOf("1", "acme"), role]])))
          yield* apply(deleteObject(objectOf("1", "acme")))
          yield* (yield* Store).sweep(noon)
          const left = yield* naming
          assert.isTrue(left > 0 && left < crowd.length, `${left} are left`)
        }).pipe(inIt)
        yield* sweepAll(noon).pipe(inIt)
        assert.strictEqual(yield* naming.pipe(inIt), 0)
      }),
  )
})
