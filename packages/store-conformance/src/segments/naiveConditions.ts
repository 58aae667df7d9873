import type { Scalar } from "@inlethq/core/rule/operators"
import type { Condition, ValueTest } from "@inlethq/core/rule/Rule"
import { isTrue } from "@inlethq/core/values/flags"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { readTimeOfAnyYear } from "@inlethq/core/values/Timestamp"

/** Returns whether a document meets a condition at the time `now`. */
export const meets = (document: Json, { any, field, test }: Condition, now: number): boolean =>
  valuesAt(document, field.split("."), any)
    .map((value) => (field === "email" && typeof value === "string" ? value.toLowerCase() : value))
    .some((value) => value !== null && passes(test, value, now))

/** Returns whether a document has a value at the path of a condition. */
export const exists = (document: Json, { any, field }: Pick<Condition, "any" | "field">): boolean =>
  valuesAt(document, field.split("."), any).some((value) => value !== null)

/**
 * Returns the values at a path. The longest key that exists is taken, because names of attributes may contain dots. With
 * `any`, arrays stand for their elements.
 */
const valuesAt = (from: Json, path: ReadonlyArray<string>, any: boolean): ReadonlyArray<Json> => {
  if (Array.isArray(from)) {
    if (any) return from.flatMap((item) => (path.length === 0 ? [item] : valuesAt(item, path, any)))
    return path.length === 0 ? [from] : []
  }
  if (path.length === 0) return [from]
  if (!isJsonObject(from)) return []
  for (let taken = path.length; taken > 0; taken--) {
    const key = path.slice(0, taken).join(".")
    const value = Object.hasOwn(from, key) ? from[key] : null
    if (value != null) return valuesAt(value, path.slice(taken), any)
  }
  return []
}

const passes = (test: ValueTest, given: Json, now: number): boolean => {
  const isCaseless = "ignoresCase" in test && test.ignoresCase === true
  const value = isCaseless && typeof given === "string" ? given.toLowerCase() : given
  switch (test.operator) {
    case "eq":
      return isSame(value, test.value)
    case "ne":
      return !isSame(value, test.value)
    case "in":
      return test.values.some((one) => isSame(value, one))
    case "gt":
    case "gte":
    case "lt":
    case "lte": {
      const number = numeric(value)
      if (number === null) return false
      if (test.operator === "gt") return number > test.value
      if (test.operator === "gte") return number >= test.value
      return test.operator === "lt" ? number < test.value : number <= test.value
    }
    case "contains":
    case "starts_with":
    case "ends_with": {
      const text = typeof value === "number" ? String(value) : value
      if (typeof text !== "string") return false
      const at = text.indexOf(test.value)
      if (test.operator === "contains") return at >= 0
      return test.operator === "starts_with" ? at === 0 : text.endsWith(test.value)
    }
    case "exists":
      return true
    case "is_true":
      return isTrue(value)
    case "before":
    case "after": {
      const at = readTimeOfAnyYear(value)
      return at !== undefined && (test.operator === "before" ? at < test.at : at > test.at)
    }
    case "within_past":
    case "within_next":
    case "more_than_ago":
    case "more_than_ahead": {
      const at = readTimeOfAnyYear(value)
      if (at === undefined) return false
      const ago = now - at
      switch (test.operator) {
        case "within_past":
          return ago >= 0 && ago < test.ms
        case "more_than_ago":
          return ago >= test.ms
        case "within_next":
          return ago < 0 && -ago <= test.ms
        case "more_than_ahead":
          return -ago > test.ms
      }
    }
  }
}

/** Numbers compare with texts that spell numbers, and true and false with their names. Other texts compare as they are. */
const isSame = (value: Json, given: Scalar): boolean => {
  if (typeof value === "object") return false
  if (typeof value === typeof given) return value === given
  if (typeof value === "number" || typeof given === "number") {
    const [one, other] = [numeric(value), numeric(given)]
    return one !== null && one === other
  }
  return (typeof value === "boolean" || typeof given === "boolean") && String(value) === String(given)
}

const numeric = (value: Json): number | null => {
  if (typeof value === "number") return value
  if (typeof value !== "string" || !/^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)) return null
  return Number.isFinite(Number(value)) ? Number(value) : null
}
