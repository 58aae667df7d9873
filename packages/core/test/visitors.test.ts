import { assert, describe, it } from "@effect/vitest"
import type { Command } from "@inlet/core/Command"
import { isExpiredVisitor } from "@inlet/core/state/Subject"
import { dayMs, hourMs, minuteMs } from "@inlet/core/values/Timestamp"
import { by, bySvcId, event, identify, reject, remove } from "./commands.ts"
import { assertSame, runWhole, visibleEvents, visiblePeople } from "./harness.ts"
import { epoch } from "./scripts.ts"

const one = by("id", "1")
const two = by("id", "2")
const ann = by("email", "ann@x.org")
const visitor = by("anonymous_id", "u")

interface Row {
  readonly says: string
  readonly commands: ReadonlyArray<Command>
  /** Whose the events are: ids or emails, or null while nobody is known. */
  readonly owners: ReadonlyArray<string | null>
}

const ownersOf = (commands: ReadonlyArray<Command>): ReadonlyArray<string | number | null> => {
  const state = runWhole(commands)
  const people = visiblePeople(state)
  return visibleEvents(state).map(({ owner }) => {
    const person = people.find(({ key }) => key === owner)
    return person === undefined ? owner : (person.id ?? person.email)
  })
}

const triggersOf = (...commands: ReadonlyArray<Command>) =>
  visibleEvents(runWhole(commands)).map(({ triggers }) => triggers)

const processedOf = (...commands: ReadonlyArray<Command>) =>
  visibleEvents(runWhole(commands)).map(({ processedAt }) => processedAt)

const outcomesOf = (...commands: ReadonlyArray<Command>) =>
  runWhole(commands).written.entries.map(({ outcome }) => outcome)

const forgottenOf = (commands: ReadonlyArray<Command>, passed: number) =>
  [...runWhole(commands).subjects.values()].map((subject) => isExpiredVisitor(subject, epoch + passed))

