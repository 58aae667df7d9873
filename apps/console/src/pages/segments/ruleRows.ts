import type { ages, counts } from "@inlethq/core/rule/operators"
import type { CountedMetric, CountedSource, LeafKey } from "@inlethq/core/rule/ruleLanguage"
import type { Channel } from "@inlethq/core/state/Delivery"
import {
  isDuration,
  keysOf,
  newCondition,
  ruleOfCondition,
  textOf,
  valueIn,
  type RowCondition,
} from "./rowValues.ts"
import { ruleJsonIn, type RuleJson } from "./RuleJson.ts"

/** What one row of the rule builder can ask for. A rule that no other kind can express is written as JSON. */
export const rowKinds = {
  attribute: "attribute",
  event: "event",
  page: "page",
  screen: "screen",
  metric: "message",
  form: "form",
  device: "device",
  relationship: "object",
  segment: "segment",
  subscription: "subscription",
  identity: "identifier",
  age: "age of the profile",
  json: "rule as JSON",
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

/** What a row asks about subscriptions: from everything, or from one topic. */
export const subscriptions = {
  unsubscribed: "unsubscribed from everything",
  notUnsubscribed: "not unsubscribed from everything",
  topic: "subscribed to the topic",
  noTopic: "unsubscribed from the topic",
} as const

export type RowSubscription = keyof typeof subscriptions

/** The time in which something is counted. */
export const windows = { ever: "ever", within: "within the last", between: "between" } as const

export type RowWindow = keyof typeof windows

/** The ids by which messages are chosen. */
export const sources = {
  campaign_id: "campaign",
  newsletter_id: "newsletter",
  broadcast_id: "broadcast",
  journey_id: "journey",
  action_id: "action",
  parent_action_id: "parent action",
  transactional_message_id: "transactional message",
  content_id: "content",
  trigger_id: "trigger",
  trigger_event_id: "trigger event",
  delivery_id: "delivery",
} as const satisfies Readonly<Record<CountedSource, string>>

/** One of the ids by which a row chooses messages. */
export interface RowSource {
  readonly key: number
  readonly name: CountedSource
  readonly value: string
}

/** Returns the kinds of ids that a row does not use yet, or only in `own`. A row has one id of each kind. */
export const sourcesLeft = (
  source: ReadonlyArray<RowSource>,
  own?: RowSource,
): ReadonlyArray<CountedSource> =>
  keysOf(sources).filter((name) => source.every((one) => one.name !== name || one.key === own?.key))

/** One row of the rule builder, as the operator typed it. Rows of each kind use some of the fields. */
export interface RuleRow extends RowCondition {
  readonly kind: RowKind
  readonly isNot: boolean
  /** The name of an event, page, screen or topic, the id of a form, or the type of an object. */
  readonly name: string
  readonly count: CountOperator
  readonly times: string
  readonly window: RowWindow
  /** A duration such as `30d`, for the window `within`. */
  readonly within: string
  /** The two times of the window `between`. */
  readonly from: string
  readonly to: string
  /** Whether the profile must be as old as the window in which nothing happened. Undefined if the rule does not say. */
  readonly aged: boolean | undefined
  /** Whether `aged` stands inside the leaf of a row with `not`, not beside it. */
  readonly isAgedInside: boolean
  /** Conditions on the event, the form, the device or the object. */
  readonly where: ReadonlyArray<RowCondition>
  /** Conditions on the relationship itself. */
  readonly whereRelated: ReadonlyArray<RowCondition>
  readonly channel: RowChannel
  readonly metric: RowMetric
  readonly source: ReadonlyArray<RowSource>
  readonly segment: string
  readonly subscription: RowSubscription
  readonly has: RowIdentifier
  readonly age: RowAge
  readonly json: string
}

export const newRow = (key: number, kind: RowKind = "attribute"): RuleRow => ({
  ...newCondition(key),
  kind,
  isNot: false,
  name: "",
  count: "gte",
  times: "1",
  window: "ever",
  within: "",
  from: "",
  to: "",
  aged: undefined,
  isAgedInside: false,
  where: [],
  whereRelated: [],
  channel: "any",
  metric: "opened",
  source: [],
  segment: "",
  subscription: "unsubscribed",
  has: "email",
  age: "gte",
  json: "",
})

/** Whether a row asks for something that did not happen in a window up to now, so that `aged` has a meaning. */
export const canBeAged = (row: RuleRow): boolean =>
  countingKinds.has(row.kind) && row.window === "within" && row.isNot !== holdsForNone(row)

const countingKinds: ReadonlySet<RowKind> = new Set(["event", "page", "screen", "metric", "form"])

const holdsForNone = ({ count, times }: RuleRow): boolean =>
  count === "lte" || (count === "eq" && Number(times) === 0)

/** The rule of a row, or undefined while the row is incomplete. */
export const ruleOfRow = (row: RuleRow): RuleJson | undefined => {
  const leaf = leafOf(row)
  if (leaf === undefined) return undefined
  const aged = row.aged === undefined || !canBeAged(row) ? {} : { aged: row.aged }
  if (row.kind === "json") return row.isNot ? { not: leaf } : leaf
  if (row.isNot && !row.isAgedInside) return { not: { [row.kind]: leaf }, ...aged }
  const whole = { [row.kind]: { ...leaf, ...aged } }
  return row.isNot ? { not: whole } : whole
}

/** What stands under the key of the row's kind, or a whole rule for a row with JSON. */
const leafOf = (row: RuleRow): RuleJson | undefined => {
  switch (row.kind) {
    case "attribute":
      return ruleOfCondition(row)
    case "event":
    case "page":
    case "screen":
      return merged(named("name", row), whereOf("where", row.where), countingOf(row))
    case "metric": {
      const channel = row.channel === "any" ? {} : { channel: row.channel }
      return merged({ ...channel, metric: row.metric }, sourceOf(row), countingOf(row))
    }
    case "form":
      return merged(named("id", row), whereOf("where", row.where), countingOf(row))
    case "device":
      return whereOf("where", row.where)
    case "relationship": {
      const object = whereOf("where", row.where)
      return merged(
        named("type", row),
        whereOf("where", row.whereRelated),
        object === undefined || row.where.length === 0 ? object : { object },
        countOf(row),
      )
    }
    case "segment":
      return segmentOf(row)
    case "subscription":
      return subscriptionOf(row)
    case "identity":
      return { has: row.has }
    case "age":
      return isDuration(row.value.trim()) ? { [row.age]: row.value.trim() } : undefined
    case "json":
      return ruleJsonIn(row.json)
  }
}

/** Returns all parts as one object, or undefined if one of them is incomplete. */
const merged = (...parts: ReadonlyArray<RuleJson | undefined>): RuleJson | undefined => {
  let all: RuleJson = {}
  for (const part of parts) {
    if (part === undefined) return undefined
    all = { ...all, ...part }
  }
  return all
}

const named = (key: string, { name, written }: RuleRow): RuleJson | undefined => {
  const value = valueIn(name, written?.[key])
  return value === "" ? undefined : { [key]: value }
}

const whereOf = (key: string, conditions: ReadonlyArray<RowCondition>): RuleJson | undefined => {
  const where = conditions.map(ruleOfCondition).filter((condition) => condition !== undefined)
  if (where.length < conditions.length) return undefined
  return where.length === 0 ? {} : { [key]: where }
}

const countOf = ({ count, times, written }: RuleRow): RuleJson | undefined => {
  const n = Number(times)
  if (times.trim() === "" || !Number.isInteger(n)) return undefined
  return count === "gte" && n === 1 && written?.["count"] === undefined ? {} : { count: { [count]: n } }
}

const countingOf = (row: RuleRow): RuleJson | undefined => merged(countOf(row), windowOf(row))

const windowOf = ({ from, to, window, within, written }: RuleRow): RuleJson | undefined => {
  switch (window) {
    case "ever":
      return {}
    case "within":
      return isDuration(within.trim()) ? { within: within.trim() } : undefined
    case "between": {
      const before = Array.isArray(written?.["between"]) ? written["between"] : []
      const [start, end] = [valueIn(from, before[0]), valueIn(to, before[1])]
      return start === "" || end === "" ? undefined : { between: [start, end] }
    }
  }
}

const sourceOf = ({ source, written }: RuleRow): RuleJson | undefined => {
  if (source.length === 0) return {}
  const before = written?.["source"]
  const values = source.map(({ name, value }) => {
    const was = typeof before === "object" && before !== null && name in before ? Object.entries(before) : []
    return [name, valueIn(value, was.find(([key]) => key === name)?.[1])] as const
  })
  return values.some(([, value]) => value === "") ? undefined : { source: Object.fromEntries(values) }
}

const segmentOf = ({ segment, written }: RuleRow): RuleJson | undefined => {
  const before = written?.["id"]
  if (before !== undefined && textOf(before) === segment) return { id: before }
  const id = Number(segment)
  return segment.trim() !== "" && Number.isInteger(id) ? { id } : undefined
}

const subscriptionOf = (row: RuleRow): RuleJson | undefined => {
  switch (row.subscription) {
    case "unsubscribed":
    case "notUnsubscribed":
      return { unsubscribed: row.subscription === "unsubscribed" }
    case "topic":
    case "noTopic":
      return merged(named("topic", row), { value: row.subscription === "topic" })
  }
}
