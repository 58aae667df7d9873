import { decideAll } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import type { Json } from "@inlethq/core/values/Json"
import {
  addDevice,
  byId,
  event,
  identify,
  identifyObject,
  noon,
  objectOf,
  register,
  report,
} from "@inlethq/store-conformance/script/commands"
import { createSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { runWhole } from "./whole.ts"

const day = 24 * 60 * 60 * 1000
const ada = byId("ada")

/** Something that happens to Ada, and whether she is in the segment afterwards. */
type Step = readonly [command: Command, isIn: boolean]

const on = (days: number) => ({ receivedAt: noon + days * day })
const did = (name: string, days: number, isIn: boolean): Step => [event(ada, name, on(days)), isIn]
const set = (name: string, value: Json, days: number, isIn: boolean): Step => [
  identify(ada, [[name, value]], on(days)),
  isIn,
]

/** What happens to Ada under each rule of the page, in its order. */
const stories: ReadonlyArray<ReadonlyArray<Step>> = [
  [did("bought", 1, false), did("bought", 9, false), did("bought", 20, true), did("looked", 31, false)],
  [
    set("plan", "trial", 0, false),
    set("trial_ends_at", (noon + 9 * day) / 1000, 1, false),
    did("looked", 6, true),
    did("looked", 9, false),
  ],
  [did("looked", 0.5, false), did("looked", 1, true), did("onboarding_finished", 2, false)],
  [
    did("added_to_cart", 1, true),
    did("ordered", 1.5, false),
    did("added_to_cart", 3, true),
    did("looked", 4, false),
  ],
  [
    did("looked", 1, false),
    set("plan", "pro", 30.5, false),
    set("plan", "free", 31, true),
    did("looked", 32, false),
  ],
  [set("plan", "pro", 0, true), set("unsubscribed", true, 1, false), set("unsubscribed", false, 2, true)],
  [
    [register("d1", ada, { channel: "email", ...on(1) }), false],
    [report("d1", "clicked", on(2)), true],
    did("ordered", 3, false),
    did("looked", 16.5, false),
  ],
  [
    [event(ada, "/pricing", { kind: "page", ...on(1) }), false],
    [event(ada, "/pricing/teams", { kind: "page", ...on(2) }), true],
    did("looked", 8, false),
  ],
  [[addDevice(ada, "phone", [], { lastUsed: noon, ...on(0) }), true], did("looked", 30, false)],
  [
    [identify(ada, [], { relatedTo: [[objectOf("1", "acme")]], ...on(0) }), false],
    [identifyObject(objectOf("1", "acme"), [["seats", 101]], [], on(1)), true],
    [identifyObject(objectOf("1", "acme"), [["seats", 100]], [], on(2)), false],
  ],
]

const page = readFileSync(join(import.meta.dirname, "../../../docs/segments.md"), "utf8")
const rules = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, text = ""]) => text)

describe("the rules of the page on segments", () => {
  it("the page has ten rules, and each has a story", () =>
    assert.deepStrictEqual([rules.length, stories.length], [10, 10]))

  it.each(rules.map((text, i) => [text, stories[i] ?? []] as const))("%s", (text, story) => {
    const state = runWhole([createSegment("by rule", { rule: JSON.parse(text) }), identify(ada, [], on(0))])
    let isIn = false
    for (const [command, expected] of story) {
      const { entries } = decideAll(state, [command])
      const [entry] = entries
      assert.include(["applied", "created"], entry?.outcome)
      for (const { change } of entry?.effects ?? []) isIn = change === "entered"
      assert.strictEqual(isIn, expected, JSON.stringify(command))
    }
  })
})
