import { Effect } from "effect"
import type { ActivityView } from "@inlethq/core/catalog/ActivityView"
import type { Fault } from "@inlethq/core/log/Outcome"
import { refusedValueBytesMax, refusedValuesMax } from "@inlethq/core/log/RefusedValue"
import type { Json } from "@inlethq/core/values/Json"
import { dayMs, toIso } from "@inlethq/core/values/Timestamp"
import {
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  event,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  relate,
  remove,
  suppress,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, personBy, sweepAll } from "../script/scenario.ts"

interface Refused {
  readonly path: string
  readonly value: Json
  readonly rule: string
  readonly other: number | null
}

const refusedIn = ({ refused }: ActivityView): ReadonlyArray<Refused> =>
  refused.map(({ other, path, rule, value }) => ({ path, value, rule, other }))

/** Returns what each entry says about refused values, in the order of the log. */
const refusedInLog = Effect.map(activity(), (views) => views.map(refusedIn))

const takenEmail: Refused = {
  path: "email",
  value: "ada@example.com",
  rule: "contract §6 taken identifiers",
  other: 1,
}

const adaAndBob = apply(
  identify(byId("ada"), [], { email: "ada@example.com", anonymousId: "cookie" }),
  identify(byId("bob"), [["plan", "pro"]], { email: "ada@example.com", anonymousId: "cookie" }),
)

const takenCookie = { ...takenEmail, path: "anonymous_id", value: "cookie" }

/** Returns the fault of an email in the body that decoding left out. */
export const faultOf = (value: string): Fault => ({
  reason: "invalid",
  field: "email",
  code: "identifier_differs",
  values: { kind: "email" },
  rule: "contract §6 path and body",
  value,
  identifier: { kind: "email", value },
})

