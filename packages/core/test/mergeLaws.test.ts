import { assert, describe } from "@effect/vitest"
import { Arbitrary } from "effect"
import { decideAll } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { identifierText, SubjectKey } from "@inlethq/core/values/Identifier"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { bySvcId, identify, merge } from "./commands.ts"
import { oneOf, repeat } from "./randomCommands.ts"
import { assertSame, runWhole, type VisibleAttributes, type VisiblePerson } from "./harness.ts"
import { property, type CaseOf } from "./property.ts"
import { commandsOf, defaults, epoch, fourPeople, scriptAbout } from "./scripts.ts"
import { visibleIn, type Visible } from "./visible.ts"

/** A time after the last command of every sequence. */
const later = 4000 * 24 * 60 * 60 * 1000

interface Merged {
  readonly state: WorkingSet
  readonly before: Visible
  readonly after: Visible
  readonly primary: VisiblePerson
  readonly secondary: VisiblePerson
  /** The primary person, as operators see the person after the merge. */
  readonly one: VisiblePerson
}

/** Random commands. They give people the kinds of data that a faulty merge could lose. */
const script = scriptAbout(
  [
    ...repeat(3, "IdentifyPerson" as const, "RecordEvent" as const),
    ...repeat(2, "AddDevice" as const, "ChangeRelationships" as const),
    "IdentifyObject",
    "ChangeMembership",
    "RegisterDelivery",
    "MergePeople",
    "DeletePerson",
    "DeleteObject",
  ],
  1,
  12,
)

const people = Arbitrary.all([script, oneOf(0, 1, 2), oneOf(1, 0, 2)])

/**
 * Runs a sequence of commands and merges two of the resulting people. Returns undefined if there are fewer than two
 * people.
 */
const merged = (commands: ReadonlyArray<Command>, first: number, second: number): Merged | undefined => {
  const state = runWhole(commands)
  const before = visibleIn(state, epoch)
  const [primary, secondary] = [first, second].map((place) => before.people[place])
  if (primary === undefined || secondary === undefined || primary === secondary) return undefined
  decideAll(state, [merge(bySvcId(primary.key), bySvcId(secondary.key), { received: later })])
  const after = visibleIn(state, epoch)
  const one = after.people.find(({ key }) => key === primary.key)
  return one === undefined
    ? assert.fail("the primary is gone")
    : { state, before, after, primary, secondary, one }
}

const law = (says: string, holds: (merged: Merged) => void): void => {
  const run = ([script, first, second]: CaseOf<typeof people>) =>
    merged(commandsOf([...fourPeople, ...script], defaults), first, second)
  property(
    says,
    { of: people, where: (one) => run(one) !== undefined },
    (one) => holds(run(one) ?? assert.fail("the script left fewer than two people to merge")),
    600,
  )
}

const present = (attributes: VisibleAttributes): ReadonlyMap<string, unknown> =>
  new Map(attributes.filter(([, value]) => value !== null).map(([name, value, at]) => [name, [value, at]]))

/** Returns the attributes of both people. If both have an attribute, the value of the first person wins. */
const together = (first: VisibleAttributes, second: VisibleAttributes) =>
  [...new Map([...present(second), ...present(first)])].toSorted(([a], [b]) => (a < b ? -1 : 1))

const shown = (attributes: VisibleAttributes) => together(attributes, [])

const union = <A>(...lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> =>
  [...new Set(lists.flat())].toSorted()

describe("a merge leaves no trace of the secondary", () => {
  law("contract §6: the secondary's svc_id is unknown after a merge", ({ after, secondary, state }) => {
    assert.isFalse(after.people.some(({ key }) => key === secondary.key))
    const { entries } = decideAll(state, [identify(bySvcId(secondary.key), { received: later })])
    assert.strictEqual(entries[0]?.outcome, "dropped")
  })

  law(
    "contract §6: identifiers of the secondary that the primary does not receive resolve to no person",
    (all) => {
      const { one, primary, secondary, state } = all
      for (const kind of ["id", "email"] as const) {
        const [own, other] = [primary[kind], secondary[kind]]
        assert.strictEqual(one[kind], own ?? other)
        if (own === null || other === null) continue
        assert.isUndefined(state.identifiers.get(identifierText(kind, other)))
      }
    },
  )

  law("contract §6: repeating a merge changes nothing", ({ after, primary, secondary, state }) => {
    const again = merge(bySvcId(primary.key), bySvcId(secondary.key), { received: later })
    const { entries } = decideAll(state, [again])
    assert.strictEqual(entries[0]?.outcome, "dropped")
    assertSame(visibleIn(state, epoch), after)
  })

  law("contract §6: a merge changes no other person", ({ after, before, primary, secondary }) => {
    const others = (state: Visible) => ({
      ...state,
      people: state.people.filter(({ key }) => key !== primary.key && key !== secondary.key),
      events: state.events.filter(({ owner }) => owner !== primary.key && owner !== secondary.key),
      deliveries: state.deliveries.map((delivery) =>
        delivery.person === secondary.key ? { ...delivery, person: primary.key } : delivery,
      ),
    })
    assertSame(others(after), others(before))
  })
})

describe("a merge loses nothing", () => {
  law("contract §6: the primary receives the attributes that it lacks", (all) => {
    const { one, primary, secondary } = all
    assertSame(shown(one.attributes), together(primary.attributes, secondary.attributes))
  })

  law(
    "contract §6: a merge changes the time of the primary's last update and keeps the time of its creation",
    ({ one, primary }) => {
      assertSame([one.createdAt, one.updatedAt], [primary.createdAt, epoch + later])
    },
  )

  law("contract §6: the primary has the devices, anonymous ids and segments of both people", (all) => {
    const { one, primary, secondary } = all
    const byToken = [...primary.devices, ...secondary.devices].toSorted(([a], [b]) => (a < b ? -1 : 1))
    assertSame(one.devices, byToken)
    assertSame(one.anonymousIds, union(primary.anonymousIds, secondary.anonymousIds))
    assertSame(one.segments, union(primary.segments, secondary.segments))
  })

  law(
    "contract §6: after a merge, the primary has the relationships of both people, with their attributes",
    (all) => {
      const { one, primary, secondary } = all
      const [own, others] = [new Map(primary.relationships), new Map(secondary.relationships)]
      assertSame(
        one.relationships.map(([object, attributes]) => [object, shown(attributes)]),
        union([...own.keys()], [...others.keys()])
          .toSorted((a, b) => a - b)
          .map((object) => [object, together(own.get(object) ?? [], others.get(object) ?? [])]),
      )
    },
  )

  law(
    "contract §6: the primary has the events of both people, and moved events trigger no messages",
    (all) => {
      const { after, before, primary, secondary } = all
      assertSame(
        after.events,
        before.events.map((event) =>
          event.owner === secondary.key ? { ...event, owner: primary.key, triggers: false } : event,
        ),
      )
    },
  )

  law("contract §6: merging the primary into a third person moves the events of both people", (all) => {
    const { one, state } = all
    const other = SubjectKey.make(state.nextKey)
    const target = { _tag: "ByIdentifier", kind: "id", value: "somebody else" } as const
    decideAll(state, [
      identify(target, { received: later }),
      merge(bySvcId(other), bySvcId(one.key), { received: later }),
    ])
    const owners = visibleIn(state, epoch).events.map(({ owner }) => owner)
    assertSame(
      owners,
      all.after.events.map(({ owner }) => (owner === one.key ? other : owner)),
    )
  })
})
