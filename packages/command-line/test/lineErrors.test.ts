import { expect, it } from "vitest"
import { drawLineErrors } from "../src/output/lineErrors.ts"

const errorsOf = (message: string, ...lines: ReadonlyArray<number>) =>
  lines.map((line) => ({ line, message }))

it.each([
  ["one line", errorsOf("a", 7), ["line 7: a"]],
  ["a range of lines", errorsOf("a", 1, 2, 3), ["lines 1 to 3: a"]],
  ["ranges and lines", errorsOf("a", 1, 2, 3, 7, 9), ["lines 1 to 3, 7 and 9: a"]],
  ["a line with two equal errors", errorsOf("a", 4, 4), ["line 4: a"]],
  ["many separate lines", errorsOf("a", 1, 3, 5, 7, 9, 11, 13, 14), ["lines 1, 3, 5, 7, 9 and 3 others: a"]],
  [
    "lines in another order",
    [...errorsOf("b", 4), ...errorsOf("a", 3, 1, 2)],
    ["lines 1 to 3: a", "line 4: b"],
  ],
  [
    "different errors",
    [...errorsOf("a", 1), ...errorsOf("b\u001b", 2), ...errorsOf("a", 3)],
    ["lines 1 and 3: a", "line 2: b�"],
  ],
])("errors of %s are drawn with one line for each message", (_name, errors, lines) => {
  expect(drawLineErrors(errors)).toEqual(lines)
})
