import { Effect, Option } from "effect"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { personAsOf } from "@inlethq/log/history/personAsOf"
import { mergesInto } from "@inlethq/engine/erasures/merges"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import type { Identifier, Sequence } from "@inlethq/core/values/Identifier"
import type { StoreServices } from "@inlethq/storage/storeServices"
import {
  addDevice,
  byId,
  bySvcId,
  first,
  identify,
  merge,
  noon,
  objectOf,
  remove,
  unmerge,
  unrelate,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, personBy, sweepAll } from "../script/scenario.ts"

/* What a person got from a merge and overwrote is erased with whom it came from. */

const ada: Identifier = { kind: "id", value: "ada" }

const secret = "SECRET"

/** Returns what readers see of Ada after a position, as text. */
const adaAt = Effect.fnUntraced(function* (position: Sequence) {
  const person = yield* personBy(ada)
  if (person === null) return "nobody"
  const snapshot = yield* (yield* Snapshots).open(first.id)
  const found = yield* personAsOf(snapshot, first.id, person.key, { _tag: "AtPosition", position })
  return Option.match(found, {
    onNone: () => "nobody",
    onSome: ({ person: { anonymousIds, attributes, devices, email, relationships } }) =>
      JSON.stringify([
        email,
        anonymousIds,
        [...attributes].map(([name, { value }]) => [name, value]),
        [...devices.keys()],
        [...relationships.keys()],
      ]),
  })
}, Effect.scoped)

/** Undoes the merges into Ada, newest first, and deletes Bob, whose key is given. */
const separate = Effect.gen(function* () {
  const person = yield* personBy(ada)
  if (person === null) return
  const { items } = yield* mergesInto(yield* Catalog, person, noon, { after: null, limit: 10, order: "desc" })
  for (const found of items) {
    yield* apply(unmerge(found, { receivedAt: noon + 10 }))
    yield* apply(remove(bySvcId(found.secondary), { receivedAt: noon + 11 }))
  }
})

const everything = Effect.map(activity({}, { limit: 100 }), (entries) =>
  JSON.stringify(
    entries.map((entry) => Object.entries(entry).toSorted(byName)),
    asPairs,
  ),
)
const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1
const asPairs = (_: string, value: unknown): unknown => (value instanceof Map ? [...value] : value)

const acme = objectOf("1", "acme")

const bob = identify(byId("bob"), [["note", secret]], {
  email: `${secret}@example.com`,
  anonymousId: `${secret} cookie`,
  relatedTo: [[acme, [["role", secret]]]],
})

/** The calls since the merge, each of which overwrites something that Bob had. */
const overwriting: ReadonlyArray<readonly [what: string, command: Command]> = [
  ["an attribute", identify(byId("ada"), [["note", "mine"]], { receivedAt: noon + 2 })],
  ["an email", identify(bySvcId(1), [], { email: "ada@example.com", receivedAt: noon + 2 })],
  ["a removed email", identify(byId("ada"), [], { removeEmail: true, receivedAt: noon + 2 })],
  [
    "an email that a call names",
    identify(byId("ada"), [["plan", "pro"]], { email: `${secret}@example.com`, receivedAt: noon + 2 }),
  ],
  [
    "an anonymous id that a call names",
    identify(byId("ada"), [["plan", "pro"]], { anonymousId: `${secret} cookie`, receivedAt: noon + 2 }),
  ],
  ["a relationship", unrelate(byId("ada"), [[acme]], { receivedAt: noon + 2 })],
  ["a device", addDevice(byId("ada"), "tok", [], { platform: "ios", receivedAt: noon + 2 })],
]

export const originLaws: ReadonlyArray<Law<StoreServices>> = overwriting.map(([what, command]) => ({
  name: `contract §16 erasure reach: ${what} of a merged person is erased from the entries of whoever had it meanwhile`,
  check: Effect.gen(function* () {
    yield* apply(identify(byId("ada"), [["own", 1]]), bob)
    yield* apply(addDevice(byId("bob"), "tok", [], { platform: secret }))
    const before = yield* activity({}, { limit: 100 })
    const position = before.at(-1)?.sequence
    if (position === undefined) return
    const unmerged = yield* adaAt(position)
    yield* apply(merge(byId("ada"), byId("bob"), { receivedAt: noon + 1 }))
    yield* apply(command)
    yield* separate
    yield* expectSame("the person before the merge", yield* adaAt(position), unmerged)
    const atOnce = yield* everything
    yield* expectSame("what readers see", atOnce.includes(secret), false)
    yield* sweepAll(noon + 12)
    yield* expectSame("the person before the merge, later", yield* adaAt(position), unmerged)
    yield* expectSame("what housekeeping leaves", yield* everything, atOnce)
  }),
}))
