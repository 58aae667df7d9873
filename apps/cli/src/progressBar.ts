import { Effect } from "effect"

const barWidth = 30

/** How far something long is; `done` of `total` in whatever unit, and a word about it. */
export interface Progress {
  readonly done: number
  readonly total: number
  readonly label: string
}

/** One line that shows how far something is. */
export const barOf = ({ done, label, total }: Progress): string => {
  const share = total > 0 ? Math.min(1, done / total) : 0
  const full = Math.round(share * barWidth)
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${percent}% ${label}`
}

const toLineStart = "\r\u001b[K"

/** Shows progress on a terminal, in place of what it showed before; elsewhere nothing. */
export const showProgress = (progress: Progress): Effect.Effect<void> =>
  write(`${toLineStart}${barOf(progress)}`)

/** Takes the progress away, so that what comes next has the line. */
export const clearProgress: Effect.Effect<void> = Effect.suspend(() => write(toLineStart))

/** To standard error: standard output is for what the command answers. */
const write = (text: string): Effect.Effect<void> =>
  Effect.sync(() => {
    if (process.stderr.isTTY) process.stderr.write(text)
  })
