import { assert, it } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Store } from "@inlethq/core/ports/Store"
import { hourMs } from "@inlethq/core/values/Timestamp"
import { ReadTurns, Turns, type InTurn } from "@inlethq/engine/reads/ReadTurns"
import { byId, event, first, identify, noon } from "@inlethq/store-conformance/script/commands"
import { apply, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { Effect } from "effect"
import { storeIn, temporaryDirectory } from "./temporary.ts"

/** Does other work before each slice of a read but the first. */
class InterruptedTurns extends ReadTurns {
  between: Effect.Effect<void> = Effect.void

  override reading<A, E>(body: (inTurn: InTurn) => Effect.Effect<A, E>) {
    return super.reading((inTurn) => {
      let slices = 0
      return body((slice) => Effect.andThen(slices++ === 0 ? Effect.void : this.between, inTurn(slice)))
    })
  }
}

it.effect("counts every entry once while housekeeping indexes the log", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const turns = new InterruptedTurns()
    yield* Effect.gen(function* () {
      const count = 6000
      yield* apply(identify(byId("ada")))
      for (let n = 0; n < count; n += 1000) {
        yield* apply(...Array.from({ length: 1000 }, () => event(byId("ada"), "seen")))
      }
      turns.between = Effect.orDie(Effect.provideService(sweepAll(noon), Store, yield* Store))
      const { counts } = yield* Catalog
      const counted = yield* counts(first.id, { from: noon - hourMs, stepMs: 2 * hourMs, steps: 1 })
      assert.deepStrictEqual(counted.counts, [
        { step: 0, kind: "event", outcome: "applied", count },
        { step: 0, kind: "identify", outcome: "created", count: 1 },
      ])
    }).pipe(Effect.provide(storeIn(directory)), Effect.provideService(Turns, turns))
  }),
)
