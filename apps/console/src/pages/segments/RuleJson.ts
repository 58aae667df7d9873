import { isRecord } from "../../shared/values/isRecord.ts"

type Json = string | number | boolean | null | ReadonlyArray<Json> | RuleJson

/** A rule, as the management API takes it. */
export interface RuleJson {
  readonly [key: string]: Json
}

/** Whether a value can be a rule. The server checks the rest. */
export const isRuleJson = (value: unknown): value is RuleJson => isRecord(value)

/** Returns the object that a text spells as JSON, or undefined if it spells none. */
export const ruleJsonIn = (text: string): RuleJson | undefined => {
  try {
    const value: Json = JSON.parse(text)
    return isRuleJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether two values are the same JSON, in whatever order their objects name the keys. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => isSameJson(item, other[i]))
  if (!isRuleJson(one) || !isRuleJson(other)) return one === other
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  )
}
