import { Clock, Effect } from "effect"
import { count } from "../output/text.ts"
import { paceOf, rateOf, showProgress, showProgressLine } from "../output/progressBar.ts"

/** How far an import is. `done` and `total` are in bytes, and `total` is undefined for standard input. */
interface ImportProgress {
  readonly items: number
  readonly noun: string
  readonly done: number
  readonly total: number | undefined
  /** The time when the import began, in milliseconds since 1970. */
  readonly started: number
}

/** Shows a progress bar on standard error, or the rate alone if the size of the input is unknown. */
export const showImportProgress = Effect.fnUntraced(function* (progress: ImportProgress) {
  const { done, items, noun, started, total } = progress
  const elapsedMs = (yield* Clock.currentTimeMillis) - started
  if (total === undefined) return yield* showProgressLine(rateOf(items, noun, elapsedMs))
  const label = `${count(items)} ${noun} ${paceOf({ items, done, total, elapsedMs })}`
  return yield* showProgress({ done, total, label })
})
