import type { Json, JsonObject } from "@inlethq/core/values/Json"
import { toIso } from "@inlethq/core/values/Timestamp"
import { noon } from "../script/commands.ts"
import { hour } from "../script/script.ts"

/*
 * Rules about the few people, events and objects of the random scripts, of every kind of leaf and with every kind of
 * window.
 */

/** A rule. `earlier` are the ids of segments that exist before it. */
export type PooledRule = (earlier: ReadonlyArray<number>) => Json

const attribute = (field: string, operator: string, value?: Json, more: JsonObject = {}): JsonObject => ({
  attribute: { field, operator, ...(value !== undefined && { value }), ...more },
})
const event = (name: string, more: JsonObject = {}): JsonObject => ({ event: { name, ...more } })
const inContext = (field: string, operator: string, value?: Json): JsonObject => ({
  field: `context.${field}`,
  operator,
  ...(value !== undefined && { value }),
})
const planIs = (value: Json) => ({ field: "plan", operator: "eq", value })

const rules: ReadonlyArray<Json> = [
  attribute("plan", "eq", "1"),
  attribute("plan", "ne", 1),
  attribute("1", "gte", 2),
  { not: attribute("__proto__", "exists") },
  attribute("plan", "in", [1, "x"]),
  attribute("plan", "lt", 2),
  attribute("1", "lte", "1"),
  attribute("plan", "contains", "1"),
  attribute("plan", "eq", 2, { any: true }),
  attribute("email", "ends_with", "@EXAMPLE.com"),
  attribute("id", "eq", "id 1"),
  attribute("id", "in", ["ID 1", "Id 2"], { ignore_case: true }),
  attribute("plan", "ne", "X", { ignore_case: true }),
  { not: attribute("id", "starts_with", "ID", { ignore_case: true }) },
  attribute("svc_id", "starts_with", "p11"),
  attribute("created_at", "more_than_ago", "17d"),
  attribute("created_at", "within_past", "1h"),
  attribute("created_at", "before", toIso(noon + 3 * hour)),
  attribute("created_at", "after", toIso(noon + hour)),
  attribute("created_at", "more_than_ahead", "1h"),
  { not: attribute("created_at", "within_next", "30d") },
  attribute("unsubscribed", "is_true"),
  { identity: { has: "email" } },
  { not: { identity: { has: "anonymous_id" } } },
  { age: { gte: "1h" } },
  { age: { lt: "400h" } },
  { age: { gte: "401h" } },
  event("event 1"),
  event("event 1", { count: { gte: 2 } }),
  event("event 1", { count: { gte: 3 }, within: "400h" }),
  event("event*|event 3", { count: { gte: 2 } }),
  event("event 1+event 2", { within: "1h", where: [planIs(1)] }),
  event("event 2", { within: "401h", count: { gte: 2 } }),
  event("*", { within: "2h", count: { lte: 1 } }),
  event("*", { within: "2h", count: { eq: 1 } }),
  event("*", { within: "800h", count: { lte: 2 }, aged: false }),
  event("event 3", { between: [toIso(noon - 400 * hour), toIso(noon + hour)] }),
  event("event 1", { count: { eq: 0 } }),
  { not: event("event 1", { within: "400h" }) },
  { not: event("event 2", { within: "1h", count: { gte: 2 } }), aged: false },
  event("*", { where: [inContext("library.version", "eq", 1)], count: { gte: 2 }, within: "401h" }),
  event("event*", { where: [inContext("page.search", "eq", "?who=1"), planIs(1)] }),
  event("*", { where: [inContext("device.id", "starts_with", "device 2")], count: { lte: 1 } }),
  { not: event("event 2", { where: [inContext("page.search", "exists")], within: "400h" }) },
  { metric: { metric: "opened" } },
  { metric: { channel: "email", metric: "clicked", within: "401h", count: { gte: 2 } } },
  { metric: { metric: "unsubscribed", source: { delivery_id: "delivery 1" } } },
  { form: { id: "form 1", within: "401h" } },
  { form: { id: "form 2", where: [{ field: "plan", operator: "eq", value: "x" }], count: { lte: 1 } } },
  { device: { where: [{ field: "platform", operator: "eq", value: "ios" }, planIs(1)] } },
  { relationship: { type: "1" } },
  { relationship: { type: 1, where: [planIs(1)], count: { eq: 1 } } },
  { relationship: { type: "2", object: { where: [planIs(2)] } } },
  { not: { relationship: { type: "1", object: { where: [planIs("2")] } } } },
  { subscription: { unsubscribed: false } },
  { and: [attribute("plan", "exists"), event("event*", { within: "401h" })] },
  { or: [attribute("plan", "eq", 2), { not: { or: [event("event 2"), { identity: { has: "id" } }] } }] },
]

const onSegments: ReadonlyArray<PooledRule> = [
  ([first = 1]) => ({ segment: { id: first } }),
  ([, second = 1]) => ({ not: { segment: { id: second } } }),
  (earlier) => ({ and: [{ segment: { id: earlier.at(-1) ?? 1 } }, attribute("plan", "exists")] }),
  (earlier) => ({ or: [{ segment: { id: earlier.at(-1) ?? 1 } }, event("event 1", { within: "1h" })] }),
  (earlier) => ({ not: { segment: { id: earlier.at(-1) ?? 1 } } }),
  (earlier) => ({ not: { not: { segment: { id: earlier.at(-1) ?? 1 } } } }),
  (earlier) => ({
    and: [
      { not: { segment: { id: earlier.at(-1) ?? 1 } } },
      { not: { segment: { id: earlier.at(-2) ?? 2 } } },
    ],
  }),
]

/** Rules that name others occur more often than each of these. */
export const rulePool: ReadonlyArray<PooledRule> = [
  ...rules.map((rule) => () => rule),
  ...onSegments,
  ...onSegments,
  ...onSegments,
]
