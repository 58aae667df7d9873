import { isTrue } from "../state/Attributes.ts"
import type { Json } from "../values/Json.ts"
import { readTimeOfAnyYear, type EpochMillis } from "../values/Timestamp.ts"
import { numberIn } from "./decodeCondition.ts"
import type { Scalar, ValueTest } from "./Rule.ts"

/** Returns whether a value that is not missing passes a test at the time `now`. */
export const passes = (test: ValueTest, value: Json, now: EpochMillis): boolean => {
  switch (test._tag) {
    case "Equals":
      return equals(value, test.value)
    case "Differs":
      return !equals(value, test.value)
    case "OneOf":
      return test.values.some((one) => equals(value, one))
    case "Ordered":
      return isOrdered(test, numberIn(value))
    case "Text":
      return typeof value === "string" || typeof value === "number" ? isWithin(test, String(value)) : false
    case "Exists":
      return true
    case "IsTrue":
      return isTrue(value)
    case "Instant": {
      const at = readTimeOfAnyYear(value)
      if (at === undefined) return false
      return test.operator === "before" ? at < test.at : at > test.at
    }
    case "Relative": {
      const at = readTimeOfAnyYear(value)
      return at !== undefined && isRelative(test, at, now)
    }
  }
}

/** Returns the next time after `now` at which the result of a test changes by itself, or null if there is none. */
export const flipOf = (test: ValueTest, value: Json, now: EpochMillis): EpochMillis | null => {
  if (test._tag !== "Relative") return null
  const at = readTimeOfAnyYear(value)
  if (at === undefined) return null
  for (const time of flipsOf(test, at)) if (time > now) return time
  return null
}

type Relative = Extract<ValueTest, { readonly _tag: "Relative" }>

const isRelative = ({ ms, operator }: Relative, at: EpochMillis, now: EpochMillis): boolean => {
  switch (operator) {
    case "within_past":
      return at <= now && now < at + ms
    case "more_than_ago":
      return at + ms <= now
    case "within_next":
      return now < at && at - ms <= now
    case "more_than_ahead":
      return now < at - ms
  }
}

/** Returns the times at which the result changes, in order. */
const flipsOf = ({ ms, operator }: Relative, at: EpochMillis): ReadonlyArray<EpochMillis> => {
  switch (operator) {
    case "within_past":
      return [at, at + ms]
    case "more_than_ago":
      return [at + ms]
    case "within_next":
      return [at - ms, at]
    case "more_than_ahead":
      return [at - ms]
  }
}

/**
 * A number equals a text that spells it, and true and false equal their names, because filters and forms often carry
 * values as text.
 */
const equals = (value: Json, given: Scalar): boolean => {
  if (value === given) return true
  if (typeof value === "object" || typeof value === typeof given) return false
  if (typeof value === "boolean" || typeof given === "boolean") return String(value) === String(given)
  const number = numberIn(value)
  return number !== undefined && number === numberIn(given)
}

const isOrdered = (
  { operator, value }: Extract<ValueTest, { readonly _tag: "Ordered" }>,
  number: number | undefined,
): boolean => {
  if (number === undefined) return false
  switch (operator) {
    case "gt":
      return number > value
    case "gte":
      return number >= value
    case "lt":
      return number < value
    case "lte":
      return number <= value
  }
}

const isWithin = (
  { operator, value }: Extract<ValueTest, { readonly _tag: "Text" }>,
  text: string,
): boolean => {
  switch (operator) {
    case "contains":
      return text.includes(value)
    case "starts_with":
      return text.startsWith(value)
    case "ends_with":
      return text.endsWith(value)
  }
}
