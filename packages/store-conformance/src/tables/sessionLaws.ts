import { SignedOutSessions } from "@inlethq/core/ports/SignedOutSessions"
import { Effect } from "effect"
import { noon } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"

const [one, other] = ["1".repeat(64), "2".repeat(64)]

export const sessionLaws: ReadonlyArray<Law<SignedOutSessions>> = [
  {
    name: "only the sessions that were signed out are remembered",
    check: Effect.gen(function* () {
      const sessions = yield* SignedOutSessions
      yield* sessions.add(one, noon + 2, noon)
      yield* sessions.add(one, noon + 2, noon)
      yield* expectSame("signed out twice", yield* sessions.has(one), true)
      yield* expectSame("not signed out", yield* sessions.has(other), false)
    }),
  },
  {
    name: "a signed-out session is forgotten after it has expired",
    check: Effect.gen(function* () {
      const sessions = yield* SignedOutSessions
      yield* sessions.add(one, noon + 2, noon)
      yield* sessions.add(other, noon + 9, noon + 1)
      yield* expectSame("before its expiry", yield* sessions.has(one), true)
      yield* sessions.add(other, noon + 9, noon + 2)
      yield* expectSame("expired", yield* sessions.has(one), false)
      yield* expectSame("not expired", yield* sessions.has(other), true)
    }),
  },
]
