import { Effect } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { mergeOf } from "@inlethq/engine/erasures/merges"
import { isMergedPerson, type Person } from "@inlethq/core/state/Person"
import { isPreference } from "@inlethq/core/state/preferenceBounds"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import type { Identifier } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { StoreServices } from "@inlethq/storage/storeServices"
import {
  addDevice,
  byAnonymousId,
  byEmail,
  byId,
  event,
  identify,
  merge,
  noon,
  objectOf,
  remove,
  suppress,
  unmerge,
  workspaceOf,
  type Circumstances,
} from "../script/commands.ts"
import { joinSegment, createSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, ledgerOf, people, personBy, sweepAll } from "../script/scenario.ts"
import { itemsOf, sendTogether, withIngest, type Request } from "../script/sending.ts"

/* A deletion that names what a merge freed finds the merged person, however the calls fall into requests and commits. */

type Script = (given: Circumstances) => ReadonlyArray<Command>

/** Identifies two people, merges them, and ends with a call that names the one who was merged. */
const scriptOf =
  (last: (given: Circumstances) => ReadonlyArray<Command>): Script =>
  (given) => [
    identify(byId("ada"), [["plan", "pro"]], given),
    identify(byId("bob"), [["note", "secret"]], { ...given, email: "bob@example.com" }),
    merge(byId("ada"), byId("bob"), given),
    ...last(given),
  ]

const deleted = scriptOf((given) => [remove(byId("bob"), given)])
const suppressed = scriptOf((given) => [suppress(byId("bob"), given), event(byId("bob"), "ignored", given)])
/** The name is free as soon as the person is deleted. */
const again = scriptOf((given) => [
  remove(byId("bob"), given),
  identify(byId("bob"), [["note", "of another"]], given),
])

const acme = objectOf("1", "acme")
const news = "svc_subscription_preferences.topics.news"
const offers = "svc_subscription_preferences.topics.offers"
const sales = "svc_subscription_preferences.topics.sales"

/** Carol is merged into Bob, who is merged into Ada. Everything that says "secret" is Carol's. */
const chain = (given: Circumstances): ReadonlyArray<Command> => [
  createSegment("chosen", given),
  identify(
    byId("ada"),
    [
      ["plan", "pro"],
      [sales, true],
    ],
    given,
  ),
  identify(
    byId("bob"),
    [
      ["city", "of bob"],
      [offers, true],
    ],
    { ...given, relatedTo: [[acme, [["role", "of bob"]]]] },
  ),
  identify(
    byId("carol"),
    [
      ["city", "secret"],
      ["note", "secret"],
      [news, "secret"],
    ],
    {
      ...given,
      email: "secret@example.com",
      anonymousId: "secret cookie",
      relatedTo: [[acme, [["since", "secret"]]]],
    },
  ),
  addDevice(byId("carol"), "secret token", [], given),
  joinSegment(1, [byId("carol")], given),
  event(byId("carol"), "secret before", given),
  merge(byId("bob"), byId("carol"), given),
  event(byAnonymousId("secret cookie"), "secret with bob", given),
  event(byId("bob"), "of bob", given),
  merge(byId("ada"), byId("bob"), given),
  event(byEmail("secret@example.com"), "secret with ada", given),
  event(byAnonymousId("secret cookie"), "secret with ada too", given),
  event(byId("ada"), "of ada", given),
]

const chainDeleted: Script = (given) => [...chain(given), remove(byId("carol"), given)]
const chainSuppressed: Script = (given) => [
  ...chain(given),
  suppress(byId("carol"), given),
  event(byEmail("secret@example.com"), "ignored", given),
]
const linkAndChainDeleted: Script = (given) => [
  ...chain(given),
  remove(byId("carol"), given),
  remove(byId("bob"), given),
]
const longChainDeleted: Script = (given) => [
  ...chain(given),
  identify(byId("zoe"), [["plan", "of zoe"]], { ...given, relatedTo: [[acme]] }),
  merge(byId("zoe"), byId("ada"), given),
  event(byEmail("secret@example.com"), "secret with zoe", given),
  remove(byId("carol"), given),
]

/**
 * Ways to divide calls into requests, and these into groups that are sent together: all at once, one after the other, in two
 * anywhere, and as the items of one request.
 */
const waysOf = (calls: ReadonlyArray<Command>): ReadonlyArray<ReadonlyArray<ReadonlyArray<Request>>> => {
  const requests = calls.map((call): Request => [call])
  return [
    [requests],
    requests.map((request) => [request]),
    ...requests.slice(2).map((_, index) => [requests.slice(0, index + 2), requests.slice(index + 2)]),
    [[itemsOf(calls)]],
    [[itemsOf(calls.slice(0, -1))], [calls.slice(-1)]],
  ]
}

const send = (groups: ReadonlyArray<ReadonlyArray<Request>>) =>
  Effect.forEach(groups, (group) => Effect.flatten(sendTogether(group)), { discard: true }).pipe(
    withIngest,
    Effect.catchTag("Overloaded", Effect.die),
  )

/**
 * Returns everything that readers see in a workspace, without its number. Entries of the system come last, because the end of a
 * merge comes after the items of the request that made it.
 */
