import { KnownTime } from "@inlethq/core/ports/KnownTime"
import { Effect } from "effect"
import { noon } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"

/** What every store that outlives its process remembers of the time. A store in memory remembers nothing. */
export const knownTimeLaws: ReadonlyArray<Law> = [
  {
    name: "remembers the time that was saved last, whether it is later or earlier",
    check: Effect.gen(function* () {
      const { read, save } = yield* KnownTime
      yield* expectSame("new", yield* read, null)
      const times = [
        { at: noon, doubtedMs: 0 },
        { at: noon + 1, doubtedMs: 5000 },
        { at: noon - 1, doubtedMs: 0 },
      ]
      for (const time of times) {
        yield* save(time)
        const found = yield* read
        yield* expectSame("saved", found ?? time, time)
      }
    }),
  },
]
