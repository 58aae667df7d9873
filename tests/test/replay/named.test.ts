import { byEmail, byId, event, identify, merge } from "@inlethq/store-conformance/script/commands"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { beginning } from "@inlethq/store-conformance/script/script"
import { apply } from "@inlethq/store-conformance/script/scenario"
import type { Command } from "@inlethq/core/Command"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { callOf } from "../../src/replay/compareCalls.ts"

/** Returns the body of the call that the last of some commands is written as. */
const lastBody = (...commands: ReadonlyArray<Command>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* apply(...beginning)
      const { entries } = yield* apply(...commands)
      const [last] = entries.slice(-1)
      if (last === undefined) return undefined
      return Result.getOrUndefined(yield* callOf(last))?.body
    }).pipe(Effect.provide(Layer.fresh(memoryStore))),
  )

describe("the call of an operation about a person with an identifier that a merge gave them", () => {
  it("names them by their own identifier, which an erasure of the other person leaves", async () => {
    const [ada, bob] = [byEmail("ada@example.com"), byId("bob")]
    const body = await lastBody(identify(ada, []), identify(bob, []), merge(ada, bob), event(ada, "opened"))
    expect(body).toMatchObject({ identifiers: { email: "ada@example.com" } })
  })
})
