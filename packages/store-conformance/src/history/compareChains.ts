import { Effect, Schema, type Layer } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { mergesInto } from "@inlethq/engine/erasures/merges"
import type { Person } from "@inlethq/core/state/Person"
import type { Identifier, Reference } from "@inlethq/core/values/Identifier"
import {
  addDevice,
  byAnonymousId,
  byEmail,
  byId,
  event,
  first,
  identify,
  merge,
  noon,
  objectOf,
  remove,
  suppress,
  unmerge,
} from "../script/commands.ts"
import { compareCases, type Compared, type Comparison, type Services } from "../differential/differential.ts"
import { firstDifference } from "../script/firstDifference.ts"
import { activity, apply, people, personBy, sweepAll } from "../script/scenario.ts"
import { itemsOf, sendTogether, withIngest, type Request } from "../script/sending.ts"
import { ChainModel, type ChainCommand, type Name, type PersonName } from "./chainModel.ts"

/* Compares merges of merged people, and deletions of them, with the model, sent through the queue of a node. */

const Few = Schema.Literals([1, 2, 3, 4])

const Step = Schema.Struct({
  what: Schema.Literals([
    "identify",
    "identify",
    "identify",
    "add device",
    "event",
    "event",
    "merge",
    "merge",
    "merge",
    "merge",
    "delete",
    "suppress",
    "delete merged",
    "suppress merged",
  ]),
  by: Schema.Literals(["id", "id", "id", "email"]),
  who: Few,
  other: Few,
  /** Whether an identify also has the other kind of identifier. */
  hasOther: Schema.Boolean,
  cookie: Schema.Union([Schema.Null, Few]),
  thing: Schema.Literals(["attribute plan", "attribute note", "role 1", "role 2"]),
  /** Whether the step is a further item of the request before. */
  joins: Schema.Literals([false, false, true]),
  /** Whether everything so far is answered before the next step is sent. */
  waits: Schema.Boolean,
  sweeps: Schema.Literals([false, false, false, true]),
})

const ChainScript = Schema.Struct({
  /** Whether the first three people are merged at the beginning, the third into the second, and the second into the first. */
  begins: Schema.Literals(["apart", "merged"]),
  steps: Schema.Array(Step).check(Schema.isMinLength(6), Schema.isMaxLength(40)),
})
type ChainScript = typeof ChainScript.Type

/** The first commands of every script, so that there are people to merge. */
const everybody: ReadonlyArray<ChainCommand> = [
  { what: "identify", number: 1, lead: "id 1", other: null, cookie: null, sets: ["attribute plan"] },
  {
    what: "identify",
    number: 2,
    lead: "id 2",
    other: null,
    cookie: "cookie 2",
    sets: ["attribute note", "role 2"],
  },
  {
    what: "identify",
    number: 3,
    lead: "id 3",
    other: "email 3",
    cookie: "cookie 3",
    sets: ["attribute plan", "attribute note", "role 1"],
  },
  { what: "identify", number: 4, lead: "email 4", other: null, cookie: null, sets: ["role 1"] },
]

const merges: ReadonlyArray<ChainCommand> = [
  { what: "merge", number: 5, primary: "id 2", secondary: "id 3" },
  { what: "event", number: 6, lead: "cookie 3" },
  { what: "merge", number: 7, primary: "id 1", secondary: "id 2" },
]

const beginningOf = ({ begins }: ChainScript): ReadonlyArray<ChainCommand> =>
  begins === "apart" ? everybody : [...everybody, ...merges]

const commandOf = (step: typeof Step.Type, number: number, freed: ReadonlyArray<string>): ChainCommand => {
  const { by, cookie, hasOther, other, thing, what, who } = step
  const lead: PersonName = `${by} ${who}`
  switch (what) {
    case "identify":
      return {
        what,
        number,
        lead,
        other: hasOther ? `${by === "id" ? "email" : "id"} ${other}` : null,
        cookie: cookie === null ? null : `cookie ${cookie}`,
        sets: [thing],
      }
    case "add device":
      return { what, number, lead, token: `device ${other}` }
    case "event":
      return { what, number, lead: cookie === null ? lead : `cookie ${cookie}` }
    case "merge":
      return { what, number, primary: lead, secondary: `id ${other}` }
    case "delete":
    case "suppress":
      return { what, number, lead }
    case "delete merged":
    case "suppress merged": {
      const name = freed[hasOther ? 0 : freed.length - 1]
      return {
        what: what === "delete merged" ? "delete" : "suppress",
        number,
        lead: name === undefined ? lead : nameOf(name),
      }
    }
  }
}

