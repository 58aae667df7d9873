import { Effect } from "effect"
import { Registry } from "@inlethq/core/ports/Registry"
import { rejectedCharactersMax, type RejectedCall, type SentCall } from "@inlethq/core/log/RejectedCall"
import type { Json } from "@inlethq/core/values/Json"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { historyDaysDefault } from "@inlethq/core/workspace/Workspace"
import {
  byEmail,
  byId,
  first,
  identify,
  noon,
  reject,
  remove,
  second,
  submitForm,
  suppress,
  type Circumstances,
} from "../script/commands.ts"
import { joinSegment, leaveSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, sweepAll } from "../script/scenario.ts"

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

/** Returns a rejected call of an event. */
const named = (name: string) => refuse({ event: name }, { name })

const sent = (data: Json): { readonly sent: SentCall } => ({
  sent: { name: null, identifiers: [], call: callWith(data) },
})

const dataInLog = Effect.map(activity({ outcome: "rejected" }, { limit: 100 }), (views) =>
  views.map(({ call }) => call?.data ?? null),
)

const namesInLog = Effect.map(activity({ outcome: "rejected" }, { limit: 100 }), (views) =>
  views.map(({ name }) => name),
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
    name: "contract §16 rejected calls: the name of a rejected event is erased with the call, and found no more",
    check: Effect.gen(function* () {
      yield* apply(identify(byEmail("ada@example.com")), named("mail to ada@example.com"), named("bought"))
      yield* apply(
        named("mail to Ada@example.com"),
        remove(byEmail("ada@example.com")),
        named("mail to ada@example.com"),
      )
      const kept = [null, "bought", null, "mail to ada@example.com"]
      yield* expectSame("at once", yield* namesInLog, kept)
      const found = yield* activity({ name: "mail to ada@example.com" })
      yield* expectSame(
        "found by name",
        found.map(({ sequence }) => Number(sequence)),
        [6],
      )
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", yield* namesInLog, kept)
      yield* sweepAll(noon + 7 * dayMs + 1)
      yield* expectSame("after its days", yield* namesInLog, [null, null, null, null])
    }),
  },
  {
    name: "contract §16 rejected calls: deleting or suppressing an identifier that nobody has erases the calls that contain it",
    check: Effect.gen(function* () {
      yield* apply(refuse({ userId: "ada-lovelace" }), refuse({ email: "bob@example.com" }), refuse({ a: 1 }))
      yield* apply(remove(byId("ada-lovelace")))
      yield* expectSame("deleted", yield* dataInLog, [null, { email: "bob@example.com" }, { a: 1 }])
      yield* apply(suppress(byEmail("bob@example.com")), suppress(byId("x")))
      yield* expectSame("suppressed", yield* dataInLog, [null, null, { a: 1 }])
      yield* apply(
        refuse({ userId: "grace-hopper" }),
        remove(byId("grace-hopper")),
        refuse({ userId: "grace-hopper" }),
      )
      yield* expectSame("in one batch", yield* dataInLog, [
        null,
        null,
        { a: 1 },
        null,
        { userId: "grace-hopper" },
      ])
    }),
  },
  {
    name: "contract §16 rejected calls: calls that only deciding refuses are kept, unless they name a suppressed person",
    check: Effect.gen(function* () {
      yield* apply(suppress(byId("bob")))
      yield* apply(
        { ...submitForm("contact", [["note", "hello"]]), ...sent({ data: { note: "hello" } }) },
        { ...joinSegment(99, [byId("ada")]), ...sent({ ids: ["ada"] }) },
        { ...leaveSegment(99, [byId("ada"), byId("bob")]), ...sent({ ids: ["ada", "bob"] }) },
      )
      yield* expectSame("kept", yield* dataInLog, [{ data: { note: "hello" } }, { ids: ["ada"] }, null])
      yield* expectSame("names", yield* namesInLog, ["contact", null, null])
      const [form] = yield* activity({ kind: "form_submission" })
      yield* expectSame("subject", form?.subject, null)
    }),
  },
  {
    name: "contract §16 rejected calls: an entry stays as long as its call, and is removed with it",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const { id: _, ...settings } = first
      yield* registry.createWorkspace({ ...settings, rejectedDays: 90 })
      yield* apply(identify(byId("ada")), refuse({ n: 1 }), refuse({ n: 2 }), identify(byId("bob")))
      yield* apply(refuse({ userId: "grace-hopper" }), reject())
      yield* sweepAll(noon + 31 * dayMs)
      const kept = [{ n: 1 }, { n: 2 }, { userId: "grace-hopper" }]
      const all = Effect.map(activity({}), (views) => views.map(({ call }) => call?.data ?? null))
      yield* expectSame("after the other entries", yield* all, kept)
      const later = { receivedAt: noon + 32 * dayMs }
      yield* apply(remove(byId("grace-hopper"), later))
      yield* expectSame("erased", yield* all, [{ n: 1 }, { n: 2 }, null, null])
      yield* sweepAll(noon + 32 * dayMs)
      yield* expectSame("erased with its entry", yield* all, [{ n: 1 }, { n: 2 }, null])
      const large = "x".repeat(rejectedCharactersMax - 1000)
      yield* apply(refuse({ large }, {}, later))
      yield* sweepAll(noon + 32 * dayMs)
      yield* expectSame("made room", (yield* all).length, 3)
      yield* sweepAll(noon + 90 * dayMs)
      yield* expectSame("on the last day", (yield* all).length, 2)
      yield* registry.updateWorkspace(
        { ...first, rejectedDays: 90 },
        { ...first, rejectedDays: 90, retentionDays: 30 },
      )
      yield* sweepAll(noon + 90 * dayMs)
      yield* expectSame("after the retention of the workspace", yield* all, [])
    }),
  },
  {
    name: "contract §16 rejected calls: an entry is removed with its call if both have been kept as long as they should",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const { id: _, ...settings } = first
      yield* registry.createWorkspace({ ...settings, rejectedDays: historyDaysDefault })
      yield* apply(identify(byId("ada")), refuse({ n: 1 }), refuse({ n: 2 }))
      yield* sweepAll(noon + (historyDaysDefault + 1) * dayMs)
      yield* expectSame("entries", yield* activity({}), [])
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