/** The attributes of all people, as `name value`. */
const attributesOf = (...commands: ReadonlyArray<Command>) =>
  visiblePeople(runWhole(commands)).flatMap((person) =>
    person.attributes
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${String(value)}`),
  )

const rows: ReadonlyArray<Row> = [
  {
    says: "an event with an anonymous id that nobody carries is nobody's",
    commands: [event(visitor)],
    owners: [null],
  },
  {
    says: "an identify that supplies the anonymous id takes the events over",
    commands: [event(visitor), event(visitor), identify(one, { anonymousId: "u" })],
    owners: ["1", "1"],
  },
  {
    says: "events that arrive later with it belong to the person at once",
    commands: [identify(one, { anonymousId: "u" }), event(visitor)],
    owners: ["1"],
  },
  {
    says: "track-api §8 anonymous merge window: events received 30 days ago count, those before do not",
    commands: [
      event(visitor),
      event(visitor, { received: 1 }),
      identify(one, { anonymousId: "u", received: 30 * dayMs + 1 }),
    ],
    owners: [null, "1"],
  },
  {
    says: "receipt counts for the 30 days, not the event's own time",
    commands: [event(visitor, { at: -60 * dayMs }), identify(one, { anonymousId: "u", received: dayMs })],
    owners: ["1"],
  },
  {
    says: "without event merging earlier events stay nobody's, later ones are the person's",
    commands: [
      event(visitor, { settings: { eventMerging: false } }),
      identify(one, { anonymousId: "u", received: 1, settings: { eventMerging: false } }),
      event(visitor, { received: 2, settings: { eventMerging: false } }),
    ],
    owners: [null, "1"],
  },
  {
    says: "without event merging an event of the same millisecond, before the identify, stays nobody's",
    commands: [
      event(visitor, { settings: { eventMerging: false } }),
      identify(one, { anonymousId: "u", settings: { eventMerging: false } }),
    ],
    owners: [null],
  },
  {
    says: "an anonymous id is never reassigned",
    commands: [identify(one, { anonymousId: "u" }), identify(two, { anonymousId: "u" }), event(visitor)],
    owners: ["1"],
  },
  {
    says: "an event for an unknown id creates nobody and waits",
    commands: [event(one), event(ann)],
    owners: [null, null],
  },
  {
    says: "what waits for an identifier is the person's who appears with it",
    commands: [event(one), event(ann), identify(one, { email: "ann@x.org" })],
    owners: ["1", "1"],
  },
  {
    says: "what waits for an identifier waits without end",
    commands: [event(one), identify(one, { received: 400 * dayMs })],
    owners: ["1"],
  },
  {
    says: "what waits for an identifier is the person's who receives it (rule 3)",
    commands: [identify(ann), event(one), identify(one, { email: "ann@x.org" })],
    owners: ["1"],
  },
  {
    says: "what waits for an identifier is the person's who changes to it (rule 5)",
    commands: [identify(one), event(two), identify(bySvcId(1), { id: "2" })],
    owners: ["2"],
  },
  {
    says: "an identifier that its person gave up leads there no more",
    commands: [identify(one), event(one), identify(bySvcId(1), { id: "2" }), event(one)],
    owners: ["2", null],
  },
  {
    says: "an event by an unknown svc_id is dropped",
    commands: [event(bySvcId(5))],
    owners: [],
  },
  {
    says: "an event that names nobody at all stays nobody's",
    commands: [event(null), identify(one, { anonymousId: "u" })],
    owners: [null],
  },
  {
    says: "a delete takes the person's events along, and those that it had taken over",
    commands: [event(visitor), identify(one, { anonymousId: "u" }), event(one), remove(one), event(one)],
    owners: [null],
  },
  {
    says: "whoever comes back after a delete is somebody new, without history",
    commands: [event(one), identify(one), event(one), remove(one), identify(one), event(one)],
    owners: ["1"],
  },
  {
    says: "a delete frees the anonymous id",
    commands: [
      identify(one, { anonymousId: "u" }),
      remove(one),
      event(visitor),
      identify(two, { anonymousId: "u" }),
    ],
    owners: ["2"],
  },
]

describe("whose an event is", () => {
  it.each(rows)("$says", ({ commands, owners }) => {
    assertSame(ownersOf(commands), owners)
  })
})

describe("when an event triggers", () => {
  it.each([
    ["at once", 0, true],
    ["72 hours ago", -72 * hourMs, true],
    ["a millisecond more", -72 * hourMs - 1, false],
    ["tomorrow", dayMs, false],
  ] as const)("by its own time: %s", (_, at, expected) => {
    assert.deepStrictEqual(triggersOf(identify(one), event(one, { at })), [expected])
  })

  it.each([
    ["72 hours", 72 * hourMs, true],
    ["a millisecond more", 72 * hourMs + 1, false],
  ] as const)("by when its visitor was identified: after %s", (_, received, expected) => {
    assert.deepStrictEqual(triggersOf(event(visitor), identify(one, { anonymousId: "u", received })), [
      expected,
    ])
    assert.deepStrictEqual(triggersOf(event(one), identify(one, { received })), [expected])
    assert.deepStrictEqual(triggersOf(event(ann), identify(one, { email: "ann@x.org", received })), [
      expected,
    ])
  })

  it("has no processed-at while nobody is known, and one from then on", () => {
    assert.deepStrictEqual(processedOf(event(visitor)), [null])
    assert.deepStrictEqual(
      processedOf(event(visitor), identify(one, { anonymousId: "u", received: minuteMs })),
      [epoch + minuteMs],
    )
    assert.deepStrictEqual(
      processedOf(identify(one, { anonymousId: "u" }), event(visitor, { received: minuteMs })),
      [epoch + minuteMs],
    )
  })
})

describe("what is known of a visitor", () => {
  it("makes no person", () => {
    assert.deepStrictEqual(visiblePeople(runWhole([identify(visitor, { set: { a: 1 } })])), [])
  })

  it("is inherited where the person lacks it", () => {
    assert.deepStrictEqual(
      attributesOf(
        identify(visitor, { set: { a: "visitor", b: "visitor" } }),
        identify(one, { set: { b: "person" } }),
        identify(one, { anonymousId: "u", set: { c: "person" } }),
      ),
      ["a visitor", "b person", "c person"],
    )
  })

  it("is kept for 30 days", () => {
    const said = identify(visitor, { set: { a: 1 } })
    const inTime = identify(one, { anonymousId: "u", received: 30 * dayMs })
    const late = identify(one, { anonymousId: "u", received: 30 * dayMs + 1 })
    assert.deepStrictEqual(attributesOf(said, inTime), ["a 1"])
    assert.deepStrictEqual(attributesOf(said, late), [])
  })

  it("is gone after 30 days of silence, also when the visitor comes back then", () => {
    assert.deepStrictEqual(
      attributesOf(
        identify(visitor, { set: { a: 1 } }),
        event(visitor, { received: 31 * dayMs }),
        identify(one, { anonymousId: "u", received: 32 * dayMs }),
      ),
      [],
    )
  })

  it("keeps its own time: a newer update of the person overwrites it", () => {
    assert.deepStrictEqual(
      attributesOf(
        identify(visitor, { set: { a: "visitor" }, at: 0, received: 5 * minuteMs }),
        identify(one, { anonymousId: "u", received: 6 * minuteMs }),
        identify(one, { set: { a: "person" }, at: 2 * minuteMs, received: 7 * minuteMs }),
      ),
      ["a person"],
    )
  })

  it("keeps its own time: what the person removed since stays removed", () => {
    assert.deepStrictEqual(
      attributesOf(
        identify(visitor, { set: { a: "visitor" }, at: 0, received: minuteMs }),
        identify(one, { set: { a: null }, at: 2 * minuteMs, received: 2 * minuteMs }),
        event(visitor, { received: 3 * minuteMs }),
        identify(one, { anonymousId: "u", received: 4 * minuteMs }),
      ),
      [],
    )
  })

  it("is not inherited where the identify itself removes it, however often it arrives", () => {
    const said = identify(visitor, { set: { a: "visitor" } })
    const known = identify(one, { anonymousId: "u", set: { a: null } })
    assert.deepStrictEqual(attributesOf(said, known), [])
    assert.deepStrictEqual(attributesOf(said, known, known), [])
  })

  it("with _update is nothing: nobody matches, so nothing is created", () => {
    const state = runWhole([identify(visitor, { set: { a: 1 }, updateOnly: true })])
    assert.deepStrictEqual(
      state.written.entries.map(({ outcome }) => outcome),
      ["dropped"],
    )
  })
})

describe("a visitor", () => {
  it("is forgotten when 30 days pass without a word of it", () => {
    assert.deepStrictEqual(forgottenOf([identify(visitor)], 30 * dayMs), [false])
    assert.deepStrictEqual(forgottenOf([identify(visitor)], 30 * dayMs + 1), [true])
    assert.deepStrictEqual(forgottenOf([event(visitor), event(visitor, { received: 1 })], 30 * dayMs + 1), [
      false,
    ])
  })

  it("is never forgotten when it waits for an identifier", () => {
    assert.deepStrictEqual(forgottenOf([event(one), event(ann)], 4000 * dayMs), [false, false])
  })

  it("is never forgotten when it turned out to be a person", () => {
    const commands = [identify(visitor), identify(one, { anonymousId: "u" })]
    assert.deepStrictEqual(forgottenOf(commands, 4000 * dayMs), [false, false])
  })
})

describe("a deduplication key", () => {
  it("makes a second arrival a duplicate, whatever the kind of call", () => {
    assert.deepStrictEqual(
      outcomesOf(event(one, { key: "k" }), identify(one, { key: "k" }), remove(one, { key: "k" })),
      ["pending", "duplicate", "duplicate"],
    )
  })

  it("contract §16: is free again once its person is deleted", () => {
    const bought = event(one, { key: "k" })
    assert.deepStrictEqual(
      outcomesOf(
        identify(one),
        bought,
        bought,
        remove(one, { key: "d" }),
        bought,
        bought,
        remove(one, { key: "d" }),
      ),
      ["created", "applied", "duplicate", "applied", "pending", "duplicate", "duplicate"],
    )
  })

  it("is not taken by what was refused", () => {
    assert.deepStrictEqual(outcomesOf(reject({ key: "k" }), identify(one, { key: "k" })), [
      "rejected",
      "created",
    ])
  })

  it("is taken by a delete that found nobody: its second arrival has no effect", () => {
    const batch = [remove(one, { key: "k1" }), identify(one, { key: "k2" })]
    assert.deepStrictEqual(outcomesOf(...batch, ...batch), ["dropped", "created", "duplicate", "duplicate"])
    assert.strictEqual(visiblePeople(runWhole([...batch, ...batch])).length, 1)
  })

  it("is taken by an _update that found nobody: its second arrival has no effect", () => {
    const batch = [
      identify(one, { key: "k1", updateOnly: true, set: { a: "old" } }),
      identify(one, { key: "k2" }),
    ]
    assert.deepStrictEqual(outcomesOf(...batch, ...batch), ["dropped", "created", "duplicate", "duplicate"])
  })
})
