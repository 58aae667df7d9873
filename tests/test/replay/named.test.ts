import {
  byAnonymousId,
  byEmail,
  byId,
  event,
  identify,
  merge,
} from "@inlethq/store-conformance/script/commands"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { beginning } from "@inlethq/store-conformance/script/script"
import { apply } from "@inlethq/store-conformance/script/scenario"
import type { Command } from "@inlethq/core/Command"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { callOf } from "../../src/replay/compareCalls.ts"

/** Returns the body of the call that one of some commands is written as, by its place. */
const bodyOf = (place: number, ...commands: ReadonlyArray<Command>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* apply(...beginning)
      const { entries } = yield* apply(...commands)
      const entry = entries.at(place)
      if (entry === undefined) return undefined
      return Result.getOrUndefined(yield* callOf(entry))?.body
    }).pipe(Effect.provide(Layer.fresh(memoryStore))),
  )

describe("the call of an operation about a person with an identifier that a merge gave them", () => {
  it("names them by their own identifier, which an erasure of the other person leaves", async () => {
    const [ada, bob] = [byEmail("ada@example.com"), byId("bob")]
    const body = await bodyOf(-1, identify(ada, []), identify(bob, []), merge(ada, bob), event(ada, "opened"))
    expect(body).toMatchObject({ identifiers: { email: "ada@example.com" } })
  })
})

describe("the call of an operation of a visitor", () => {
  it("names the anonymous id with which they became a person, whoever that person was merged into", async () => {
    const [ada, bob, eve] = [byId("ada"), byId("bob"), byId("eve")]
    const body = await bodyOf(
      0,
      identify(byAnonymousId("visitor 1"), [["plan", "pro"]]),
      identify(bob, [], { anonymousId: "visitor 1" }),
      identify(ada, []),
      merge(ada, bob),
      identify(eve, [], { anonymousId: "visitor 0" }),
      merge(eve, ada),
    )
    expect(body).toMatchObject({ identifiers: { anonymous_id: "visitor 1" } })
  })
})
