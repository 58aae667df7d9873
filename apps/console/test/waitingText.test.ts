import { expect, it } from "vitest"
import { waitingText } from "../src/pages/attempts/waitingText.ts"

it.each([
  [0, 0, "nothing"],
  [1, 0, "1 operation"],
  [249, 0, "249 operations"],
  [250, 0, "250 or more operations"],
  [0, 1, "0 operations, and 1 entry of the log to read"],
  [2, 1_200, "2 operations, and 1,200 entries of the log to read"],
])("%d operations and %d entries that wait are written %j", (held, entries, text) => {
  expect(waitingText(held, "operation", entries)).toBe(text)
})
