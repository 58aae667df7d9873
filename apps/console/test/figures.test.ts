import { expect, it } from "vitest"
import { rate } from "../src/shared/values/figures.ts"

it.each([
  [0, "0.0 a second"],
  [1 / 60, "below 0.1 a second"],
  [0.05, "0.1 a second"],
  [9.94, "9.9 a second"],
  [1234.5, "1,235 a second"],
])("a rate of %d is written %j, never as 0 unless it is 0", (perSecond, text) => {
  expect(rate(perSecond)).toBe(text)
})
