import { it } from "@effect/vitest"
import { Arbitrary, Data, Effect } from "effect"
import { propertyOptions } from "./propertyOptions.ts"

/** The largest ratio of discarded to checked cases. A property with a larger ratio checks too few cases. */
const discardsPerRunMax = 3

/** A case for which a property does not hold. */
class DoesNotHold extends Data.TaggedError("DoesNotHold")<{ readonly cause: unknown }> {
  override get message() {
    return this.cause instanceof Error ? this.cause.message : String(this.cause)
  }
}

/** The cases of a property, and the condition that a case must meet to be checked. */
interface Cases<A> {
  readonly of: Arbitrary.Arbitrary<A>
  readonly where: (value: A) => boolean
  /** Bounds the length of lists and texts. */
  readonly size?: number
}

/** The type of the values that an `Arbitrary` generates. */
export type CaseOf<T> = T extends Arbitrary.Arbitrary<infer A> ? A : never

/**
 * Checks a property on `runs` cases that meet its condition. All other cases are discarded and never count as passed.
 * The test's report shows the number of discarded cases.
 */
export const property = <A>(
  says: string,
  { of, size, where }: Cases<A>,
  holds: (value: A) => void,
  runs: number,
): void => {
  const { arbitrary } = propertyOptions(runs, size)
  const check = (value: A) =>
    Effect.try({
      try: () => {
        holds(value)
        return true
      },
      catch: (cause) => new DoesNotHold({ cause }),
    })
  it.effect(says, ({ task }) =>
    Effect.gen(function* () {
      const maxDiscards = arbitrary.runs * discardsPerRunMax
      const result = yield* Arbitrary.checkEffect(Arbitrary.filter(of, where), check, {
        ...arbitrary,
        maxDiscards,
      })
      if (result._tag !== "ReplayMismatch") {
        Object.assign(task.meta, { runs: result.runs, discards: result.discards })
      }
      const failure = Arbitrary.formatCheckFailure(result)
      if (failure !== undefined) return yield* Effect.die(new Error(failure))
    }),
  )
}
