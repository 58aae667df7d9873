import { Effect } from "effect"
import type { KeptValue } from "@inlethq/core/log/KeptValue"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { dayMs } from "@inlethq/core/values/Timestamp"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  identifyObject,
  noon,
  objectOf,
  remove,
  suppress,
} from "../script/commands.ts"
import { createSegment, joinSegment, leaveSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, sweepAll } from "../script/scenario.ts"

const one = (path: string, sent: Json, cutFrom: number | null = null): KeptValue => ({
  path,
  sent,
  kept: false,
  why: "not_boolean",
  cutFrom,
})

/** Returns what each entry says about values that were read otherwise, in the order of the log. */
const keptInLog = Effect.map(activity(), (views) => views.map(({ keptAs }) => keptAs))

const ignoredInLog = Effect.map(activity(), (views) =>
  views.map(({ data }) => (isJsonObject(data) ? (data["ignored"] ?? null) : null)),
)

/** The properties that every store must have for values that were read otherwise, and for ids that were ignored. */
export const keptLaws: ReadonlyArray<Law> = [
  {
    name: "contract §16 values read otherwise: the entry keeps them, and deleting the person erases them",
    check: Effect.gen(function* () {
      const read = [one("unsubscribed", "yes"), one("long", "x", 5000)]
      yield* apply({ ...identify(byId("ada")), keptAs: read }, identify(byId("bob")))
      yield* expectSame("kept", yield* keptInLog, [read, []])
      yield* apply(remove(byId("ada")))
      yield* expectSame("deleted", yield* keptInLog, [[], [], []])
      yield* sweepAll(noon + 1000)
      yield* expectSame("erased", yield* keptInLog, [[], [], []])
    }),
  },
  {
    name: "contract §16 values read otherwise: an operation without effect keeps none, and one about an object none of a relationship",
    check: Effect.gen(function* () {
      const own = one("attributes.a", 1)
      const read = [own, one("svc_relationships.0.attributes.b", 2)]
      yield* apply(
        { ...event(byAnonymousId("cookie"), "seen"), keptAs: read },
        { ...event(null, "seen"), keptAs: read },
        { ...identifyObject(objectOf("1", "acme")), keptAs: read },
        suppress(byId("eve")),
        { ...identify(byId("eve")), keptAs: read },
        { ...remove(byId("ada")), keptAs: read },
        { ...identify(byId("ada"), [], { deduplicationKey: "k" }) },
        { ...identify(byId("ada"), [], { deduplicationKey: "k" }), keptAs: read },
      )
      const ofObject = [own, { ...one("svc_relationships.0.attributes.b", null), kept: null }]
      yield* expectSame("kept", yield* keptInLog, [read, read, ofObject, [], [], [], [], []])
    }),
  },
  {
    name: "contract §12 manual segments: the entry of a segment call names ignored ids, and erasing an id removes it",
    check: Effect.gen(function* () {
      const unknown = Array.from({ length: 12 }, (_, i) => `nobody-${i}`)
      yield* apply(identify(byId("ada")), createSegment("vips"), suppress(byId("eve-suppressed")))
      yield* apply(
        joinSegment(2, [byId("ada"), ...unknown.map(byId)]),
        joinSegment(2, [byId("ada"), byId("eve-suppressed")]),
        leaveSegment(2, [byId("zebedee-zzz")]),
      )
      yield* expectSame("named", (yield* ignoredInLog).slice(3), [
        unknown.slice(0, 10),
        null,
        ["zebedee-zzz"],
      ])
      yield* apply(remove(byId("nobody-3")))
      yield* expectSame("erased", (yield* ignoredInLog).slice(3, 6), [null, null, ["zebedee-zzz"]])
      yield* apply(identify(byId("zebedee-zzz")), remove(byId("zebedee-zzz")))
      yield* expectSame("of a later person", (yield* ignoredInLog).slice(3, 6), [null, null, null])
      yield* sweepAll(noon + 1000)
      const counted = (yield* activity()).flatMap(({ data }) =>
        isJsonObject(data) && data["ids_ignored"] !== undefined
          ? [[data["ids_applied"], data["ids_ignored"]]]
          : [],
      )
      yield* expectSame("counted", counted, [
        [1, 12],
        [1, 1],
        [0, 1],
      ])
    }),
  },
  {
    name: "contract §12 manual segments: ignored ids are kept as many days as rejected calls",
    check: Effect.gen(function* () {
      yield* apply(createSegment("vips"), joinSegment(1, [byId("nobody")]))
      yield* sweepAll(noon + 7 * dayMs - 1)
      yield* expectSame("kept", (yield* ignoredInLog)[1], ["nobody"])
      yield* sweepAll(noon + 7 * dayMs + 1)
      yield* expectSame("no longer", (yield* ignoredInLog)[1], null)
    }),
  },
]
