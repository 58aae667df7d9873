import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { toActivityView } from "@inlethq/core/catalog/ActivityView"
import { decideAll } from "@inlethq/core/Batch"
import { withoutCall, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { erasedCalls } from "@inlethq/core/log/RejectedCall"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { unsuppress } from "./commands.ts"
import { byIdentifier, oneOf, type CommandBody } from "./randomCommands.ts"
import { assertSame, blank, plainly, recordOf, runWhole, visiblePeople } from "./harness.ts"
import { propertyOptions } from "./propertyOptions.ts"
import { property, type CaseOf } from "./property.ts"
import {
  atOnce,
  commandsOf,
  defaults,
  everything,
  fourPeople,
  scriptAbout,
  settings,
  type Step,
} from "./scripts.ts"

/**
 * Each of these identifiers is used in the test sequences only as an id or only as an email. If one of them appears
 * anywhere after its suppression, it has leaked.
 */
const target = oneOf(
  byIdentifier("id", "id-one"),
  byIdentifier("email", "bob@x.org"),
  byIdentifier("id", "id-two"),
)

const suppressing = Arbitrary.map(target, (who): Step => atOnce({ _tag: "SuppressPerson", target: who }))

const unless = (...tags: ReadonlyArray<CommandBody["_tag"]>) =>
  everything.filter((tag) => !tags.includes(tag))

const lives = Arbitrary.all([
  scriptAbout(everything, 0, 10),
  suppressing,
  scriptAbout(unless("UnsuppressPerson"), 0, 10),
])

interface Suppressed {
  readonly state: WorkingSet
  /** The values of the suppressed identifiers. `ann@x.org` is left out, because the test sequences also use it as an id. */
  readonly values: ReadonlyArray<string>
  /** The position of the first log entry after the suppression. */
  readonly since: number
  /**
   * Whether another person may have had one of the suppressed identifiers before. The history of such a person still
   * contains the identifier.
   */
  readonly hasHistory: boolean
}

/** Runs a suppression between two sequences of commands. Returns undefined if nothing was suppressed. */
const suppressed = ([before, suppress, after]: readonly [ReadonlyArray<Step>, Step, ReadonlyArray<Step>]):
  | Suppressed
  | undefined => {
  const commands = commandsOf([...fourPeople, ...before, suppress, ...after], defaults)
  const place = commands.length - after.length
  const state = blank()
  decideAll(state, commands.slice(0, place - 1))
  const known = new Set(state.suppressed.keys())
  const since = state.nextSequence
  decideAll(state, commands.slice(place - 1, place))
  const texts = [...state.suppressed.keys()].filter((text) => !known.has(text))
  decideAll(state, commands.slice(place))
  const values = texts
    .map((text) => text.split(":").slice(1).join(":"))
    .filter((text) => text !== "ann@x.org")
  const hasHistory = /BySvcId|MergePeople|AliasPerson/.test(JSON.stringify(before))
  return values.length === 0 ? undefined : { state, values, since, hasHistory }
}

const law = (
  says: string,
  holds: (suppressed: Suppressed) => void,
  where: (suppressed: Suppressed) => boolean = () => true,
): void => {
  property(
    says,
    {
      of: lives,
      where: (life) => {
        const all = suppressed(life)
        return all !== undefined && where(all)
      },
    },
    (life) => holds(suppressed(life) ?? assert.fail("nothing was suppressed")),
    800,
  )
}

const names = (what: unknown, values: ReadonlyArray<string>): boolean => {
  const text = JSON.stringify(what).toLowerCase()
  return values.some((value) => text.includes(value))
}

/** Returns the entries as a store keeps them, which erases what is kept of calls that name a suppressed person. */
const asStored = ({ written: { entries, erasedIdentifiers } }: WorkingSet): ReadonlyArray<ActivityEntry> => {
  const calls = entries.flatMap(({ call, sequence }) => (call === null ? [] : [{ call, sequence }]))
  const erased = new Set(erasedCalls(calls, erasedIdentifiers))
  return entries.map((entry) => (erased.has(entry.sequence) ? withoutCall(entry) : entry))
}

describe("while a person is suppressed", () => {
  law("contract §6: no person and no visitor has a suppressed identifier", ({ state, values }) => {
    const parts = [[...state.identifiers.keys()], plainly([...state.subjects.values()])]
    assert.isFalse(names(parts, values), values.join())
  })

  law(
    "contract §6: no entry recorded after a suppression contains a suppressed identifier",
    ({ state, since, values }) => {
      for (const entry of state.written.entries)
        if (entry.sequence >= since)
          assert.isFalse(names(entry, values), `${values.join()} in ${JSON.stringify(entry)}`)
    },
  )

  law(
    "contract §6: no entry that readers see contains a suppressed identifier",
    ({ state, values }) => {
      for (const entry of asStored(state)) {
        const view = toActivityView(recordOf(state, entry))
        assert.isFalse(names(view, values), `${values.join()} in ${JSON.stringify(view)}`)
      }
    },
    ({ hasHistory }) => !hasHistory,
  )
})

const interleavings = Arbitrary.all([
  scriptAbout(["IdentifyPerson", "IdentifyPerson", "MergePeople", "SuppressPerson", "DeletePerson"], 1, 20),
  settings,
])

const livesIn = Arbitrary.all([lives, settings])

describe("identifiers", () => {
  it.prop(
    "contract §6: an identifier belongs to at most one person, and to no person while it is suppressed",
    [interleavings],
    ([[script, settings]]) => {
      const state = blank()
      for (const command of commandsOf(script, settings)) {
        decideAll(state, [command])
        const carried = visiblePeople(state).flatMap(({ anonymousIds, email, id }) => [
          ...(id === null ? [] : [`id:${id}`]),
          ...(email === null ? [] : [`email:${email.toLowerCase()}`]),
          ...anonymousIds.map((value) => `anonymous_id:${value}`),
        ])
        assert.strictEqual(new Set(carried).size, carried.length)
        assert.deepStrictEqual(
          carried.filter((text) => state.suppressed.has(text)),
          [],
        )
      }
    },
    propertyOptions(1500),
  )

  const suppressedIn = ([[before, suppress, after], settings]: CaseOf<typeof livesIn>) =>
    runWhole(commandsOf([...fourPeople, ...before, suppress, ...after], settings))

  property(
    "track-api §3 unsuppress: releases all identifiers that were suppressed together and restores no person",
    {
      of: livesIn,
      where: (life) => suppressedIn(life).suppressed.size > 0,
    },
    (life) => {
      const state = suppressedIn(life)
      for (const [text, group] of state.suppressed) {
        const [kind, ...rest] = text.split(":")
        if (!state.suppressed.has(text)) continue
        const people = visiblePeople(state)
        const who = byIdentifier(kind === "id" ? "id" : "email", rest.join(":"))
        const { entries } = decideAll(state, [unsuppress(who)])
        assert.strictEqual(entries[0]?.outcome, "applied")
        assert.isFalse([...state.suppressed.values()].includes(group))
        assertSame(visiblePeople(state), people)
      }
    },
    500,
  )
})
