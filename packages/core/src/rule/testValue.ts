import type { Json } from "../values/Json.ts"
import { readTimeOfAnyYear, type EpochMillis } from "../values/Timestamp.ts"
import { numberIn } from "./numberIn.ts"
import { operators } from "./operators.ts"
import type { Cased, ValueTest } from "./Rule.ts"

/** Returns whether a value that is not missing passes a test at the time `now`. */
export const passes = (test: ValueTest, value: Json, now: EpochMillis): boolean => {
  switch (test._tag) {
    case "Scalar":
      return operators[test.operator].holds(cased(test, value), test.value)
    case "Scalars":
      return operators[test.operator].holds(cased(test, value), test.values)
    case "Number": {
      const number = numberIn(value)
      return number !== undefined && operators[test.operator].holds(number, test.value)
    }
    case "Text":
      return (
        (typeof value === "string" || typeof value === "number") &&
        operators[test.operator].holds(String(cased(test, value)), test.value)
      )
    case "Nothing":
      return operators[test.operator].holds(value)
    case "Instant": {
      const at = readTimeOfAnyYear(value)
      return at !== undefined && operators[test.operator].holds(at, test.at)
    }
    case "Duration": {
      const at = readTimeOfAnyYear(value)
      return at !== undefined && operators[test.operator].holds(at, test.ms, now)
    }
  }
}

/** A test that ignores case has its own text in lower case. */
const cased = <Value extends Json>({ ignoresCase }: Cased, value: Value): Value | string =>
  ignoresCase === true && typeof value === "string" ? value.toLowerCase() : value

/** Returns the next time after `now` at which the result of a test changes by itself, or null if there is none. */
export const flipOf = (test: ValueTest, value: Json, now: EpochMillis): EpochMillis | null => {
  if (test._tag !== "Duration") return null
  const at = readTimeOfAnyYear(value)
  if (at === undefined) return null
  for (const time of operators[test.operator].flips(at, test.ms)) if (time > now) return time
  return null
}
