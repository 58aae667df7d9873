import { concernOf, operationTitle } from "@inlethq/log/explanation/operationTitle"
import { planMark } from "@inlethq/log/explanation/planFacts"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { paint, type Screen, type Style } from "./Screen.ts"
import { clip, fit, printable } from "./text.ts"
import { timeOfDay } from "./times.ts"

/**
 * The width of the column of operation ids. The column is wide enough for batches with up to 1,000 items. Longer ids
 * are not cut, because people copy them.
 */
const operationWidth = 17
const outcomeWidth = 9

/**
 * The smallest and the largest width of the column of events (`whatWidths`) and of the column of people and objects
 * (`whoWidths`). Both columns grow with the width of the terminal.
 */
const whatWidths = { min: 13, max: 26 }
const whoWidths = { min: 13, max: 30 }

/**
 * Draws a log entry as one line: time, operation id, outcome, event or kind, person or object, reason and rule. On a
 * terminal the line is cut to the terminal's width.
 */
export const drawEntry = (screen: Screen, entry: ActivityDocument): string =>
  drawEntries(screen, [entry]).join()

/** Draws log entries as lines with aligned columns. */
export const drawEntries = (
  screen: Screen,
  entries: ReadonlyArray<ActivityDocument>,
): ReadonlyArray<string> => {
  const times = entries.map(({ received_at }) => timeOfDay(screen.times, received_at))
  const width = Math.max(...times.map(({ length }) => length))
  return entries.map((entry, index) => {
    const time = paint(screen, "dim", (times[index] ?? "").padStart(width))
    return `${time} ${drawOperation({ ...screen, columns: screen.columns - width - 1 }, entry)}`
  })
}

/** The width of a terminal in which the columns of an operation have their smallest widths. */
const narrowColumns = 71

/** Draws a log entry as `drawEntry` does, without its time. */
export const drawOperation = (screen: Screen, entry: ActivityDocument): string => {
  const { outcome } = entry
  const style = outcomeStyles[outcome]
  const spare = Math.max(0, Math.floor((screen.columns - narrowColumns) / 4))
  const what = Math.min(whatWidths.max, whatWidths.min + spare)
  const who = Math.min(whoWidths.max, whoWidths.min + spare)
  const parts = [
    paint(screen, "dim", entry.operation_id.padEnd(operationWidth)),
    paint(screen, style, fit(outcome, outcomeWidth)),
    cell(screen, whatOf(entry), what),
    cell(screen, whoOf(entry), who),
  ]
  const used = operationWidth + outcomeWidth + what + who + parts.length
  const line = [...parts, ...why(screen, entry, style, screen.columns - used)].join(" ")
  return line.trimEnd()
}

/** Pads a text to the width of its column. On a terminal a longer text is also cut. */
const cell = ({ isTerminal }: Screen, text: string, width: number): string =>
  isTerminal ? fit(text, width) : text.padEnd(width)

const why = (screen: Screen, entry: ActivityDocument, style: Style, width: number): ReadonlyArray<string> => {
  const { reason, rule } = entry
  const mark = planMark(entry)
  if (reason === null) return mark === null ? [] : [paint(screen, "yellow", markIn(screen, mark, width))]
  const room = screen.isTerminal ? width : Number.POSITIVE_INFINITY
  const shown = clip(printable(reason), room)
  const cited = rule === null ? "" : clip(`(${rule})`, room - shown.length - 1)
  const isCited = cited.length > 8
  return [paint(screen, style, shown), ...(isCited ? [paint(screen, "dim", cited)] : [])]
}

const markIn = ({ isTerminal }: Screen, mark: string, width: number): string =>
  isTerminal ? clip(printable(mark), width) : printable(mark)

/** The colours of the outcomes of operations. */
export const outcomeStyles: Readonly<Record<Outcome, Style>> = {
  applied: "green",
  created: "green",
  duplicate: "blue",
  pending: "cyan",
  ignored: "yellow",
  partial: "yellow",
  dropped: "red",
  rejected: "red",
}

/** Returns the name of an event. For other operations, returns what `operationTitle` calls them. */
export const whatOf = (entry: ActivityDocument): string => {
  const { kind, name } = operationTitle(entry)
  if (name === null) return printable(kind)
  return printable(kind === "event" ? name : `${kind} ${name}`)
}

/**
 * Returns an identifier of the person, visitor, object or segment that a log entry is about, or what it concerns otherwise, or
 * `-`.
 */
export const whoOf = (entry: ActivityDocument): string => {
  const { subject } = entry
  if (subject.object_id !== null) return printable(`${subject.object_type_id}/${subject.object_id}`)
  const who = subject.id ?? subject.email ?? subject.anonymous_id ?? subject.svc_id
  return printable(who ?? concernOf(entry)?.text ?? "-")
}