const identifierOf = (name: Name | string): Identifier => {
  const [kind, value = ""] = name.split(" ")
  if (kind === "email") return { kind, value: `${value}@example.com` }
  return { kind: kind === "id" ? "id" : "anonymous_id", value: kind === "id" ? value : `cookie ${value}` }
}

const referenceTo = (name: Name): Reference => {
  const { kind, value } = identifierOf(name)
  return kind === "id" ? byId(value) : kind === "email" ? byEmail(value) : byAnonymousId(value)
}

/** The value that a command sets. No other text contains it. */
const valueOf = (number: number): string => `<${number}>`
const numberIn = (value: unknown): number => Number(/<(\d+)>/.exec(String(value))?.[1] ?? Number.NaN)

const sent = (command: ChainCommand): Command => {
  const { number } = command
  const given = { receivedAt: noon + number }
  const value = valueOf(number)
  switch (command.what) {
    case "identify": {
      const { cookie, lead, other, sets } = command
      const named = other === null ? null : identifierOf(other)
      const roles = sets.filter((thing) => thing.startsWith("role "))
      return identify(
        referenceTo(lead),
        sets.filter((thing) => thing.startsWith("attribute ")).map((thing) => [thing, value]),
        {
          ...given,
          ...(named?.kind === "id" && { id: named.value }),
          ...(named?.kind === "email" && { email: named.value }),
          ...(cookie !== null && { anonymousId: identifierOf(cookie).value }),
          ...(roles.length > 0 && {
            relatedTo: roles.map((thing) => [objectOf("1", thing), [["role", value]]]),
          }),
        },
      )
    }
    case "add device":
      return addDevice(referenceTo(command.lead), command.token, [], { ...given, platform: value })
    case "event":
      return event(referenceTo(command.lead), value, given)
    case "merge":
      return merge(referenceTo(command.primary), referenceTo(command.secondary), given)
    case "delete":
      return remove(referenceTo(command.lead), given)
    case "suppress":
      return suppress(referenceTo(command.lead), given)
  }
}

/** Sends the commands of a script. Returns whether the entry of each says that it took effect. */
const play = Effect.fnUntraced(function* (script: ChainScript, commands: ReadonlyArray<ChainCommand>) {
  yield* apply(...beginningOf(script).map(sent))
  let waiting: Array<Request> = []
  let items: Array<Command> = []
  const applied: Array<boolean> = []
  const flush = Effect.gen(function* () {
    if (items.length > 0) waiting.push(items.length > 1 ? itemsOf(items) : items)
    const answers = yield* yield* sendTogether(waiting)
    for (const { outcome } of answers.flat()) applied.push(isApplied(outcome))
    items = []
    waiting = []
  })
  for (const [index, step] of script.steps.entries()) {
    const command = commands[index]
    if (command === undefined) continue
    if (!step.joins && items.length > 0) {
      waiting.push(items.length > 1 ? itemsOf(items) : items)
      items = []
    }
    items.push(sent(command))
    if (step.waits || step.sweeps) yield* flush
    if (step.sweeps) yield* sweepAll(noon)
  }
  yield* flush
  return applied
}, withIngest)

const isApplied = (outcome: string): boolean =>
  outcome === "applied" || outcome === "created" || outcome === "partial"

const seen = Effect.gen(function* () {
  const objects = yield* roleOf
  return yield* Effect.forEach(yield* people(null), (person) =>
    Effect.map(activity({ person, kind: "event" }, { limit: 100 }), (events) => ({
      things: thingsOf(person, objects),
      events: events.map(({ name }) => numberIn(name)).toSorted((one, other) => one - other),
    })),
  )
})

const roleOf = Effect.gen(function* () {
  const catalog = yield* Catalog
  const page = yield* catalog.objects(first.id, null, { after: null, limit: 10, order: "asc" })
  return new Map(page.items.map(({ object }) => [object.key, object.objectId]))
})

