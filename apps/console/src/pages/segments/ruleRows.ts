import { takes, type ages, type counts, type Operator } from "@inlethq/core/rule/operators"
import type { CountedMetric, LeafKey } from "@inlethq/core/rule/ruleLanguage"
import type { Channel } from "@inlethq/core/state/Delivery"

/** What one row of the rule builder can ask for. A rule that no other kind can express is written as JSON. */
export const rowKinds = {
  attribute: "Attribute",
  event: "Event",
  page: "Page view",
  screen: "Screen view",
  metric: "Message",
  form: "Form",
  device: "Device",
  relationship: "Related object",
  segment: "Segment",
  subscription: "Unsubscribed",
  identity: "Identifier",
  age: "Age of the profile",
  json: "Rule as JSON",
} as const satisfies Readonly<Record<LeafKey | "json", string>>

export type RowKind = keyof typeof rowKinds

export type CountOperator = keyof typeof counts

export const channels = {
  any: "any",
  email: "email",
  push: "push",
  sms: "SMS",
  in_app: "in-app",
  webhook: "webhook",
  slack: "Slack",
  whatsapp: "WhatsApp",
} as const satisfies Readonly<Record<Channel | "any", string>>

export type RowChannel = keyof typeof channels

export const metrics = {
  opened: "opened",
  clicked: "clicked",
  converted: "converted",
  delivered: "delivered",
  bounced: "bounced",
  deferred: "deferred",
  dropped: "dropped",
  spammed: "marked as spam",
  unsubscribed: "unsubscribed",
} as const satisfies Readonly<Record<CountedMetric, string>>

export type RowMetric = keyof typeof metrics

export const identifiers = { id: "an id", email: "an email", anonymous_id: "an anonymous id" } as const

export type RowIdentifier = keyof typeof identifiers

export type RowAge = keyof typeof ages

/** A test of one value: of an attribute, or of what a row with conditions asks for. */
export interface RowCondition {
  readonly key: number
  readonly field: string
  readonly operator: Operator
  readonly value: string
}

/** One row of the rule builder, as the operator typed it. Rows of each kind use some of the fields. */
export interface RuleRow extends RowCondition {
  readonly kind: RowKind
  readonly isNot: boolean
  /** The name of an event, page or screen, the id of a form, or the type of an object. */
  readonly name: string
  readonly count: CountOperator
  readonly times: string
  readonly within: string
  /** Conditions on the event, the form, the device or the object. */
  readonly where: ReadonlyArray<RowCondition>
  readonly channel: RowChannel
  readonly metric: RowMetric
  readonly segment: string
  readonly has: RowIdentifier
  readonly age: RowAge
  readonly json: string
}

export const newCondition = (key: number): RowCondition => ({ key, field: "", operator: "eq", value: "" })

export const newRow = (key: number, kind: RowKind = "attribute"): RuleRow => ({
  ...newCondition(key),
  kind,
  isNot: false,
  name: "",
  count: "gte",
  times: "1",
  within: "",
  where: [],
  channel: "any",
  metric: "opened",
  segment: "",
  has: "email",
  age: "gte",
  json: "",
})

const duration = /^\d{1,9}[mhdw]$/

type Json = string | number | boolean | null | ReadonlyArray<Json> | RuleJson

/** A rule, as the management API takes it. */
export interface RuleJson {
  readonly [key: string]: Json
}

/** Returns the rule of a row, or undefined while it is incomplete. */
export const ruleOfRow = (row: RuleRow): RuleJson | undefined => {
  const rule = leafOf(row)
  if (rule === undefined) return undefined
  return row.isNot ? { not: rule } : rule
}

/** Returns the rule of all rows, or undefined while one is incomplete: without it, the rule would hold for other people. */
export const ruleOfRows = (match: "and" | "or", rows: ReadonlyArray<RuleRow>): RuleJson | undefined => {
  const rules = rows.map(ruleOfRow).filter((rule) => rule !== undefined)
  if (rules.length < rows.length) return undefined
  return rules.length > 1 ? { [match]: rules } : rules[0]
}

const leafOf = (row: RuleRow): RuleJson | undefined => {
  switch (row.kind) {
    case "attribute":
      return inside("attribute", conditionOf(row))
    case "event":
    case "page":
    case "screen":
      return inside(row.kind, merged(named("name", row.name), whereOf(row.where), countingOf(row)))
    case "metric": {
      const channel = row.channel === "any" ? {} : { channel: row.channel }
      return inside("metric", merged({ ...channel, metric: row.metric }, countingOf(row)))
    }
    case "form":
      return inside("form", merged(named("id", row.name), whereOf(row.where), countingOf(row)))
    case "device":
      return inside("device", whereOf(row.where))
    case "relationship": {
      const where = whereOf(row.where)
      const object = where === undefined || row.where.length === 0 ? where : { object: where }
      return inside("relationship", merged(named("type", row.name), object))
    }
    case "segment": {
      const id = Number(row.segment)
      return row.segment.trim() !== "" && Number.isInteger(id) ? { segment: { id } } : undefined
    }
    case "subscription":
      return { subscription: { unsubscribed: true } }
    case "identity":
      return { identity: { has: row.has } }
    case "age": {
      const age = row.value.trim()
      return duration.test(age) ? { age: { [row.age]: age } } : undefined
    }
    case "json":
      return parsed(row.json)
  }
}

const inside = (key: string, leaf: RuleJson | undefined): RuleJson | undefined =>
  leaf === undefined ? undefined : { [key]: leaf }

/** Returns all parts as one object, or undefined if one of them is incomplete. */
const merged = (...parts: ReadonlyArray<RuleJson | undefined>): RuleJson | undefined => {
  let all: RuleJson = {}
  for (const part of parts) {
    if (part === undefined) return undefined
    all = { ...all, ...part }
  }
  return all
}

const named = (key: string, name: string): RuleJson | undefined =>
  name.trim() === "" ? undefined : { [key]: name.trim() }

const conditionOf = (condition: RowCondition): RuleJson | undefined => {
  const { operator } = condition
  const [field, value] = [condition.field.trim(), condition.value.trim()]
  if (takes(operator, "nothing")) return field === "" ? undefined : { field, operator }
  if (field === "" || value === "") return undefined
  if (takes(operator, "duration") && !duration.test(value)) return undefined
  return { field, operator, value: valueOf(condition) }
}

const whereOf = (conditions: ReadonlyArray<RowCondition>): RuleJson | undefined => {
  const where = conditions.map(conditionOf).filter((condition) => condition !== undefined)
  if (where.length < conditions.length) return undefined
  return where.length === 0 ? {} : { where }
}

const countingOf = (row: RuleRow): RuleJson | undefined => {
  const [n, within] = [Number(row.times), row.within.trim()]
  if (row.times.trim() === "" || !Number.isInteger(n)) return undefined
  if (within !== "" && !duration.test(within)) return undefined
  return {
    ...(row.count === "gte" && n === 1 ? {} : { count: { [row.count]: n } }),
    ...(within === "" ? {} : { within }),
  }
}

/** Some operators take a list. Every other value stays text, because rules compare texts with numbers and true by what they spell. */
const valueOf = ({ operator, value }: RowCondition): Json =>
  takes(operator, "scalars")
    ? value
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "")
    : value.trim()

/** Returns the object that a text spells as JSON, or undefined if it spells none. */
const parsed = (text: string): RuleJson | undefined => {
  try {
    const value: Json = JSON.parse(text)
    return isRuleJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a value can be a rule. The server checks the rest. */
export const isRuleJson = (value: unknown): value is RuleJson =>
  typeof value === "object" && value !== null && !Array.isArray(value)
