import { ages, counts, operators, takes } from "@inlethq/core/rule/operators"
import { keysOf, listText, newCondition, textOf, type RowCondition } from "./rowValues.ts"
import { isRuleJson, isSameJson, type RuleJson } from "./RuleJson.ts"
import {
  channels,
  identifiers,
  metrics,
  newRow,
  rowKinds,
  ruleOfRow,
  sources,
  type RowSource,
  type RuleRow,
} from "./ruleRows.ts"

/** The row that builds a rule again, exactly. If no other kind of row does, it is a row with JSON. */
export const rowOfRule = (rule: RuleJson, key: number): RuleRow => {
  const built = negatedRow(rule, key)
  return built !== undefined && isSameJson(ruleOfRow(built), rule)
    ? built
    : { ...newRow(key, "json"), json: JSON.stringify(rule, null, 2) }
}

const negatedRow = (rule: RuleJson, key: number): RuleRow | undefined => {
  const inner = rule["not"]
  if (!isRuleJson(inner)) return leafRow(rule, newRow(key))
  const row = leafRow(inner, { ...newRow(key), isNot: true })
  if (row === undefined || typeof rule["aged"] !== "boolean") return row
  return { ...row, aged: rule["aged"], isAgedInside: false }
}

/** Returns the row that may build a leaf. */
const leafRow = (leaf: RuleJson, row: RuleRow): RuleRow | undefined => {
  const kind = keysOf(rowKinds).find((one) => isRuleJson(leaf[one]))
  const written = kind === undefined ? undefined : leaf[kind]
  if (kind === undefined || !isRuleJson(written)) return undefined
  const begun = { ...row, kind, written }
  switch (kind) {
    case "attribute":
      return withCondition(written, begun)
    case "event":
    case "page":
    case "screen":
    case "form":
    case "metric":
      return withCounting(written, withParts(written, begun))
    case "device":
      return withParts(written, begun)
    case "relationship":
      return withObject(written, begun)
    case "segment":
      return { ...begun, segment: textOf(written["id"]) }
    case "subscription":
      return withSubscription(written, begun)
    case "identity":
      return { ...begun, has: keysOf(identifiers).find((one) => one === written["has"]) ?? row.has }
    case "age": {
      const age = keysOf(ages).find((one) => Object.hasOwn(written, one)) ?? row.age
      return { ...begun, age, value: textOf(written[age]) }
    }
    case "json":
      return undefined
  }
}

/** Returns a condition with what a rule asks for, or undefined if it is none. */
const withCondition = <Condition extends RowCondition>(
  written: RuleJson,
  condition: Condition,
): Condition | undefined => {
  const { any, field, ignore_case, operator, value } = written
  const known = keysOf(operators).find((one) => one === operator)
  if (typeof field !== "string" || known === undefined || isRuleJson(value)) return undefined
  if (Array.isArray(value) && (!takes(known, "scalars") || value.some((one) => typeof one === "object")))
    return undefined
  return {
    ...condition,
    written,
    field,
    operator: known,
    any: any === true,
    ignoreCase: ignore_case === true,
    value: takes(known, "nothing") ? "" : Array.isArray(value) ? listText(value) : textOf(value),
  }
}

const conditionsIn = (where: unknown): ReadonlyArray<RowCondition> | undefined => {
  const conditions = (Array.isArray(where) ? where : []).map((one, key) =>
    isRuleJson(one) ? withCondition(one, newCondition(key)) : undefined,
  )
  const known = conditions.filter((one) => one !== undefined)
  return known.length === conditions.length ? known : undefined
}

/** Returns a row with a name, conditions, and what it asks of messages. */
const withParts = (written: RuleJson, row: RuleRow): RuleRow | undefined => {
  const where = conditionsIn(written["where"])
  return where === undefined
    ? undefined
    : {
        ...row,
        name: textOf(written["name"] ?? written["id"]),
        where,
        channel: keysOf(channels).find((one) => one === written["channel"]) ?? "any",
        metric: keysOf(metrics).find((one) => one === written["metric"]) ?? row.metric,
        source: sourcesIn(written["source"]),
      }
}

const sourcesIn = (written: unknown): ReadonlyArray<RowSource> =>
  isRuleJson(written)
    ? keysOf(sources)
        .filter((name) => Object.hasOwn(written, name))
        .map((name, key) => ({ key, name, value: textOf(written[name]) }))
    : []

const withCount = (written: RuleJson, row: RuleRow): RuleRow => {
  const counted = isRuleJson(written["count"]) ? written["count"] : { gte: 1 }
  const count = keysOf(counts).find((one) => Object.hasOwn(counted, one)) ?? "gte"
  return { ...row, count, times: textOf(counted[count]) }
}

const withCounting = (written: RuleJson, row: RuleRow | undefined): RuleRow | undefined => {
  if (row === undefined) return undefined
  const { aged, between, within } = written
  const inside = typeof aged === "boolean" ? { aged, isAgedInside: true } : {}
  const counting = withCount(written, { ...row, ...inside })
  if (Array.isArray(between))
    return { ...counting, window: "between", from: textOf(between[0]), to: textOf(between[1]) }
  return within === undefined ? counting : { ...counting, window: "within", within: textOf(within) }
}

const withObject = (written: RuleJson, row: RuleRow): RuleRow | undefined => {
  const object = written["object"]
  const where = conditionsIn(isRuleJson(object) ? object["where"] : undefined)
  const whereRelated = conditionsIn(written["where"])
  if (where === undefined || whereRelated === undefined) return undefined
  return withCount(written, { ...row, name: textOf(written["type"]), where, whereRelated })
}

const withSubscription = (written: RuleJson, row: RuleRow): RuleRow => {
  const { topic, unsubscribed, value } = written
  return topic === undefined
    ? { ...row, subscription: unsubscribed === true ? "unsubscribed" : "notUnsubscribed" }
    : { ...row, subscription: value === true ? "topic" : "noTopic", name: textOf(topic) }
}