/** The properties that every store must have for refused values. */
export const refusalLaws: ReadonlyArray<Law> = [
  {
    name: "contract §16 refused values: an identifier of somebody else is kept with its rule and its owner",
    check: Effect.gen(function* () {
      yield* adaAndBob
      const views = yield* activity()
      yield* expectSame("refused", views.map(refusedIn), [[], [takenEmail, takenCookie]])
      yield* expectSame(
        "outcome and rule",
        views.map(({ outcome, rule }) => `${outcome}: ${rule}`),
        ["created: track-api §2.1 rule 1", "partial: contract §6 taken identifiers"],
      )
      yield* expectSame("data", views[1]?.data, { plan: "pro" })
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("activity of the owner", (yield* activity({ person: ada })).length, 1)
    }),
  },
  {
    name: "contract §16 refused values: deleting or suppressing either person erases the value",
    check: Effect.gen(function* () {
      for (const [i, erase] of [remove, suppress].entries()) {
        for (const who of ["owner", "sender"]) {
          const [owner, sender] = [`owner ${who} ${i}`, `sender ${who} ${i}`]
          const email = `${who}${i}@example.com`
          yield* apply(identify(byId(owner), [], { email }), identify(byId(sender), [["a", 1]], { email }))
          yield* apply(erase(byId(`${who} ${who} ${i}`)))
        }
      }
      yield* expectSame("at once", (yield* refusedInLog).flat(), [])
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", (yield* refusedInLog).flat(), [])
    }),
  },
  {
    name: "contract §16 refused values: the value is erased with the person into whom its owner was merged",
    check: Effect.gen(function* () {
      yield* adaAndBob
      yield* apply(identify(byId("eve")), merge(byId("eve"), byId("ada")))
      yield* expectSame("after the merge", (yield* refusedInLog).flat(), [takenEmail, takenCookie])
      yield* apply(remove(byId("eve")))
      yield* expectSame("at once", (yield* refusedInLog).flat(), [])
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", (yield* refusedInLog).flat(), [])
    }),
  },
  {
    name: "contract §16 refused values: an identifier that decoding left out belongs to the person who has it",
    check: Effect.gen(function* () {
      yield* apply(identify(byEmail("ada@example.com")), suppress(byEmail("eve@example.com")))
      const bob = identify(byEmail("bob@example.com"))
      yield* apply(
        { ...bob, faults: [faultOf("ADA@example.com")] },
        { ...bob, faults: [faultOf("eve@example.com")] },
        { ...bob, faults: [faultOf("nobody@example.com")] },
      )
      const [, , ofAda, ofEve, ofNobody] = yield* refusedInLog
      yield* expectSame(
        "owners",
        [ofAda, ofEve, ofNobody].map((refused) => refused?.[0]?.other ?? null),
        [1, null, null],
      )
      yield* expectSame("kept", ofNobody?.[0]?.value, "nobody@example.com")
      yield* expectSame("of a suppressed person", typeof ofEve?.[0]?.value, "object")
      yield* apply(remove(byEmail("ada@example.com")))
      yield* sweepAll(noon + 1000)
      yield* expectSame("erased", (yield* refusedInLog)[2], [])
    }),
  },
  {
    name: "contract §16 refused values: an entry keeps a bounded number of values, and cuts long ones",
    check: Effect.gen(function* () {
      const names = Array.from({ length: refusedValuesMax + 10 }, (_, i) => `a${i}`)
      const newer = names.map((name) => [name, "new"] as const)
      const older = names.map((name, i) => [name, i === 0 ? "é".repeat(1000) : `old ${i}`] as const)
      yield* apply(identify(byId("ada"), newer), identify(byId("ada"), older, { at: noon - dayMs }))
      const [, entry] = yield* activity()
      const refused = entry?.refused ?? []
      const stale = { stored: toIso(noon), sent: toIso(noon - dayMs) }
      yield* expectSame("count", refused.length, refusedValuesMax)
      yield* expectSame("cut", refused[0], {
        path: "attributes.a0",
        value: "é".repeat((refusedValueBytesMax - 2) / 2),
        cutFrom: 2002,
        code: "stale",
        values: stale,
        rule: "contract §6 stale",
        other: null,
      })
      yield* expectSame("whole", refused[1], {
        path: "attributes.a1",
        value: "old 1",
        cutFrom: null,
        code: "stale",
        values: stale,
        rule: "contract §6 stale",
        other: null,
      })
    }),
  },
  {
    name: "contract §8 future times: nothing is ordered later than its receipt",
    check: Effect.gen(function* () {
      const ahead = { at: noon + 400 * dayMs }
      const later = { receivedAt: noon + 1000 }
      const acme = objectOf("1", "acme")
      yield* apply(
        identify(byId("ada"), [["plan", "ahead"]], ahead),
        identifyObject(acme, [["plan", "ahead"]], [], ahead),
        event(byId("ada"), "bought", ahead),
      )
      yield* apply(
        identify(byId("ada"), [["plan", "now"]], later),
        identifyObject(acme, [["plan", "now"]], [], later),
      )
      const views = yield* activity()
      yield* expectSame(
        "times",
        views.map(({ at, originalTimestamp, outcome }) => [outcome, at, originalTimestamp]),
        [
          ["created", noon, noon + 400 * dayMs],
          ["created", noon, noon + 400 * dayMs],
          ["applied", noon, noon + 400 * dayMs],
          ["applied", noon + 1000, null],
          ["applied", noon + 1000, null],
        ],
      )
    }),
  },
  {
    name: "contract §16 refused values: a delete keeps none, and a visitor's are shown when the visitor is identified",
    check: Effect.gen(function* () {
      const fault = {
        reason: "invalid" as const,
        field: "_timestamp",
        code: "value_unreadable_time",
        values: {},
        value: "ada's time",
      }
      yield* apply(
        { ...event(byAnonymousId("cookie"), "seen"), faults: [fault] },
        identify(byId("ada"), [], { anonymousId: "cookie" }),
        { ...remove(byId("bob")), faults: [fault] },
        identify(byId("bob")),
        { ...remove(byId("bob")), faults: [fault] },
      )
      const views = yield* activity()
      yield* expectSame(
        "outcome, rule and value",
        views
          .filter(({ refused }) => refused.length > 0)
          .map(({ outcome, refused, rule }) => ({ outcome, rule, value: refused[0]?.value })),
        [
          { outcome: "partial", rule: "contract §16 refused values", value: "ada's time" },
          { outcome: "partial", rule: "contract §16 refused values", value: null },
        ],
      )
    }),
  },
  {
    name: "contract §16 refused values: an object that does not exist is named",
    check: Effect.gen(function* () {
      const missing = { _tag: "BySvcObjectId", key: null, text: "svc_o9" } as const
      yield* apply(identify(byId("ada")), relate(bySvcId(1), [[missing], [objectOf("1", "acme")]]))
      yield* expectSame("refused", (yield* refusedInLog)[1], [
        {
          path: "svc_relationships.0.identifiers",
          value: { identifiers: { svc_object_id: "svc_o9" }, relationship_attributes: {} },
          rule: "contract §9 svc_object_id",
          other: null,
        },
      ])
    }),
  },
]
