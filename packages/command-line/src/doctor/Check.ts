import { paint, type Screen, type Style } from "../output/Screen.ts"
import { printable } from "../output/text.ts"
import { wrap } from "../output/wrap.ts"

/** The result of one check of `inlet doctor`, with advice if the check found a problem. */
export interface Check {
  readonly name: string
  readonly status: "ok" | "warning" | "failed"
  readonly found: string
  /** Advice on how to solve the problem, or null if the check found no problem. */
  readonly advice: string | null
}

const marks: Readonly<Record<Check["status"], readonly [mark: string, style: Style]>> = {
  ok: ["✓", "green"],
  warning: ["!", "yellow"],
  failed: ["✗", "red"],
}

const nameWidth = 15

/** The smallest width to which texts are wrapped, because a column of single words is hard to read. */
const textColumnsMin = 30

/**
 * Draws the result of a check of `inlet doctor`, and the advice on the lines below. On a terminal, long texts are
 * wrapped. In a pipe, the result and the advice are one line each.
 */
export const drawCheck = (screen: Screen, { advice, found, name, status }: Check): ReadonlyArray<string> => {
  const [mark, style] = marks[status]
  const indent = " ".repeat(nameWidth + 2)
  const width = screen.isTerminal ? Math.max(textColumnsMin, screen.columns - indent.length) : Infinity
  const wrapped = (text: string) => wrap(printable(text), width)
  const [first = "", ...more] = wrapped(found)
  const advised = advice === null ? [] : wrapped(advice)
  return [
    `${paint(screen, style, mark)} ${name.padEnd(nameWidth)}${first}`,
    ...more.map((line) => indent + line),
    ...advised.map((line) => indent + paint(screen, style, line)),
  ]
}

/** Returns the result of a check that found no problem. */
export const ok = (name: string, found: string): Check => ({ name, status: "ok", found, advice: null })

/** Returns the result of a check with a problem that does not stop Inlet from working. */
export const warning = (name: string, found: string, advice: string): Check => ({
  name,
  status: "warning",
  found,
  advice,
})

/** Returns the result of a check with a problem that stops Inlet from working. */
export const failed = (name: string, found: string, advice: string): Check => ({
  name,
  status: "failed",
  found,
  advice,
})
