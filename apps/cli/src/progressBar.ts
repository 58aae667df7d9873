import { Effect } from "effect"

const barWidth = 30

/** The progress of a task, with a label to show beside the bar. `done` and `total` have the same unit. */
export interface Progress {
  readonly done: number
  readonly total: number
  readonly label: string
}

/** Returns a progress bar with percentage and label, as one line. */
export const barOf = ({ done, label, total }: Progress): string => {
  const share = total > 0 ? Math.min(1, done / total) : 0
  const full = Math.round(share * barWidth)
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${percent}% ${label}`
}

const toLineStart = "\r\u001b[K"

/** Draws the progress bar in place of the previous one. Does nothing if standard error is not a terminal. */
export const showProgress = (progress: Progress): Effect.Effect<void> =>
  write(`${toLineStart}${barOf(progress)}`)

/** Removes the progress bar, so that later output starts on an empty line. */
export const clearProgress: Effect.Effect<void> = Effect.suspend(() => write(toLineStart))

/** The progress bar goes to standard error, because standard output is for the result of the command. */
const write = (text: string): Effect.Effect<void> =>
  Effect.sync(() => {
    if (process.stderr.isTTY) process.stderr.write(text)
  })
