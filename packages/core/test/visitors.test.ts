import { assert, describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import { isExpiredVisitor } from "@inlethq/core/state/Subject"
import { dayMs, hourMs, minuteMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { by, bySvcId, event, identify, reject, remove } from "./commands.ts"
import { assertSame, runWhole, visibleEvents, visiblePeople } from "./harness.ts"
import { epoch } from "./scripts.ts"

const one = by("id", "1")
const two = by("id", "2")
const ann = by("email", "ann@x.org")
const visitor = by("anonymous_id", "u")

interface Row {
  readonly commands: ReadonlyArray<Command>
  /** For each event, the id or email of its person, or null if the event belongs to no person. */
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

/** Returns the attributes of all people, each as the text `name value`. */
const attributesOf = (...commands: ReadonlyArray<Command>) =>
  visiblePeople(runWhole(commands)).flatMap((person) =>
    person.attributes
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${String(value)}`),
  )

const check = (title: string, { commands, owners }: Row): void =>
  it(title, () => {
    assertSame(ownersOf(commands), owners)
  })

describe("the person that an event belongs to", () => {
  check("an event with an unknown anonymous id belongs to no person", {
    commands: [event(visitor)],
    owners: [null],
  })
  check("an identify with the anonymous id assigns earlier events to the person", {
    commands: [event(visitor), event(visitor), identify(one, { anonymousId: "u" })],
    owners: ["1", "1"],
  })
  check("later events with the anonymous id belong to the person at once", {
    commands: [identify(one, { anonymousId: "u" }), event(visitor)],
    owners: ["1"],
  })
  check(
    "track-api §8 anonymous merge window: assigns events received up to 30 days before the identify, and no earlier events",
    {
      commands: [
        event(visitor),
        event(visitor, { received: 1 }),
        identify(one, { anonymousId: "u", received: 30 * dayMs + 1 }),
      ],
      owners: [null, "1"],
    },
  )
  check("the 30 days before the identify are counted from the receipt of an event, not from its own time", {
    commands: [event(visitor, { at: -60 * dayMs }), identify(one, { anonymousId: "u", received: dayMs })],
    owners: ["1"],
  })
  check("without event merging, only events after the identify belong to the person", {
    commands: [
      event(visitor, { settings: { eventMerging: false } }),
      identify(one, { anonymousId: "u", received: 1, settings: { eventMerging: false } }),
      event(visitor, { received: 2, settings: { eventMerging: false } }),
    ],
    owners: [null, "1"],
  })
  check(
    "without event merging, an event received before the identify in the same millisecond belongs to no person",
    {
      commands: [
        event(visitor, { settings: { eventMerging: false } }),
        identify(one, { anonymousId: "u", settings: { eventMerging: false } }),
      ],
      owners: [null],
    },
  )
  check("an anonymous id is never reassigned", {
    commands: [identify(one, { anonymousId: "u" }), identify(two, { anonymousId: "u" }), event(visitor)],
    owners: ["1"],
  })
  check("an event for an unknown id creates no person and stays pending", {
    commands: [event(one), event(ann)],
    owners: [null, null],
  })
  check("pending events of an identifier belong to the person who is created with that identifier", {
    commands: [event(one), event(ann), identify(one, { email: "ann@x.org" })],
    owners: ["1", "1"],
  })
  check("pending events of an identifier never expire", {
    commands: [event(one), identify(one, { received: 400 * dayMs })],
    owners: ["1"],
  })
  check("pending events of an identifier belong to the person who receives that identifier by rule 3", {
    commands: [identify(ann), event(one), identify(one, { email: "ann@x.org" })],
    owners: ["1"],
  })
  check("pending events of an identifier belong to the person who later receives that identifier by rule 5", {
    commands: [identify(one), event(two), identify(bySvcId(1), { id: "2" })],
    owners: ["2"],
  })
  check("an identifier that was replaced no longer resolves to the person", {
    commands: [identify(one), event(one), identify(bySvcId(1), { id: "2" }), event(one)],
    owners: ["2", null],
  })
  check("an event by an unknown svc_id is dropped", {
    commands: [event(bySvcId(5))],
    owners: [],
  })
  check("an event without any identifier belongs to no person", {
    commands: [event(null), identify(one, { anonymousId: "u" })],
    owners: [null],
  })
  check("deleting a person deletes their events and those of attached visitors", {
    commands: [event(visitor), identify(one, { anonymousId: "u" }), event(one), remove(one), event(one)],
    owners: [null],
  })
  check("a person identified again after a deletion is new and has no history", {
    commands: [event(one), identify(one), event(one), remove(one), identify(one), event(one)],
    owners: ["1"],
  })
  check("deleting a person frees their anonymous id", {
    commands: [
      identify(one, { anonymousId: "u" }),
      remove(one),
      event(visitor),
      identify(two, { anonymousId: "u" }),
    ],
    owners: ["2"],
  })
})

const checkTrigger = (title: string, at: EpochMillis, expected: boolean): void =>
  it(title, () => {
    assert.deepStrictEqual(triggersOf(identify(one), event(one, { at })), [expected])
  })

const checkIdentified = (title: string, received: EpochMillis, expected: boolean): void =>
  it(title, () => {
    assert.deepStrictEqual(triggersOf(event(visitor), identify(one, { anonymousId: "u", received })), [
      expected,
    ])
    assert.deepStrictEqual(triggersOf(event(one), identify(one, { received })), [expected])
    assert.deepStrictEqual(triggersOf(event(ann), identify(one, { email: "ann@x.org", received })), [
      expected,
    ])
  })

describe("whether an event can trigger messages", () => {
  checkTrigger("an event dated now can trigger messages", 0, true)
  checkTrigger("an event 72 hours old can trigger messages", -72 * hourMs, true)
  checkTrigger("an event older than 72 hours cannot trigger messages", -72 * hourMs - 1, false)
  checkTrigger("an event dated into the future happened at its receipt and can trigger messages", dayMs, true)

  checkIdentified(
    "an event can trigger messages if its visitor is identified within 72 hours",
    72 * hourMs,
    true,
  )
  checkIdentified(
    "an event cannot trigger messages if its visitor is identified after 72 hours",
    72 * hourMs + 1,
    false,
  )

  it("an event has a processing time only once its person is known", () => {
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

describe("data of an anonymous visitor", () => {
  it("data of an anonymous visitor do not create a person", () => {
    assert.deepStrictEqual(visiblePeople(runWhole([identify(visitor, { set: { a: 1 } })])), [])
  })

  it("a person inherits the attributes that they lack from the visitor", () => {
    assert.deepStrictEqual(
      attributesOf(
        identify(visitor, { set: { a: "visitor", b: "visitor" } }),
        identify(one, { set: { b: "person" } }),
        identify(one, { anonymousId: "u", set: { c: "person" } }),
      ),
      ["a visitor", "b person", "c person"],
    )
  })

  it("data of a visitor are stored for 30 days after the visitor's last request", () => {
    const said = identify(visitor, { set: { a: 1 } })
    const inTime = identify(one, { anonymousId: "u", received: 30 * dayMs })
    const late = identify(one, { anonymousId: "u", received: 30 * dayMs + 1 })
    assert.deepStrictEqual(attributesOf(said, inTime), ["a 1"])
    assert.deepStrictEqual(attributesOf(said, late), [])
  })

  it("data of a visitor is gone after 30 days without a request, even if the visitor comes back", () => {
    assert.deepStrictEqual(
      attributesOf(
        identify(visitor, { set: { a: 1 } }),
        event(visitor, { received: 31 * dayMs }),
        identify(one, { anonymousId: "u", received: 32 * dayMs }),
      ),
      [],
    )
  })

  it("an attribute that a person inherits from a visitor keeps its time, so a newer update of the person overwrites it", () => {
    assert.deepStrictEqual(
      attributesOf(
        identify(visitor, { set: { a: "visitor" }, at: 0, received: 5 * minuteMs }),
        identify(one, { anonymousId: "u", received: 6 * minuteMs }),
        identify(one, { set: { a: "person" }, at: 2 * minuteMs, received: 7 * minuteMs }),
      ),
      ["a person"],
    )
  })

  it("an attribute inherited from a visitor keeps its time, so it does not undo a later removal", () => {
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

  it("an attribute that the identify removes is not inherited, even if the same identify arrives again", () => {
    const said = identify(visitor, { set: { a: "visitor" } })
    const known = identify(one, { anonymousId: "u", set: { a: null } })
    assert.deepStrictEqual(attributesOf(said, known), [])
    assert.deepStrictEqual(attributesOf(said, known, known), [])
  })

  it("an identify with _update and an unknown anonymous id stores nothing", () => {
    const state = runWhole([identify(visitor, { set: { a: 1 }, updateOnly: true })])
    assert.deepStrictEqual(
      state.written.entries.map(({ outcome }) => outcome),
      ["dropped"],
    )
  })
})

describe("the expiry of a visitor", () => {
  it("an anonymous visitor expires after 30 days without a request", () => {
    assert.deepStrictEqual(forgottenOf([identify(visitor)], 30 * dayMs), [false])
    assert.deepStrictEqual(forgottenOf([identify(visitor)], 30 * dayMs + 1), [true])
    assert.deepStrictEqual(forgottenOf([event(visitor), event(visitor, { received: 1 })], 30 * dayMs + 1), [
      false,
    ])
  })

  it("a visitor known by id or email never expires", () => {
    assert.deepStrictEqual(forgottenOf([event(one), event(ann)], 4000 * dayMs), [false, false])
  })

  it("a visitor who is attached to a person never expires", () => {
    const commands = [identify(visitor), identify(one, { anonymousId: "u" })]
    assert.deepStrictEqual(forgottenOf(commands, 4000 * dayMs), [false, false])
  })
})

describe("a deduplication key", () => {
  it("a deduplication key makes a second call of any kind a duplicate", () => {
    assert.deepStrictEqual(
      outcomesOf(event(one, { key: "k" }), identify(one, { key: "k" }), remove(one, { key: "k" })),
      ["pending", "duplicate", "duplicate"],
    )
  })

  it("contract §16: a deduplication key can be used again once the person of its operation is deleted", () => {
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

  it("a rejected call does not use up its deduplication key", () => {
    assert.deepStrictEqual(outcomesOf(reject({ key: "k" }), identify(one, { key: "k" })), [
      "rejected",
      "created",
    ])
  })

  it("a delete of an unknown person uses up its deduplication key", () => {
    const batch = [remove(one, { key: "k1" }), identify(one, { key: "k2" })]
    assert.deepStrictEqual(outcomesOf(...batch, ...batch), ["dropped", "created", "duplicate", "duplicate"])
    assert.strictEqual(visiblePeople(runWhole([...batch, ...batch])).length, 1)
  })

  it("an identify with _update and an unknown person uses up its deduplication key", () => {
    const batch = [
      identify(one, { key: "k1", updateOnly: true, set: { a: "old" } }),
      identify(one, { key: "k2" }),
    ]
    assert.deepStrictEqual(outcomesOf(...batch, ...batch), ["dropped", "created", "duplicate", "duplicate"])
  })
})
