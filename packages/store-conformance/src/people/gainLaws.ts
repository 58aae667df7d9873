import { Effect, Option } from "effect"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Command } from "@inlethq/core/Command"
import { personAsOf } from "@inlethq/log/history/personAsOf"
import type { Attributes } from "@inlethq/core/state/Attributes"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import {
  addDevice,
  byAnonymousId,
  byId,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  second,
  type Circumstances,
} from "../script/commands.ts"
import { createSegment, joinSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply } from "../script/scenario.ts"

/* The entry by which a person gets what somebody else had says what that was. */

const acme = objectOf("1", "acme")
const course = objectOf("2", "course")

const merging = (given: Circumstances): ReadonlyArray<Command> => [
  createSegment("chosen", given),
  identify(byId("ada"), [], { ...given, relatedTo: [[acme, [["role", "owner"]]]] }),
  identify(byId("bob"), [], {
    ...given,
    relatedTo: [
      [
        acme,
        [
          ["role", "user"],
          ["since", 2020],
        ],
      ],
      [course, [["grade", 1]]],
    ],
  }),
  addDevice(byId("bob"), "token", [["app", "5"]], { ...given, lastUsed: noon - 1000 }),
  joinSegment(1, [byId("bob")], given),
  merge(byId("ada"), byId("bob"), given),
]

const identifying = (given: Circumstances): ReadonlyArray<Command> => [
  identify(byAnonymousId("cookie"), [["plan", "pro"]], {
    ...given,
    relatedTo: [[course, [["grade", 1]]]],
  }),
  addDevice(byAnonymousId("cookie"), "token", [["app", "5"]], given),
  identify(byId("ada"), [], { ...given, anonymousId: "cookie" }),
]

/** Returns the changes of the last entry of a workspace. */
const changesIn = (workspace: Workspace) =>
  Effect.map(activity({}, { workspace }), (entries) =>
    (entries.at(-1)?.changes ?? []).map(({ from, path, to }) => JSON.stringify([path, from, to])),
  )

/** Returns the changes of the last entry, which are the same in one commit and in a commit for each call. */
const lastChanges = Effect.fnUntraced(function* (
  commandsIn: (given: Circumstances) => ReadonlyArray<Command>,
) {
  yield* apply(...commandsIn({ in: first }))
  for (const command of commandsIn({ in: second })) yield* apply(command)
  const together = yield* changesIn(first)
  yield* expectSame("one after the other", yield* changesIn(second), together)
  return together
})

const plain = (attributes: Attributes) => Array.from(attributes, ([name, { at, value }]) => [name, at, value])

/** Returns what a person has at a position, as text. */
const personAt = Effect.fnUntraced(function* (key: number, position: number) {
  const snapshot = yield* (yield* Snapshots).open(first.id)
  const moment = { _tag: "AtPosition", position: Sequence.make(position) } as const
  const found = yield* personAsOf(snapshot, first.id, SubjectKey.make(key), moment)
  return Option.match(found, {
    onNone: () => "nobody",
    onSome: ({ person: { anonymousIds, attributes, devices, relationships }, segments }) =>
      JSON.stringify([
        anonymousIds,
        plain(attributes),
        [...devices].map(([token, device]) => [token, device.lastUsed, plain(device.attributes)]),
        [...relationships]
          .map(([object, of]) => [object, plain(of)] as const)
          .toSorted(([one], [other]) => one - other),
        segments,
      ]),
  })
}, Effect.scoped)

/** Applies commands one after the other, and checks that people lead back to what they had before the last of them. */
const leadsBack = Effect.fnUntraced(function* (
  commands: ReadonlyArray<Command>,
  keys: ReadonlyArray<number>,
) {
  const position = commands.length - 1
  for (const command of commands.slice(0, -1)) yield* apply(command)
  const before = yield* Effect.forEach(keys, (key) => personAt(key, position))
  yield* apply(...commands.slice(-1))
  yield* expectSame(
    "before the last call",
    yield* Effect.forEach(keys, (key) => personAt(key, position)),
    before,
  )
})

/** More relationships than the entry of a merge lists. */
const many = Array.from({ length: 600 }, (_, n) => objectOf("1", `object ${n}`))

/** The properties that every store must have for what entries say that people got from others. */
export const gainLaws: ReadonlyArray<Law> = [
  {
    name: "contract §6 merge moves: the entry of a merge names the relationships, segments and devices that the primary got",
    check: Effect.gen(function* () {
      yield* expectSame("changes", yield* lastChanges(merging), [
        '["devices.token.last_used",null,"2027-01-15T07:59:59.000Z"]',
        '["devices.token",null,"ios"]',
        '["devices.token.app",null,"5"]',
        '["relationships.1.acme.since",null,2020]',
        '["relationships.2.course",null,{}]',
        '["relationships.2.course.grade",null,1]',
        '["segments.1",null,"chosen"]',
      ])
    }),
  },
  {
    name: "contract §7 any protocol: the entry of an identify names what the visitor brought",
    check: Effect.gen(function* () {
      yield* expectSame("changes", yield* lastChanges(identifying), [
        '["id",null,"ada"]',
        '["anonymous_ids",null,["cookie"]]',
        '["devices.token",null,"ios"]',
        '["devices.token.app",null,"5"]',
        '["relationships.2.course",null,{}]',
        '["relationships.2.course.grade",null,1]',
        '["attributes.plan",null,"pro"]',
      ])
    }),
  },
  {
    name: "contract §6 merge moves: before a merge, people are shown without what it moved",
    check: leadsBack(merging({}), [2, 4]),
  },
  {
    name: "contract §7 any protocol: before an identify, people are shown without what the visitor brought",
    check: leadsBack(
      [
        identify(byId("ada"), []),
        ...identifying({}).slice(0, 2),
        identify(byId("ada"), [], { anonymousId: "cookie" }),
      ],
      [1],
    ),
  },
  {
    name: "contract §6 merge moves: the entry of a merge says how much more it does not list",
    check: Effect.gen(function* () {
      yield* apply(...many.map((object) => identifyObject(object)))
      yield* apply(
        identify(byId("ada")),
        identify(byId("bob"), [], { relatedTo: many.map((object) => [object]) }),
        merge(byId("ada"), byId("bob")),
      )
      const [entry] = yield* activity({ kind: "merge" })
      yield* expectSame("the number of changes", entry?.changes.length, 500)
      yield* expectSame(
        "the note",
        JSON.stringify(entry?.reasons.map(({ code, values }) => [code, values])),
        JSON.stringify([["gains_unlisted", { count: 100 }]]),
      )
    }),
  },
]
