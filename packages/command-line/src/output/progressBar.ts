import { Effect } from "effect"
import { columnsOf } from "./Screen.ts"
import { clip, count } from "./text.ts"

const barWidth = 30

/**
 * The progress of a task, with a label that is shown beside the progress bar. `done` and `total` have the same unit.
 */
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

/**
 * The progress of a task after `elapsedMs` milliseconds. The rate is computed from `items`, and the time left from
 * `done` and `total`.
 */
export interface Pace {
  readonly items: number
  readonly done: number
  readonly total: number
  readonly elapsedMs: number
}

/** The number of milliseconds before a rate is shown, because early rates are inaccurate. */
const paceAfterMs = 1000

/** Returns the rate of a task and the time left, as `3,400/s, 12 s left`. Returns an empty text in the first second. */
export const paceOf = ({ done, elapsedMs, items, total }: Pace): string => {
  if (elapsedMs < paceAfterMs || done === 0) return ""
  const seconds = elapsedMs / 1000
  const left = Math.max(0, Math.ceil(((total - done) / done) * seconds))
  return `${count(Math.round(items / seconds))}/s, ${durationText(left)} left`
}

const durationText = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Returns a count and its rate, as `12,345 lines 3,400/s`, for a task of unknown size. */
export const rateOf = (items: number, noun: string, elapsedMs: number): string => {
  const rate = elapsedMs < paceAfterMs ? "" : ` ${count(Math.round((items / elapsedMs) * 1000))}/s`
  return `${count(items)} ${noun}${rate}`
}

const toLineStart = "\r\u001b[K"

/** Draws the progress bar in place of the previous bar. Does nothing if standard error is not a terminal. */
export const showProgress = (progress: Progress): Effect.Effect<void> => showProgressLine(barOf(progress))

/**
 * Draws a line of progress in place of the previous line. Cuts the line to the width of the terminal, because only the
 * last row of a wrapped line is replaced. Writes to standard error, because standard output is for the result of the
 * command. Does nothing if standard error is not a terminal.
 */
export const showProgressLine = (line: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const { stderr } = process
    if (stderr.isTTY) stderr.write(`${toLineStart}${clip(line, columnsOf(stderr) - 1)}`)
  })

/** Clears the line of the progress bar, so that the next output starts on an empty line. */
export const clearProgress: Effect.Effect<void> = showProgressLine("")
