import { count, printable } from "./text.ts"

/** The error of one line of a file. */
export interface LineError {
  readonly line: number
  readonly message: string
}

/** The largest number of separate lines, or ranges of lines, that are listed for one error message. */
const rangesShownMax = 5

/**
 * Draws the errors of the lines of a file. Errors with the same message share one line, such as
 * `lines 1 to 98 and 100: …`. The drawn lines are in the order of their first errors in the file.
 */
export const drawLineErrors = (errors: ReadonlyArray<LineError>): ReadonlyArray<string> => {
  const linesByMessage = Map.groupBy(
    errors.toSorted((a, b) => a.line - b.line),
    ({ message }) => message,
  )
  return Array.from(linesByMessage, ([message, same]) =>
    printable(`${linesText(same.map(({ line }) => line))}: ${message}`),
  )
}

interface Range {
  readonly first: number
  last: number
}

const linesText = (lines: ReadonlyArray<number>): string => {
  const ranges: Array<Range> = []
  for (const line of lines) {
    const range = ranges.at(-1)
    if (range !== undefined && line - range.last <= 1) range.last = line
    else ranges.push({ first: line, last: line })
  }
  const shown = ranges.slice(0, rangesShownMax).map(rangeText)
  const others = ranges.slice(rangesShownMax).reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const listed = others > 0 ? [...shown, `${count(others)} others`] : shown
  const text = [listed.slice(0, -1).join(", "), ...listed.slice(-1)].filter((part) => part !== "")
  return `${text.length > 1 || ranges.some(({ first, last }) => last > first) ? "lines" : "line"} ${text.join(" and ")}`
}

const rangeText = ({ first, last }: Range): string => (first === last ? `${first}` : `${first} to ${last}`)
