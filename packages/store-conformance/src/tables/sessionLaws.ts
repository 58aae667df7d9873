import {
  ConsoleSessions,
  sessionsPerPrincipalMax,
  spentSignInsMax,
} from "@inlethq/core/ports/ConsoleSessions"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { ConsoleSession } from "@inlethq/core/workspace/ConsoleSession"
import { Effect, Option } from "effect"
import { noon } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"

const [one, other] = ["1".repeat(64), "2".repeat(64)]

const ada: ConsoleSession = {
  sessionId: "b0",
  kind: "person",
  principalId: "https://issuer.example ada \u0000 \ud800",
  name: "Ada \u0000 \ud800",
  issuer: "https://issuer.example",
  grants: [
    { scope: "write", workspaces: [WorkspaceId.make(1), WorkspaceId.make(7)] },
    { scope: "read", workspaces: null },
  ],
  ancestors: ["c3"],
  createdAt: noon,
  expiresAt: noon + 9,
}

const ci: ConsoleSession = {
  ...ada,
  sessionId: "a1",
  kind: "token",
  principalId: "t1",
  name: "CI",
  issuer: null,
  grants: [],
  expiresAt: noon + 2,
}

const newest = { limit: 10, after: null, order: "desc" } as const

export const sessionLaws: ReadonlyArray<Law<ConsoleSessions>> = [
  {
    name: "a session of the console is found until it is ended",
    check: Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      yield* expectSame("none", yield* sessions.list(newest, noon), { items: [], next: null })
      yield* sessions.add(ada, noon)
      yield* sessions.add(ci, noon)
      yield* sessions.add({ ...ci, name: "again" }, noon)
      yield* expectSame("found", yield* sessions.find("b0"), Option.some(ada))
      yield* expectSame("both", yield* sessions.list(newest, noon), { items: [ada, ci], next: null })
      yield* expectSame("unknown", yield* sessions.end("c2"), Option.none())
      yield* expectSame("ended", yield* sessions.end("b0"), Option.some(ada))
      yield* expectSame("ended again", yield* sessions.end("b0"), Option.none())
      yield* expectSame("not found", yield* sessions.find("b0"), Option.none())
      yield* expectSame("the other", yield* sessions.find("a1"), Option.some(ci))
    }),
  },
  {
    name: "sessions are listed in pages until they expire",
    check: Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const later = { ...ada, sessionId: "00", createdAt: noon + 1 }
      for (const session of [ada, ci, later]) yield* sessions.add(session, noon)
      for (const [order, ids] of [
        ["desc", "00 b0 a1"],
        ["asc", "a1 b0 00"],
      ] as const) {
        const first = yield* sessions.list({ limit: 2, after: null, order }, noon)
        const second = yield* sessions.list({ limit: 2, after: first.next, order }, noon)
        const found = [...first.items, ...second.items].map(({ sessionId }) => sessionId)
        yield* expectSame(order, found.join(" "), ids)
        yield* expectSame(`the last page, ${order}`, second.next, null)
      }
      const { items } = yield* sessions.list(newest, noon + 2)
      yield* expectSame("not expired", items, [later, ada])
      yield* sessions.add({ ...later, sessionId: "11" }, noon + 2)
      yield* expectSame("forgotten", yield* sessions.find("a1"), Option.none())
    }),
  },
  {
    name: "a principal that has too many sessions loses the oldest",
    check: Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      yield* sessions.add(ci, noon)
      for (let n = 0; n <= sessionsPerPrincipalMax; n++) {
        yield* sessions.add({ ...ada, sessionId: `b${n}`, createdAt: noon + n }, noon)
      }
      yield* expectSame("the oldest", yield* sessions.find("b0"), Option.none())
      yield* expectSame("the next", Option.isSome(yield* sessions.find("b1")), true)
      yield* expectSame("of another principal", Option.isSome(yield* sessions.find("a1")), true)
    }),
  },
  {
    name: "a sign-in is used up once, until it is forgotten",
    check: Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => sessions.spend(one, noon + 2, noon)),
        { concurrency: 8 },
      )
      yield* expectSame("at the same time", answers.filter((answer) => answer === "spent").length, 1)
      yield* expectSame("another", yield* sessions.spend(other, noon + 9, noon + 1), "spent")
      yield* expectSame("before its end", yield* sessions.spend(one, noon + 2, noon + 1), "used")
      yield* expectSame("forgotten", yield* sessions.spend(one, noon + 9, noon + 2), "spent")
      yield* expectSame("not forgotten", yield* sessions.spend(other, noon + 9, noon + 2), "used")
    }),
  },
]

/** Fills the memory of used sign-ins. Each is a commit of its own, so not every store checks it. */
export const fullOfSignIns: Law<ConsoleSessions> = {
  name: "no sign-in is used up while too many are remembered",
  check: Effect.gen(function* () {
    const sessions = yield* ConsoleSessions
    yield* Effect.all(
      Array.from({ length: spentSignInsMax }, (_, n) => sessions.spend(`${n}`, noon + 1, noon)),
      { concurrency: 100, discard: true },
    )
    yield* expectSame("full", yield* sessions.spend("more", noon + 1, noon), "full")
    yield* expectSame("used", yield* sessions.spend("0", noon + 1, noon), "used")
    yield* expectSame("room again", yield* sessions.spend("more", noon + 9, noon + 1), "spent")
  }),
}
