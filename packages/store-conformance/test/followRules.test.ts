import { describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import type { Json } from "@inlethq/core/values/Json"
import {
  addDevice,
  byAnonymousId,
  byId,
  event,
  identify,
  merge,
  noon,
  remove,
} from "@inlethq/store-conformance/script/commands"
import {
  createSegment,
  deleteSegment,
  followTime,
  joinSegment,
} from "@inlethq/store-conformance/script/segmentCommands"
import { hour } from "@inlethq/store-conformance/script/script"
import { assertSame, runWhole } from "./whole.ts"

const [ada, bob, visitor] = [byId("ada"), byId("bob"), byAnonymousId("v")]

const bought = (more: { readonly [key: string]: Json } = {}): Json => ({ event: { name: "bought", ...more } })
const planIs = (value: Json): Json => ({ attribute: { field: "plan", operator: "eq", value } })

/** Creates a segment (key 1) with a rule, runs commands, and compares who entered and left with each of them. */
const follows = (
  says: string,
  rule: Json,
  steps: ReadonlyArray<readonly [command: Command, ...effects: ReadonlyArray<string>]>,
): void =>
  it(says, () => {
    const state = runWhole([createSegment("by rule", { rule }), ...steps.map(([command]) => command)])
    const name = (key: number) => {
      const subject = [...state.subjects.values()].find((one) => one.key === key)
      return subject?._tag === "Person" ? (subject.id ?? subject.email) : "somebody gone"
    }
    assertSame(
      state.written.entries
        .slice(1)
        .map(({ effects }) => effects.map(({ change, subject }) => `${name(subject)} ${change}`)),
      steps.map(([, ...effects]) => effects),
    )
  })

const at = (hours: number) => ({ receivedAt: noon + hours * hour })

describe("people enter and leave segments by rule with the operation that made the rule true or false", () => {
  follows("contract §12 segments by rule: by an attribute", planIs("pro"), [
    [identify(ada, [["plan", "pro"]]), "ada entered"],
    [identify(ada, [["plan", "pro"]])],
    [identify(ada, [["plan", "free"]]), "ada left"],
    [identify(ada, [["plan", null]])],
  ])

  follows(
    "by as many events as the rule asks for, repeated ones counted once",
    bought({ count: { gte: 2 } }),
    [
      [identify(ada)],
      [event(ada, "bought", { deduplicationKey: "a" })],
      [event(ada, "bought", { deduplicationKey: "a" })],
      [event(ada, "looked")],
      [event(ada, "bought", { deduplicationKey: "b" }), "ada entered"],
      [event(ada, "bought")],
    ],
  )

  follows("an event from a clock that is ahead counts when it is received", bought({ within: "2h" }), [
    [identify(ada)],
    [event(ada, "bought", { receivedAt: noon, at: noon + 100 * hour }), "ada entered"],
    [event(ada, "looked", at(1.9))],
    [event(ada, "looked", at(2)), "ada left"],
  ])

  follows("an event that is older than the others does not keep anybody longer", bought({ within: "2h" }), [
    [identify(ada)],
    [event(ada, "bought", at(0)), "ada entered"],
    [event(ada, "bought", { ...at(1), at: noon - hour })],
    [event(ada, "looked", at(2)), "ada left"],
    [event(ada, "bought", { ...at(3), at: noon + 0.5 * hour })],
    [event(ada, "bought", { ...at(3), at: noon + 1.5 * hour }), "ada entered"],
  ])

  follows(
    "people leave exactly when the last occurrence that they need leaves the window",
    bought({ within: "2h", count: { gte: 2 } }),
    [
      [identify(ada)],
      [event(ada, "bought", at(0))],
      [event(ada, "bought", at(0.5)), "ada entered"],
      [event(ada, "bought", at(1))],
      [followTime(5, { receivedAt: noon + 2.5 * hour - 1 })],
      [followTime(5, { receivedAt: noon + 2.5 * hour }), "ada left"],
      [event(ada, "bought", at(2.75)), "ada entered"],
    ],
  )

  follows(
    "a time that comes earlier than expected is not missed",
    { attribute: { field: "trial_ends", operator: "within_next", value: "1h" } },
    [
      [identify(ada, [["trial_ends", (noon + 9 * hour) / 1000]])],
      [identify(ada, [["trial_ends", (noon + 3 * hour) / 1000]], at(1))],
      [event(ada, "looked", at(2)), "ada entered"],
      [event(ada, "looked", at(3)), "ada left"],
    ],
  )

  follows("only people who could have done something are missing it", { not: bought({ within: "3h" }) }, [
    [identify(ada)],
    [event(ada, "looked", at(2))],
    [event(ada, "looked", at(3)), "ada entered"],
    [event(ada, "bought", at(3)), "ada left"],
    [identify(bob, [], at(4))],
  ])

  follows(
    "a device that moves takes its owner out",
    { device: { where: [{ field: "platform", operator: "eq", value: "ios" }] } },
    [
      [addDevice(ada, "token"), "ada entered"],
      [identify(bob)],
      [addDevice(bob, "token"), "ada left", "bob entered"],
    ],
  )

  follows(
    "what a visitor did counts for the person, but not what was received 30 days before",
    bought({ count: { gte: 2 } }),
    [
      [event(visitor, "bought", at(0))],
      [event(visitor, "bought", at(24 * 29))],
      [event(visitor, "bought", at(24 * 30))],
      [identify(ada, [], { ...at(24 * 31), anonymousId: "v" }), "ada entered"],
      [event(visitor, "bought", at(24 * 31))],
    ],
  )

  follows("what was received too long ago does not count", bought(), [
    [event(visitor, "bought", at(0))],
    [event(visitor, "looked", at(24 * 29))],
    [identify(ada, [], { ...at(24 * 31), anonymousId: "v" })],
    [event(visitor, "bought", at(24 * 31)), "ada entered"],
  ])

  follows(
    "a merge unites what both did, and nobody enters who was in already",
    bought({ count: { gte: 3 } }),
    [
      [identify(ada)],
      [identify(bob)],
      [event(ada, "bought")],
      [event(ada, "bought")],
      [event(bob, "bought")],
      [merge(ada, bob), "ada entered"],
      [identify(bob)],
      [event(bob, "bought")],
      [merge(ada, bob)],
    ],
  )

  follows("whoever is deleted begins again", bought(), [
    [identify(ada)],
    [event(ada, "bought"), "somebody gone entered"],
    [remove(ada), "somebody gone left"],
    [identify(ada)],
    [event(ada, "bought"), "ada entered"],
  ])
})

describe("rules that name other segments", () => {
  it("people who enter one segment enter the segments that name it in the same operation", () => {
    const rules = [planIs("pro"), { segment: { id: 1 } }, { not: { segment: { id: 5 } } }]
    const { written } = runWhole([
      ...rules.map((rule) => createSegment("by rule", { rule })),
      identify(ada),
      identify(ada, [["plan", "pro"]]),
    ])
    assertSame(
      written.entries
        .slice(3)
        .map(({ effects }) => effects.map(({ change, segment }) => `${change} ${segment}`)),
      [["entered 9"], ["entered 1", "entered 5", "left 9"]],
    )
  })

  it("a segment that a rule names cannot be deleted, and nobody is added to a segment with a rule by hand", () => {
    const { subjects, written } = runWhole([
      createSegment("by hand"),
      createSegment("by rule", { rule: { segment: { id: 1 } } }),
      createSegment("wrong", { rule: { and: [{ segment: { id: 9 } }] } }),
      deleteSegment(1),
      identify(ada),
      joinSegment(2, [ada]),
      deleteSegment(2),
      deleteSegment(1),
    ])
    assertSame(
      written.entries.map(({ outcome, reasons }) => [outcome, reasons[0]?.code ?? null]),
      [
        ["created", null],
        ["created", null],
        ["rejected", "invalid_rule"],
        ["rejected", "segment_in_use"],
        ["created", null],
        ["rejected", "segment_by_rule"],
        ["applied", null],
        ["applied", null],
      ],
    )
    assertSame(
      [...subjects.values()].map(({ _tag }) => _tag).filter((tag) => tag !== "Erased"),
      ["Person"],
    )
  })
})
