import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { decideAll } from "@inlethq/core/Batch"
import type { Change } from "../src/fold/Change.ts"
import type { Command } from "@inlethq/core/Command"
import type { IdentifyPerson } from "@inlethq/core/person/commands"
import {
  deliveryText,
  deviceText,
  formText,
  freedText,
  goneText,
  identifierText,
  keyText,
  objectText,
  replacedText,
  WorkspaceId,
  type Sequence,
  type SubjectKey,
} from "@inlethq/core/values/Identifier"
import type { Subject } from "@inlethq/core/state/Subject"
import { decide, evolve } from "../src/Transition.ts"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import {
  assertSame,
  blank,
  contents,
  fingerprint,
  linksNow,
  restrict,
  runBatches,
  runWhole,
  saveChanges,
  saveWritten,
  snapshot,
  needsIn,
} from "./harness.ts"
import { propertyOptions } from "./propertyOptions.ts"
import { property } from "./property.ts"
import { by, identify } from "./commands.ts"
import { commandsOf, defaults, epoch, oneOf, scriptOf, settings, workspaceOf } from "./scripts.ts"
import { visibleIn, type Visible } from "./visible.ts"

const sequence = Arbitrary.all([scriptOf(1, 25), settings])

const sizes = Arbitrary.array(oneOf(1, 2, 3, 5, 8), { minLength: 1, maxLength: 25 })

const split = (
  commands: ReadonlyArray<Command>,
  sizes: ReadonlyArray<number>,
): ReadonlyArray<ReadonlyArray<Command>> => {
  const batches: Array<ReadonlyArray<Command>> = []
  let from = 0
  for (const size of sizes) {
    batches.push(commands.slice(from, from + size))
    from += size
  }
  return [...batches, commands.slice(from)].filter((batch) => batch.length > 0)
}

/** Everything that readers see, including expired visitors. */
const visibleOf = (state: WorkingSet): Visible => visibleIn(state, epoch)

const undated = (state: WorkingSet) => {
  const { objects, people, ...rest } = visibleOf(state)
  return {
    ...rest,
    people: people.map((person) => ({ ...person, updatedAt: null })),
    objects: objects.map((object) => ({ ...object, updatedAt: null })),
    identifiers: contents(state).identifiers,
  }
}

describe("batches", () => {
  it.prop(
    "splitting a batch changes no result, although each part loads only the state that its commands name",
    [sequence, sizes],
    ([sequence, sizes]) => {
      const commands = commandsOf(...sequence)
      const whole = snapshot(runWhole(commands))
      const batches = split(commands, sizes)
      assertSame(snapshot(runBatches(batches, saveWritten)), whole)
      assertSame(snapshot(runBatches(batches, saveChanges)), whole)
      assertSame(snapshot(runBatches([commands], saveWritten)), whole)
    },
    propertyOptions(500),
  )

  it.prop(
    "if each batch saves only the links that it changed, the stored links are exactly the links of the whole state",
    [sequence, sizes],
    ([sequence, sizes]) => {
      const state = runBatches(split(commandsOf(...sequence), sizes), saveWritten)
      const links = [...state.written.links].flatMap(([from, targets]) =>
        [...targets].map((target) => `${from} ${target}`),
      )
      assertSame(links.toSorted(), linksNow(state))
    },
    propertyOptions(500),
  )

  it.prop(
    "a command has the same result whether the whole state is loaded or only the state that it names",
    [sequence],
    ([sequence]) => {
      const commands = commandsOf(...sequence)
      const state = blank()
      for (const command of commands) {
        const changes = decide(state, command)
        assertSame(decide(restrict(state, needsIn([command])), command), changes)
        for (const change of changes) evolve(state, change)
      }
    },
    propertyOptions(700),
  )

  it.prop(
    "applying the changes of a batch again to an empty state gives the same state",
    [sequence],
    ([sequence]) => {
      const commands = commandsOf(...sequence)
      const { changes, state } = decideAll(blank(), commands)
      const again = blank()
      for (const change of changes) evolve(again, change)
      assert.strictEqual(fingerprint(again), fingerprint(state))
    },
    propertyOptions(500),
  )

  it.prop(
    "each command adds one log entry, and the log entries have consecutive positions in the order of the commands",
    [sequence],
    ([sequence]) => {
      const commands = commandsOf(...sequence)
      const { entries } = decideAll(blank(), commands)
      assertSame(
        entries.map(({ sequence, workspace, at }) => [Number(sequence), workspace, at]),
        commands.map(({ at, receivedAt, workspace }, index) => [
          index + 1,
          workspace.id,
          Math.min(at, receivedAt),
        ]),
      )
    },
    propertyOptions(200),
  )
})