/** Returns what a person has, as the model calls it. Who set a name is not stored, so every name has the number 0. */
const thingsOf = (
  { anonymousIds, attributes, devices, email, id, relationships }: Person,
  objects: ReadonlyMap<number, string>,
): ReadonlyMap<string, number> =>
  new Map(
    [
      ...(id === null ? [] : [[`id ${id}`, 0] as const]),
      ...(email === null ? [] : [[`email ${email.replace("@example.com", "")}`, 0] as const]),
      ...anonymousIds.map((value) => [value, 0] as const),
      ...[...attributes].flatMap(([name, { value }]) =>
        value === null ? [] : [[name, numberIn(value)] as const],
      ),
      ...[...devices].map(([token, { platform }]) => [token, numberIn(platform)] as const),
      ...[...relationships].map(
        ([key, of]) => [objects.get(key) ?? "", numberIn(of.get("role")?.value)] as const,
      ),
    ].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

const expectedIn = (model: ChainModel) =>
  model.people().map(({ events, things }) => ({
    things: new Map(
      Array.from(things, ([thing, number]) => [thing, /^(?:id|email|cookie) /.test(thing) ? 0 : number]),
    ),
    events,
  }))

const byThings = (people: ReadonlyArray<{ readonly things: ReadonlyMap<string, number> }>) =>
  people.toSorted((one, other) => ([...one.things].join() < [...other.things].join() ? -1 : 1))

const differenceTo = Effect.fnUntraced(function* (model: ChainModel, when: string) {
  const difference = firstDifference(byThings(yield* seen), byThings(expectedIn(model)), when)
  if (difference !== null) return difference
  const entries = yield* activity({}, { limit: 100 })
  const shown = JSON.stringify(entries, (_, part: unknown) => (part instanceof Map ? [...part] : part))
  const left = [...model.erased].find((number) => shown.includes(valueOf(number)))
  return left === undefined ? null : `${when}: what command ${left} set is still shown`
})

/** Undoes merges as an operator does, for as long as the model says that there are any. Returns a difference, or null. */
const undoAll = Effect.fnUntraced(function* (model: ChainModel) {
  for (const name of model.primaries()) {
    const person = yield* personBy(identifierOf(name))
    if (person === null) return `nobody has ${name}`
    const page = { after: null, limit: 100, order: "asc" } as const
    const [oldest] = (yield* mergesInto(yield* Catalog, person, noon, page)).items
    if (oldest === undefined) return `no merge into ${name} can be undone`
    const { entries } = yield* apply(unmerge(oldest, { divide: true, receivedAt: noon + 1000 }))
    if (model.undoOldest(nameOf(name)) !== isApplied(entries[0]?.outcome ?? ""))
      return `undoing the merge into ${name} is ${entries[0]?.outcome}`
  }
  return null
})

const nameOf = (name: string): PersonName => {
  const number = Number(name.split(" ")[1])
  return name.startsWith("id ") ? `id ${number}` : `email ${number}`
}

const divergence = <E>(store: Layer.Layer<Services, E>, script: ChainScript) =>
  Effect.gen(function* () {
    const model = new ChainModel()
    const expected = commandsOf(script, model)
    const applied = yield* play(
      script,
      expected.map(({ command }) => command),
    )
    const wrong = expected.find(
      ({ command: { what }, isExpected }, index) =>
        (what === "delete" || what === "suppress" || what === "merge") && applied[index] !== isExpected,
    )
    if (wrong !== undefined)
      return `command ${wrong.command.number} is ${wrong.isExpected ? "not " : ""}applied`
    const atOnce = yield* differenceTo(model, "at once")
    if (atOnce !== null) return atOnce
    yield* sweepAll(noon)
    return (
      (yield* differenceTo(model, "after housekeeping")) ??
      (yield* undoAll(model)) ??
      (yield* differenceTo(model, "after the merges are undone"))
    )
  }).pipe((effect) => Effect.provide(effect, store, { local: true }))

const commandsOf = (script: ChainScript, model: ChainModel) => {
  const beginning = beginningOf(script)
  for (const command of beginning) model.apply(command)
  return script.steps.map((step, index) => {
    const command = commandOf(step, index + beginning.length + 1, model.freedNames())
    return { command, isExpected: model.apply(command) }
  })
}

const describeSteps = (script: ChainScript): string =>
  [`begins ${script.begins}`, ...stepsOf(script)].join("\n")

const stepsOf = (script: ChainScript): ReadonlyArray<string> =>
  commandsOf(script, new ChainModel()).map(({ command: { number, ...command } }, index) => {
    const { joins, sweeps, waits } = script.steps[index] ?? {}
    const notes = [
      joins === true ? "joins" : "",
      waits === true ? "waits" : "",
      sweeps === true ? "sweeps" : "",
    ]
    return [`${number}. ${JSON.stringify(command)}`, ...notes.filter((note) => note !== "")].join("; ")
  })

/** Checks that merges and deletions leave what the model says, however calls fall into requests and commits. */
export const compareChains = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> =>
  compareCases(ChainScript, describeSteps, (script) => divergence(store, script), comparison)
