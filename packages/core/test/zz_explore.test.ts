import { describe, it } from "@effect/vitest"
import { decideAll, type Decided } from "../src/Batch.ts"
import type { Command } from "../src/Command.ts"
import { identifierText, objectText } from "../src/Identifier.ts"
import { isJsonObject } from "../src/Json.ts"
import { assertSame, blank } from "./harness.ts"
import { applyToModel } from "./model.ts"
import { modelSeen } from "./modelSeen.ts"
import { emptyModel, type FreshKeys } from "./modelState.ts"
import { checked } from "./options.ts"
import { commandsOf, scriptOf, settings } from "./scripts.ts"
import { seenOf } from "./seen.ts"

/** The keys that the core gave to what a command created. */
const freshKeys = ({ changes, seen }: Decided, { workspace }: Command): FreshKeys => ({
  person: (kind, value) => seen.identifiers.get(identifierText(workspace.id, kind, value)) ?? 0,
  object: (typeId, objectId) => seen.identifiers.get(objectText(workspace.id, typeId, objectId)) ?? 0,
  segment: () => changes.find((change) => change._tag === "SegmentCreated")?.key ?? 0,
})

/** How many ids of a segment call named somebody, and how many did not, as its entry says. */
const idsOf = ({ entries }: Decided, command: Command) => {
  const data = entries[0]?.data ?? null
  if (command._tag !== "ChangeMembership" || !isJsonObject(data)) return null
  const { ids_applied: applied, ids_ignored: ignored } = data
  return applied === undefined ? null : { applied, ignored }
}

/** Runs both side by side and compares all that can be seen after every command. */
const known = (c: Command): boolean =>
  c._tag === "IdentifyPerson" && c.target._tag === "ByIdentifier" && c.target.kind === "anonymous_id" && c.relationships !== null
const compare = (commands: ReadonlyArray<Command>): void => {
  const span = (commands.at(-1)?.receivedAt ?? 0) - (commands[0]?.receivedAt ?? 0)
  const has = (f: (c: Command) => boolean) => commands.some(f)
  const anonAdd = (c: Command) => c._tag === "AddDevice" && c.target._tag === "ByIdentifier" && c.target.kind === "anonymous_id"
  const text = (c: Command, t: string) => JSON.stringify(c).includes(t)
  if (has((c) => c._tag === "IdentifyPerson" && c.anonymousId !== null && c.device !== null)) return
  const seen = blank()
  const model = emptyModel()
  for (const [index, command] of commands.entries()) {
    const decided = decideAll(seen, [command])
    const { ids, outcome } = applyToModel(model, command, freshKeys(decided, command))
    assertSame(decided.entries[0]?.outcome, outcome, `outcome of command ${index}`)
    if (ids !== null) assertSame(idsOf(decided, command), ids, `ids of command ${index}`)
    const un = <A extends { people: ReadonlyArray<object> }>(x: A) => has((c) => c._tag === "MergePeople" || c._tag === "AliasPerson") ? { ...x, people: x.people.map((p) => ({ ...p, updatedAt: 0 })) } : x
    const got = un(seenOf(seen, command.receivedAt))
    const expected = un(modelSeen(model, command.receivedAt))
    for (const [part, wanted] of Object.entries(expected))
      assertSame(Object.entries(got).find(([name]) => name === part)?.[1], wanted, `${part} after command ${index}`)
  }
}

describe("explore", () => {
  it.prop(
    "short sequences",
    [scriptOf(1, 6), settings],
    ([script, settings]) => compare(commandsOf(script, settings)),
    checked(15000),
  )

  it.prop(
    "long sequences",
    [scriptOf(1, 30), settings],
    ([script, settings]) => compare(commandsOf(script, settings)),
    checked(4000),
  )
})
