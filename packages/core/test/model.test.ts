import { describe, it } from "@effect/vitest"
import type { Command } from "../src/Command.ts"
import { decideAll } from "../src/Batch.ts"
import { assertSame, blank, seenEvents, seenPeople, type SeenEvent, type SeenPerson } from "./harness.ts"
import { applyToModel, emptyModel, isModelEligible, type Model } from "./model.ts"
import { checked } from "./options.ts"
import { commandsOf, scriptOf, settings } from "./scripts.ts"

const modelPeople = (model: Model): ReadonlyArray<SeenPerson> =>
  model.people
    .map((person) => ({
      key: person.key,
      workspace: person.workspace,
      id: person.id,
      email: person.email,
      anonymousIds: person.anonymousIds,
      attributes: person.attributes
        .map(({ at, name, value }) => [name, value, at] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      createdAt: person.createdAt,
      updatedAt: person.updatedAt,
    }))
    .toSorted((a, b) => a.key - b.key)

const modelEvents = (model: Model): ReadonlyArray<SeenEvent> =>
  model.events.map((event) => ({
    step: event.step,
    workspace: event.workspace,
    name: event.name,
    owner: event.owner,
    processedAt: event.processedAt,
    triggers: isModelEligible(event),
  }))

/** Runs both side by side and compares all that can be seen after every command. */
const compare = (commands: ReadonlyArray<Command>): void => {
  const seen = blank()
  const model = emptyModel()
  for (const [index, command] of commands.entries()) {
    const { changes, entries } = decideAll(seen, [command])
    const created = changes.find((change) => change._tag === "PersonCreated")
    const outcome = applyToModel(model, command, created?.key ?? 0)
    assertSame(entries[0]?.outcome, outcome, `outcome of command ${index}`)
    assertSame(seenPeople(seen), modelPeople(model), `people after command ${index}`)
    assertSame(seenEvents(seen), modelEvents(model), `events after command ${index}`)
  }
}

describe("core against the model", () => {
  it.prop(
    "short sequences",
    [scriptOf(1, 6), settings],
    ([script, settings]) => compare(commandsOf(script, settings)),
    checked(3000),
  )

  it.prop(
    "long sequences",
    [scriptOf(10, 30), settings],
    ([script, settings]) => compare(commandsOf(script, settings)),
    checked(600),
  )
})
