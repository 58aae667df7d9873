import { Effect } from "effect"
import { rejectedCharactersMax, type RejectedCall } from "@inlet/core/log/RejectedCall"
import type { SentCall } from "@inlet/core/operation/commands"
import type { Json } from "@inlet/core/values/Json"
import { dayMs } from "@inlet/core/values/Timestamp"
import {
  byEmail,
  byId,
  first,
  identify,
  noon,
  reject,
  remove,
  second,
  suppress,
  type Circumstances,
} from "./commands.ts"
import { expectSame, type Law } from "./Law.ts"
import { activity, apply, sweepAll } from "./scenario.ts"

const callWith = (data: Json, over: Partial<RejectedCall> = {}): RejectedCall => ({
  path: "/api/v2/entity",
  key: { id: "k1", name: "backend" },
  userAgent: "client/1.0",
  address: "192.0.2.1",
  data,
  cutFrom: null,
  ...over,
})

/** Returns a rejected call, whose item is `data`. */
export const refuse = (data: Json, sent: Partial<SentCall> = {}, given: Circumstances = {}) => ({
  ...reject(given),
  sent: { name: "bought", identifiers: [], call: callWith(data), ...sent },
})

const dataInLog = Effect.map(activity({ outcome: "rejected" }, { limit: 100 }), (views) =>
  views.map(({ call }) => call?.data ?? null),
)

/** The properties that every store must have for what is kept of rejected calls. */
export const rejectionLaws: ReadonlyArray<Law> = [
  {
    name: "contract §16 rejected calls: the entry keeps the item, its name, and how it arrived, and is about nobody",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), refuse({ id: "ada", plan: "pro" }), refuse({}, { name: null }))
      const [view] = yield* activity({ outcome: "rejected", name: "bought" })
      yield* expectSame("kept", view?.call, callWith({ id: "ada", plan: "pro" }))
      yield* expectSame("data", view?.data, { id: "ada", plan: "pro" })
      yield* expectSame("subject", view?.subject, null)
    }),
  },
  {
    name: "contract §16 rejected calls: deleting or suppressing a person erases the calls that contain their identifiers",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada-lovelace"), [], { email: "ada@example.com", anonymousId: "cookie-of-ada" }),
        identify(byId("7")),
        identify(byId("bob")),
      )
      yield* apply(
        refuse({ userId: "ada-lovelace" }),
        refuse({ traits: { email: "ADA@example.com" } }),
        refuse({ note: ["write to ada@example.com today"] }),
        refuse({ "cookie-of-ada": 1 }),
        refuse({}, { call: callWith({ a: 1 }, { path: "/api/v1/customers/ada%40example.com" }) }),
        refuse({ userId: 7 }),
        refuse({ seats: 17 }),
        refuse({ userId: "bob" }),
        refuse({ userId: "ada-lovelace" }, {}, { in: second }),
      )
      yield* apply(remove(byId("ada-lovelace")), suppress(byId("7")), refuse({ later: "ada-lovelace" }))
      const kept = [
        null,
        null,
        null,
        null,
        null,
        null,
        { seats: 17 },
        { userId: "bob" },
        { later: "ada-lovelace" },
      ]
      yield* expectSame("at once", yield* dataInLog, kept)
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", yield* dataInLog, kept)
      const elsewhere = yield* activity({ outcome: "rejected" }, { workspace: second })
      yield* expectSame("another workspace", elsewhere[0]?.call?.data, { userId: "ada-lovelace" })
    }),
  },
  {
    name: "contract §16 rejected calls: a call before the deletion of its person in one batch is erased with it",
    check: Effect.gen(function* () {
      yield* apply(identify(byEmail("ada@example.com")))
      yield* apply(
        refuse({ email: "ada@example.com" }),
        remove(byEmail("ada@example.com")),
        refuse({ again: "ada@example.com" }),
      )
      yield* expectSame("kept", yield* dataInLog, [null, { again: "ada@example.com" }])
    }),
  },
  {
    name: "contract §16 rejected calls: nothing is kept of a call that names a suppressed person, or with 0 days",
    check: Effect.gen(function* () {
      yield* apply(suppress(byEmail("ada@example.com")))
      const identifiers = [{ kind: "email", value: "Ada@example.com" } as const]
      yield* apply(
        refuse({ email: "Ada@example.com" }, { identifiers }),
        refuse({ a: 1 }, {}, { in: { ...first, rejectedDays: 0 } }),
      )
      const views = yield* activity({ outcome: "rejected" })
      yield* expectSame(
        "kept",
        views.map(({ call, name }) => ({ call, name })),
        [
          { call: null, name: null },
          { call: null, name: null },
        ],
      )
    }),
  },
  {
    name: "contract §16 rejected calls: a call is forgotten after its days, and the oldest make room for new ones",
    check: Effect.gen(function* () {
      yield* apply(refuse({ first: 1 }))
      yield* sweepAll(noon + 7 * dayMs)
      yield* expectSame("within its days", yield* dataInLog, [{ first: 1 }])
      yield* sweepAll(noon + 7 * dayMs + 1)
      yield* expectSame("after its days", yield* dataInLog, [null])
      const large = "x".repeat(rejectedCharactersMax / 4)
      yield* apply(...[1, 2, 3, 4, 5].map((n) => refuse({ n, large })))
      const numbers = (yield* activity({ outcome: "rejected" }, { limit: 100 })).map(
        ({ call }) => call !== null,
      )
      yield* expectSame("kept", numbers, [false, false, false, true, true, true])
    }),
  },
]