const withKeys = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  commands.map((command, index) => ({ ...command, deduplicationKey: `key ${index}` }))

/**
 * Returns the commands without those that are rejected, delete data or suppress identifiers. The deduplication keys of
 * the remaining commands stay in use: rejected requests do not use up their key, and deletions free the keys of erased
 * entries (contract §16).
 */
const accepted = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const state = blank()
  const taken = commands.filter((command) => {
    const { changes, entries } = decideAll(state, [command])
    return entries[0]?.outcome !== "rejected" && !changes.some(erases)
  })
  return taken.length === commands.length ? commands : accepted(taken)
}

const erases = ({ _tag }: Change): boolean => _tag === "SubjectDeleted" || _tag === "IdentifiersSuppressed"

/**
 * Returns whether a command is an identify call that has the same effect if it arrives a second time. Returns false if
 * the call addresses a person by a text of unknown kind and stores this text as the `id`: at the second arrival, the
 * text is a known `id`.
 */
const canArriveAgain = (command: Command): command is IdentifyPerson =>
  command._tag === "IdentifyPerson" &&
  command.deduplicationKey === null &&
  !(command.target._tag === "ByBareText" && command.id === command.target.value)

describe("a batch that arrives again", () => {
  it.prop(
    "repeating a batch with deduplication keys changes nothing that readers see",
    [sequence],
    ([sequence]) => {
      const batch = accepted(withKeys(commandsOf(...sequence)))
      const once = runWhole(batch)
      const before = visibleOf(once)
      const expected = contents(once)
      const { state } = decideAll(once, batch)
      assertSame(visibleOf(state), before)
      assertSame(contents(state), expected)
    },
    propertyOptions(500),
  )

  it.prop(
    "repeating a batch in the same commit changes nothing that readers see",
    [sequence],
    ([sequence]) => {
      const batch = accepted(withKeys(commandsOf(...sequence)))
      assertSame(visibleOf(runWhole([...batch, ...batch])), visibleOf(runWhole(batch)))
    },
    propertyOptions(500),
  )

  property(
    "repeating an identify changes only the time of the last update",
    { of: sequence, where: (sequence) => commandsOf(...sequence).some(canArriveAgain) },
    (sequence) => {
      const commands = commandsOf(...sequence)
      const state = blank()
      for (const command of commands) {
        decideAll(state, [command])
        // A command from the future counts as sent at its receipt, which is later the second time.
        if (!canArriveAgain(command) || command.at > command.receivedAt) continue
        const before = undated(state)
        decideAll(state, [{ ...command, receivedAt: command.receivedAt + 1 }])
        assertSame(undated(state), before)
      }
    },
    500,
  )
})

