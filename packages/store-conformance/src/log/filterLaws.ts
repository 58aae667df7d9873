import { Effect } from "effect"
import type { Command } from "@inlethq/core/Command"
import type { ActivityView } from "@inlethq/core/catalog/ActivityView"
import { Catalog, noFilter, type ActivityFilter } from "@inlethq/core/catalog/Catalog"
import { svcIdKey, svcIdText, SubjectKey } from "@inlethq/core/values/Identifier"
import {
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  deleteObject,
  event,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  reject,
  relate,
  remove,
  second,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { numbers } from "../../../../tools/testing/randomNumbers.ts"
import { activity, apply, sweepAll } from "../script/scenario.ts"

/** Returns commands about so few people and objects that most of them change what earlier entries show. */
const commandsFrom = (seed: number, count: number): ReadonlyArray<Command> => {
  const pick = numbers(seed)
  const who = () => pick(6)
  const target = () =>
    [
      byId(`id ${who()}`),
      byEmail(`P${who()}@example.com`),
      byAnonymousId(`cookie ${who()}`),
      bySvcId(1 + who()),
    ][pick(4)] ?? byId("id 0")
  const object = () => objectOf(`${pick(2)}`, `thing ${pick(3)}`)
  return Array.from({ length: count }, (_, n): Command => {
    const at = { receivedAt: noon + n }
    switch (pick(12)) {
      case 0:
      case 1:
        return identify(target(), [["n", n]], { ...at, email: `p${who()}@example.com` })
      case 2:
        return identify(byId(`id ${who()}`), [], { ...at, anonymousId: `cookie ${who()}` })
      case 3:
        return event(byId(`id ${who()}`), "both", { ...at, anonymousId: `cookie ${who()}` })
      case 4:
        return merge(byId(`id ${who()}`), byId(`id ${who()}`), at)
      case 5:
        return pick(3) === 0 ? remove(target(), at) : event(target(), "seen", at)
      case 6:
        return identifyObject(object(), [["n", n]], [[target()]], at)
      case 7:
        return pick(2) === 0 ? deleteObject(object(), at) : relate(target(), [[object()]], at)
      case 8:
        return reject(at)
      default:
        return event(target(), `event ${pick(3)}`, at)
    }
  })
}

/** A filter, and what it means for an entry as readers see it. */
interface Filtered {
  readonly what: string
  readonly filter: Partial<ActivityFilter>
  readonly matches: (entry: ActivityView) => boolean
}

const people = (...texts: ReadonlyArray<string>) => ({ people: texts, keys: [], objects: [] })

const knownAs = (text: string) => (entry: ActivityView) =>
  [entry.knownAs.id, entry.knownAs.anonymousId, entry.knownAs.email?.toLowerCase()].includes(text)

const filtersFor = (log: ReadonlyArray<ActivityView>): ReadonlyArray<Filtered> => {
  const codes = [...new Set(log.flatMap(({ reasons }) => reasons.map(({ code }) => code)))]
  const rules = [...new Set(log.flatMap(({ rule }) => rule ?? []))]
  const texts = [0, 1, 2, 3, 4, 5].flatMap((n) => [`id ${n}`, `p${n}@example.com`, `cookie ${n}`])
  return [
    ...texts.map((text) => ({ what: text, filter: { about: people(text) }, matches: knownAs(text) })),
    {
      what: "two people and a kind",
      filter: { about: people("id 1", "cookie 2"), kind: "event" as const },
      matches: (entry) => entry.kind === "event" && ["id 1", "cookie 2"].some((text) => knownAs(text)(entry)),
    },
    ...[1, 2, 3, 4].map((key) => ({
      what: `key ${key}`,
      filter: { about: { people: [], keys: [SubjectKey.make(key)], objects: [] } },
      matches: ({ person, subject }: ActivityView) => person?.key === key || subject === key,
    })),
    ...[null, "0", "1"].map((typeId) => ({
      what: `thing 1 of the type ${typeId}`,
      filter: { about: { people: [], keys: [], objects: [{ typeId, objectId: "thing 1" }] } },
      matches: (entry: ActivityView) => {
        const [type, id] = objectIn(entry)
        return id === "thing 1" && (typeId === null || type === typeId)
      },
    })),
    { what: "any reason", filter: { reasons: "any" }, matches: ({ reasons }) => reasons.length > 0 },
    ...codes.map((text) => ({
      what: text,
      filter: { reasons: [text, "not this"] },
      matches: ({ reasons }: ActivityView) => reasons.some(({ code }) => code === text),
    })),
    ...rules.map((text) => ({
      what: text,
      filter: { rules: [text, "not this"] },
      matches: ({ rule }: ActivityView) => rule === text,
    })),
    {
      what: "a rule, an outcome and a person",
      filter: { rules: ["track-api §2.5"], outcome: "applied" as const, about: people("id 2") },
      matches: (entry) =>
        entry.rule === "track-api §2.5" && entry.outcome === "applied" && knownAs("id 2")(entry),
    },
  ]
}

const objectIn = ({ data, kind, knownAs }: ActivityView): ReadonlyArray<unknown> =>
  kind === "object_delete" && typeof data === "object" && data !== null && "object_id" in data
    ? [data["object_type_id"], data["object_id"]]
    : [knownAs.objectTypeId, knownAs.objectId]

/** Checks each filter against a scan of the whole log, in up to four pages of at least seven entries. */
const checkFilters = Effect.gen(function* () {
  const log = yield* activity({}, { limit: 1000 })
  for (const { filter, matches, what } of filtersFor(log)) {
    const expected = log.filter(matches).map(({ sequence }) => sequence)
    const limit = Math.max(7, Math.ceil(expected.length / 3))
    for (const order of ["asc", "desc"] as const) {
      const found = yield* activity(filter, { limit, order })
      yield* expectSame(
        `${what}, ${order}`,
        found.map(({ sequence }) => sequence),
        order === "asc" ? expected : expected.toReversed(),
      )
    }
  }
})

/** More entries than a run of the embedded store has, so that housekeeping indexes the entries before them. */
const many = Array.from({ length: 5000 }, () => reject())

export const filterLaws: ReadonlyArray<Law> = [
  {
    name: "what a filter finds equals a scan of the whole log, before and after housekeeping indexes and erases",
    check: Effect.gen(function* () {
      yield* apply(...commandsFrom(7, 250))
      yield* checkFilters
      yield* apply(...many)
      yield* sweepAll(noon)
      yield* apply(...commandsFrom(11, 150))
      yield* checkFilters
    }),
  },
  {
    name: "a person is found behind thousands of newer operations, and only in the own workspace",
    check: Effect.gen(function* () {
      const both = [first, second]
      yield* apply(
        ...both.flatMap((workspace) => [
          identify(byId("bob"), [], { in: workspace }),
          event(byId("bob"), "seen", { in: workspace }),
        ]),
      )
      yield* apply(...many, ...many)
      yield* sweepAll(noon)
      const { activity } = yield* Catalog
      const filter = { ...noFilter, about: people("bob") }
      const page = yield* activity(first.id, filter, { limit: 10, after: null, order: "desc" })
      yield* expectSame(
        "both",
        page.items.map(({ entry }) => Number(entry.sequence)),
        [2, 1],
      )
      yield* expectSame("the end", page.next, null)
      const svcId = svcIdText(first.id, SubjectKey.make(1))
      yield* expectSame("a svc_id of another workspace", svcIdKey(second.id, svcId), undefined)
    }),
  },
]
