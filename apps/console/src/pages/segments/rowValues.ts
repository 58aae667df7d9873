import { takes, testsText, type Operator } from "@inlethq/core/rule/operators"
import { fitting, type KnownValue } from "../../shared/query/QueryLanguage.ts"
import type { RuleJson } from "./RuleJson.ts"

/** A test of one value: of an attribute, or of what a row with conditions asks for. */
export interface RowCondition {
  readonly key: number
  readonly field: string
  readonly operator: Operator
  readonly value: string
  /** Whether the path leads through lists, one element of which is enough. */
  readonly any: boolean
  /** Whether upper and lower case are the same in a test of text. */
  readonly ignoreCase: boolean
  /** What the rule said. Its values keep their types until their texts change. */
  readonly written?: RuleJson | undefined
}

export const newCondition = (key: number): RowCondition => ({
  key,
  field: "",
  operator: "eq",
  value: "",
  any: false,
  ignoreCase: false,
})

const duration = /^\d{1,9}[mhdw]$/

export const isDuration = (text: string): boolean => duration.test(text)

type Value = RuleJson[string]

export const textOf = (value: unknown): string => (value === undefined ? "" : String(value))

/** Returns the value that a rule had while its text is the same, and otherwise the text. */
export const valueIn = (text: string, written: Value | undefined): Value =>
  written !== undefined && textOf(written) === text ? written : text.trim()

/** Returns a list as one line. Items that would read as something else there are quoted. */
export const listText = (items: ReadonlyArray<Value>): string =>
  items.map((item) => (isPlain(textOf(item)) ? textOf(item) : JSON.stringify(textOf(item)))).join(", ")

const isPlain = (item: string): boolean => item !== "" && item === item.trim() && !/[,"]/.test(item)

/** Splits a line at the commas outside quotes. The last part is what is being typed. */
const listParts = (line: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (const [, item = "", end] of line.matchAll(/\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(,|$)/g)) {
    parts.push(item.trim())
    if (end === "") break
  }
  return parts
}

/** Returns the items of a line, which are separated by commas and may be quoted. */
export const listItems = (line: string): ReadonlyArray<string> =>
  listParts(line)
    .filter((item) => item !== "")
    .map(unquoted)

/** Returns the lines to offer for one that is typed: each has one of the values in the place of its last item. */
export const listsOffered = (known: Iterable<KnownValue>, line: string): ReadonlyArray<KnownValue> => {
  const parts = listParts(line)
  const before = listItems(parts.slice(0, -1).join(","))
  const unused = Array.from(known).filter(({ value }) => !before.includes(value))
  return fitting(unused, unquoted(parts.at(-1) ?? "").replace(/^"/, "")).map((one) => ({
    ...one,
    value: listText([...before, one.value]),
  }))
}

const unquoted = (item: string): string => {
  if (!/^".*"$/s.test(item)) return item
  try {
    return textOf(JSON.parse(item))
  } catch {
    return item
  }
}

/** Returns a condition as the rule says it, or undefined while it is incomplete. */
export const ruleOfCondition = (condition: RowCondition): RuleJson | undefined => {
  const { any, ignoreCase, operator, value, written = {} } = condition
  const field = valueIn(condition.field, written["field"])
  if (field === "") return undefined
  const saysCase = testsText(operator) && (ignoreCase || written["ignore_case"] === false)
  const test = {
    field,
    operator,
    ...(any || written["any"] === false ? { any } : {}),
    ...(saysCase ? { ignore_case: ignoreCase } : {}),
  }
  if (takes(operator, "nothing")) {
    return written["operator"] === operator && written["value"] === true ? { ...test, value: true } : test
  }
  if (takes(operator, "duration") && !isDuration(value.trim())) return undefined
  if (takes(operator, "scalars")) {
    const before = Array.isArray(written["value"]) ? written["value"] : []
    const items = listItems(value).map((item) => before.find((one) => textOf(one) === item) ?? item)
    return items.length === 0 ? undefined : { ...test, value: items }
  }
  const given = valueIn(value, Array.isArray(written["value"]) ? undefined : written["value"])
  return given === "" && written["value"] !== "" ? undefined : { ...test, value: given }
}

export const keysOf = <Key extends string>(names: Readonly<Record<Key, unknown>>): ReadonlyArray<Key> =>
  Object.keys(names).filter((name): name is Key => Object.hasOwn(names, name))

export const durationUnits = { m: "minutes", h: "hours", d: "days", w: "weeks" } as const

type DurationUnit = keyof typeof durationUnits

/** Splits a duration such as `30d` into a number and a unit, days if it has none. */
export const durationParts = (duration: string): readonly [number: string, unit: DurationUnit] => {
  const unit = keysOf(durationUnits).find((one) => duration.endsWith(one))
  return unit === undefined ? [duration, "d"] : [duration.slice(0, -1), unit]
}

/** A duration such as `30d` in words. */
export const durationWords = (duration: string): string => {
  const [number, unit] = durationParts(duration)
  return `${number} ${number === "1" ? durationUnits[unit].slice(0, -1) : durationUnits[unit]}`
}