const seenIn = (workspace: Workspace) =>
  Effect.gen(function* () {
    const everybody = yield* people(null, { workspace })
    const entries = yield* activity({}, { workspace })
    const ledger = yield* ledgerOf(workspace)
    const described = entries.map(({ changes, kind, name, outcome, person, refused, source }) => [
      kind,
      name,
      source,
      outcome,
      person?.key ?? null,
      changes.map(({ path }) => path),
      refused,
    ])
    const isOfSystem = ([, , source]: (typeof described)[number]) => source === "system"
    return {
      everybody: everybody.map((person) => [
        person.key,
        person.id,
        person.email,
        person.anonymousIds,
        [...person.attributes].map(([name, { at, value }]) => [name, at, value]),
        [...person.devices.keys()],
        [...person.relationships].map(([key, attributes]) => [key, [...attributes]]),
        person.segments,
        // Without digests, which differ from one workspace to the other.
        person.attached.map(({ key, merged, via }) => [key, merged, via?.secondary]),
      ]),
      entries: [...described.filter((one) => !isOfSystem(one)), ...described.filter(isOfSystem)],
      ledger: ledger.map(({ action, counts, identifiers }) => [action, counts, identifiers.length]),
    }
  })

const endsAlike = (name: string, script: Script, ends = 1): Law<StoreServices> => ({
  name: `contract §6 delete of a merged person: ${name} ends alike in every split`,
  check: Effect.gen(function* () {
    let expected: string | undefined
    for (const [index, groups] of waysOf(script({})).entries()) {
      const workspace = workspaceOf(index + 1)
      yield* send(groups.map((group) => group.map((calls) => calls.map((call) => ({ ...call, workspace })))))
      const atOnce = JSON.stringify(yield* seenIn(workspace))
      yield* sweepAll(noon)
      yield* expectSame("what housekeeping leaves", JSON.stringify(yield* seenIn(workspace)), atOnce)
      yield* expectSame(`way ${index}`, atOnce, (expected ??= atOnce))
      yield* expectSame("the outcome", (yield* activity({ kind: "unmerge" }, { workspace })).length, ends)
      yield* expectSame("secrets", atOnce.includes("secret"), false)
    }
  }),
})

const bob: Identifier = { kind: "id", value: "bob" }
const ada: Identifier = { kind: "id", value: "ada" }

/** Returns the values of somebody, as text. */
const valuesOf = (person: Person | null) =>
  person === null
    ? null
    : JSON.stringify([
        person.id,
        person.email,
        person.anonymousIds,
        [...person.attributes]
          .flatMap(([name, { value }]) => (isPreference(name) ? [] : [`${name} ${JSON.stringify(value)}`]))
          .toSorted(),
        preferencesOf(person.attributes),
        [...person.devices.keys()],
        [...person.relationships.values()].map((attributes) => [...attributes].map(([name]) => name)),
        person.segments.length,
      ])

export const freedLaws: ReadonlyArray<Law<StoreServices>> = [
  endsAlike("deleting", deleted),
  endsAlike("suppressing", suppressed),
  endsAlike("deleting and identifying again", again),
  endsAlike("deleting who was merged into somebody merged since", chainDeleted),
  endsAlike("suppressing who was merged into somebody merged since", chainSuppressed),
  endsAlike("deleting who was merged through two others", longChainDeleted),
  endsAlike("deleting both who were merged one into the other", linkAndChainDeleted, 2),
  {
    name: "contract §6 delete of a merged person: the others keep what they have without who was merged into one of them",
    check: Effect.gen(function* () {
      const [together, alone] = [workspaceOf(1), workspaceOf(2)]
      yield* apply(...chainDeleted({ in: together }))
      yield* apply(...chain({ in: alone }).filter((call) => !/carol|secret/.test(JSON.stringify(call))))
      const both = Effect.fnUntraced(function* (workspace: Workspace) {
        const [ofAda, ofBob] = [yield* personBy(ada, workspace), yield* personBy(bob, workspace)]
        const events = yield* activity({ kind: "event" }, { workspace })
        return JSON.stringify([
          valuesOf(ofAda),
          valuesOf(ofBob),
          events.map(({ name, person }) => [name, person?.id]),
        ])
      })
      yield* expectSame("while they are merged", yield* both(together), yield* both(alone))
      for (const workspace of [together, alone]) {
        const person = yield* personBy(ada, workspace)
        const merged = person?.attached.find(isMergedPerson)
        if (person === null || merged === undefined) continue
        const found = yield* mergeOf(yield* Catalog, person, merged.key, noon)
        if (found !== null) yield* apply(unmerge(found, { divide: true, in: workspace }))
        yield* expectSame("Bob is back", (yield* personBy(bob, workspace))?.key, merged.key)
      }
      yield* expectSame("when Bob is back", yield* both(together), yield* both(alone))
    }),
  },
  {
    name: "contract §6 delete of a merged person: the end of the merge comes after the items of the request",
    check: Effect.gen(function* () {
      const items = [...deleted({}), event(byId("ada"), "afterwards")]
      const { entries } = yield* apply(...itemsOf(items))
      yield* expectSame(
        "the positions",
        JSON.stringify(entries.map(({ kind, sequence }) => [kind, sequence])),
        JSON.stringify([
          ["identify", 1],
          ["identify", 2],
          ["merge", 3],
          ["delete", 4],
          ["event", 5],
        ]),
      )
      const [end] = yield* activity({ kind: "unmerge" })
      yield* expectSame("its position", end?.sequence, 6)
      yield* expectSame("who caused it", end?.source, "system")
      yield* expectSame(
        "the deletion",
        JSON.stringify(end?.data),
        JSON.stringify({ operation_id: "op11000000004" }),
      )
    }),
  },
]
