import { assert, it } from "@effect/vitest"
import { Command } from "@inlethq/core/Command"
import { noon } from "@inlethq/store-conformance/script/commands"
import { commandOf, Settings, Step } from "@inlethq/store-conformance/script/script"

const step: Omit<Step, "what"> = {
  workspace: 1,
  by: "id",
  who: 1,
  other: 2,
  thing: 1,
  id: null,
  email: null,
  anonymousId: null,
  attribute: "plan",
  value: 1,
  deduplicationKey: null,
  hoursLater: 0,
  hoursLate: 0,
  joins: false,
  endsBatch: "never",
  housekeeping: "none",
}

const settings: typeof Settings.Type = {
  identifiedBy: "both",
  emailUpdateById: false,
  eventMerging: true,
  attributesMax: 300,
  objectAttributesMax: 300,
  recordsMax: null,
}

/** The commands that change and build rules, undo merges, or repeat erasures. Other scripts contain them. */
const commandsOfOthers = [
  "FinishBuild",
  "ReadHistory",
  "RepeatErasure",
  "UnmergePeople",
  "UpdateSegment",
  "WalkPeople",
]

it("random scripts (lists of commands) contain every kind of command, except those of rules and of ends of merges", () => {
  const sent = Step.fields.what.literals.map((what) => commandOf({ ...step, what }, noon, settings)._tag)
  const known = Command.members.map(({ fields }) => fields._tag.schema.literal)
  assert.deepStrictEqual(
    [...new Set(sent)].toSorted(),
    known.filter((tag) => !commandsOfOthers.includes(tag)).toSorted(),
  )
})
