import { describe, expect, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { decideAll } from "@inlethq/core/Batch"
import { isRecord } from "@inlethq/core/state/Subject"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { by, event, identify, relate, relateAcme, remove, submit } from "./commands.ts"
import { assertSame, blank, runBatches, runWhole, saveWritten, snapshot } from "./harness.ts"
import { propertyOptions } from "./propertyOptions.ts"
import { commandsOf, defaults, oneOf, scriptOf, settings } from "./scripts.ts"

const countedRecords = (state: WorkingSet): number => [...state.subjects.values()].filter(isRecord).length

const limited = Arbitrary.all([
  scriptOf(1, 25),
  Arbitrary.all([settings, oneOf(1, 2, 3, 5)]).pipe(
    Arbitrary.map(([settings, recordsMax]) => ({ ...settings, recordsMax })),
  ),
])

const twoAtMost = { settings: { ...defaults, recordsMax: 2 } }
const ada = by("id", "ada")
const bob = by("id", "bob")
const cleo = by("id", "cleo")

const outcomesOf = (...commands: Parameters<typeof runWhole>[0]): ReadonlyArray<string> =>
  runWhole(commands).written.entries.map(({ outcome }) => outcome)

describe("the limit of the records of a workspace", () => {
  it.prop(
    "the counted number of records equals the number of people, objects, forms, deliveries and unknown people",
    [scriptOf(1, 25), settings],
    ([script, settings]) => {
      const state = runWhole(commandsOf(script, settings))
      assertSame(state.records, countedRecords(state))
    },
    propertyOptions(300),
  )

  it.prop(
    "a workspace never stores more records than its limit, and splitting a batch changes no result",
    [limited],
    ([[script, settings]]) => {
      const commands = commandsOf(script, settings)
      const state = runWhole(commands)
      expect(countedRecords(state)).toBeLessThanOrEqual(settings.recordsMax)
      assertSame(
        snapshot(
          runBatches(
            commands.map((command) => [command]),
            saveWritten,
          ),
        ),
        snapshot(state),
      )
    },
    propertyOptions(300),
  )

  it("a command that would create a record beyond the limit is rejected, and its log entry names the limit", () => {
    const { written, subjects } = runWhole([ada, bob, cleo].map((target) => identify(target, twoAtMost)))
    const [, , third] = written.entries
    expect(third).toMatchObject({ outcome: "rejected", rule: "contract §5 full workspaces", subject: null })
    expect(third?.reasons).toEqual([{ code: "full_workspace", field: "", values: { max: 2 } }])
    expect(subjects.size).toBe(2)
  })

  it("a full workspace still accepts updates and events of its people", () => {
    expect(
      outcomesOf(
        identify(ada, twoAtMost),
        identify(bob, twoAtMost),
        identify(bob, { ...twoAtMost, set: { plan: "pro" } }),
        event(ada, twoAtMost),
      ),
    ).toEqual(["created", "created", "applied", "applied"])
  })

  it("a workspace that has reached its limit of records still stores anonymous events, because anonymous visitors do not count as records", () => {
    expect(
      outcomesOf(
        identify(ada, twoAtMost),
        identify(bob, twoAtMost),
        event(by("anonymous_id", "cookie"), twoAtMost),
      ),
    ).toEqual(["created", "created", "pending"])
  })

  it("a workspace with the largest number of records rejects events of unknown people, relationships to new objects, and new forms", () => {
    const [, , ...rest] = outcomesOf(
      identify(ada, twoAtMost),
      identify(bob, twoAtMost),
      event(cleo, twoAtMost),
      relateAcme(ada, "add", twoAtMost),
      submit({ email: "dora@example.com" }, twoAtMost),
    )
    expect(rest).toEqual(["rejected", "rejected", "rejected"])
  })

  it("a full workspace identifies an unknown person of earlier events as a new person", () => {
    const email = by("email", "cleo@example.com")
    expect(
      outcomesOf(
        identify(ada, twoAtMost),
        event(email, twoAtMost),
        identify(cleo, { ...twoAtMost, email: "cleo@example.com" }),
      ),
    ).toEqual(["created", "pending", "created"])
  })

  it("the entry of a command that a full workspace rejects names the event, and the person if the person exists", () => {
    const { written } = runWhole([
      identify(ada, twoAtMost),
      identify(bob, twoAtMost),
      relate(ada, "add", twoAtMost),
      event(cleo, twoAtMost),
    ])
    expect(written.entries.slice(2)).toMatchObject([
      { outcome: "rejected", subject: 1 },
      { outcome: "rejected", subject: null, name: "bought" },
    ])
  })

  it("a full workspace rejects a form submission that names nobody for that reason, and creates no form", () => {
    const { subjects, written } = runWhole([
      identify(ada, twoAtMost),
      identify(bob, twoAtMost),
      submit({ color: "red" }, twoAtMost),
    ])
    expect(written.entries[2]).toMatchObject({ outcome: "rejected", rule: "track-api §4.3 rule 3" })
    expect(subjects.size).toBe(2)
  })

  it("a command that a full workspace rejected is accepted with the same deduplication key once a person was deleted", () => {
    const state = blank()
    const { entries } = decideAll(state, [
      identify(ada, twoAtMost),
      identify(bob, twoAtMost),
      event(cleo, { ...twoAtMost, key: "once" }),
      remove(ada, twoAtMost),
      event(cleo, { ...twoAtMost, key: "once" }),
    ])
    expect(entries.map(({ outcome }) => outcome)).toEqual([
      "created",
      "created",
      "rejected",
      "applied",
      "pending",
    ])
  })
})
