import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Principals, signInLinkId } from "../../src/access/Principals.ts"
import { Sessions } from "../../src/access/Sessions.ts"
import { consoleServer } from "./consoleServer.ts"

describe("sessions that open each other with sign-in links", () => {
  it.effect("a session that was opened with a link can be signed out alone", () =>
    Effect.gen(function* () {
      const { end, find, mayOpen, open } = yield* Sessions
      const holder = Option.getOrThrow(yield* Principals.use(({ ofId }) => ofId(signInLinkId)))
      const cookies: Array<string> = []
      for (let n = 0; n < 4; n++) {
        const opener = cookies.length === 0 ? null : Option.getOrThrow(yield* find(cookies.at(-1) ?? ""))
        assert.isTrue(opener === null || mayOpen(opener))
        cookies.push((yield* open(holder, opener)).cookie)
      }
      const last = Option.getOrThrow(yield* find(cookies[3] ?? ""))
      assert.isFalse(mayOpen(last))
      yield* end(Option.getOrThrow(yield* find(cookies[2] ?? "")).sessionId)
      const found = yield* Effect.forEach(cookies, (cookie) => Effect.map(find(cookie), Option.isSome))
      assert.deepStrictEqual(found, [true, true, false, false])
    }).pipe(Effect.provide(consoleServer("/nonexistent"))),
  )
})