describe("decide and evolve", () => {
  it.prop(
    "the function `decide` never writes into the working set",
    [sequence],
    ([sequence]) => {
      const commands = commandsOf(...sequence)
      const state = blank()
      for (const command of commands) {
        const before = fingerprint(state)
        const changes = decide(state, command)
        assert.strictEqual(fingerprint(state), before)
        assertSame(decide(state, command), changes)
        for (const change of changes) evolve(state, change)
      }
    },
    propertyOptions(300),
  )

  it.prop(
    "each lookup text (such as `email:ada@example.com`) resolves to the one person, object or other subject that has it, or had it when a merge or a deletion freed it",
    [sequence],
    ([sequence]) => {
      const commands = commandsOf(...sequence)
      const state = blank()
      const freed = new Map<string, SubjectKey | Sequence>()
      const people = new Set<SubjectKey>()
      for (const command of commands) {
        const before = new Map(state.subjects)
        for (const [key, { _tag }] of before) if (_tag === "Person") people.add(key)
        const position = state.nextSequence
        decideAll(state, [command])
        for (const [text, found] of freedBetween(before, state, { people, position })) freed.set(text, found)
        const listed = [...state.subjects.values()].flatMap((subject) =>
          textsOf(subject).map((text) => [text, subject.key]),
        )
        assertSame([...listed, ...freed].toSorted(), [...state.identifiers].toSorted())
      }
    },
    propertyOptions(500),
  )

  it.prop(
    "keys and log positions never decrease, and a deleted person or object stays deleted",
    [sequence],
    ([sequence]) => {
      const commands = commandsOf(...sequence)
      const state = blank()
      const gone = new Set<number>()
      for (const command of commands) {
        const { nextKey, nextSequence } = state
        decideAll(state, [command])
        assert.isAtLeast(state.nextKey, nextKey)
        assert.strictEqual(state.nextSequence, nextSequence + 1)
        for (const [key, subject] of state.subjects) {
          assert.strictEqual(subject.key, key)
          assert.isBelow(key, state.nextKey)
          if (subject._tag === "Erased") gone.add(key)
          assert.strictEqual(subject._tag === "Erased", gone.has(key))
        }
      }
    },
    propertyOptions(300),
  )

  it.prop(
    "each identified visitor and each merged person refers to its owner, and the owner lists it",
    [sequence],
    ([sequence]) => {
      const commands = commandsOf(...sequence)
      const state = runWhole(commands)
      const owned = [...state.subjects.values()].flatMap((subject) =>
        subject._tag === "Attached"
          ? [[subject.key, subject.owner, subject.at, subject.since, subject.merged]]
          : [],
      )
      const owning = [...state.subjects.values()].flatMap((subject) =>
        subject._tag === "Person"
          ? subject.attached.map(({ at, key, merged, since }) => [key, subject.key, at, since, merged])
          : [],
      )
      assertSame(owned.toSorted(), owning.toSorted())
    },
    propertyOptions(300),
  )

  it("a batch throws if it contains a command of another workspace", () => {
    const command = atOnceIn(2)
    assert.throws(
      () => decideAll(blank(), [command]),
      "a batch of workspace 1 cannot contain a command of workspace 2",
    )
    assert.strictEqual(decideAll(blank(WorkspaceId.make(2)), [command]).entries.length, 1)
  })
})

const atOnceIn = (id: number): Command => ({
  ...identify(by("id", "1")),
  workspace: workspaceOf(id, defaults),
})

/**
 * Yields the identifiers that the command at a position took from people who were there before: by merging them, with the person, and
 * by deleting them or by giving them another identifier, with the position. `people` are the keys of everybody who was a person.
 */
function* freedBetween(
  before: ReadonlyMap<SubjectKey, Subject>,
  { digest, subjects }: WorkingSet,
  { people, position }: { readonly people: ReadonlySet<SubjectKey>; readonly position: Sequence },
): Generator<readonly [text: string, found: SubjectKey | Sequence]> {
  for (const [key, person] of before) {
    const merged = subjects.get(key)
    if (merged?._tag === "Erased" && person._tag !== "Erased" && people.has(key)) {
      yield [goneText(digest(keyText(key))), position]
    }
    if (person._tag !== "Person" && person._tag !== "Visitor") continue
    const named = textsOf(person).filter((text) => /^(id|email):/.test(text))
    if (merged?._tag === "Erased") {
      for (const text of named) yield [goneText(digest(text)), position]
    }
    if (merged?._tag === "Person") {
      const still = new Set(textsOf(merged))
      for (const text of named) if (!still.has(text)) yield [replacedText(digest(text)), position]
    }
    const owner = merged?._tag === "Attached" ? before.get(merged.owner) : undefined
    if (person._tag !== "Person" || owner?._tag !== "Person") continue
    for (const kind of ["id", "email"] as const) {
      const value = person[kind]
      if (value !== null && owner[kind] !== null) yield [freedText(digest(identifierText(kind, value))), key]
    }
  }
}

/** Returns the lookup texts that resolve to a person or object. */
const textsOf = (subject: Subject): ReadonlyArray<string> => {
  switch (subject._tag) {
    case "Person": {
      const { anonymousIds, devices, email, id } = subject
      return [
        ...(id === null ? [] : [identifierText("id", id)]),
        ...(email === null ? [] : [identifierText("email", email)]),
        ...anonymousIds.map((value) => identifierText("anonymous_id", value)),
        ...[...devices.keys()].map((token) => deviceText(token)),
      ]
    }
    case "Visitor":
      return [
        identifierText(subject.knownAs.kind, subject.knownAs.value),
        ...[...subject.devices.keys()].map((token) => deviceText(token)),
      ]
    case "DataObject":
      return [objectText(subject.typeId, subject.objectId)]
    case "Delivery":
      return [deliveryText(subject.deliveryId)]
    case "Form":
      return [formText(subject.formId)]
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
    case "Attached":
    case "Erased":
      return []
  }
}
