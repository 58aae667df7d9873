import type { Json } from "../values/Json.ts"

/** The types of JSON Schema. */
export const planTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const
export type PlanType = (typeof planTypes)[number]

/** What a value can violate: a keyword of the schema, or that the name has no plan. */
export const planClauses = [
  "type",
  "required",
  "enum",
  "const",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "format",
  "additionalProperties",
  "unknown_events",
] as const
export type PlanClause = (typeof planClauses)[number]

/** One condition on a value alone, apart from what is in it. */
export interface PlanCheck {
  readonly clause: PlanClause
  readonly holds: (value: Json) => boolean
}

/** A compiled schema. `never` is the schema `false`, which nothing fits. */
export interface PlanNode {
  readonly checks: ReadonlyArray<PlanCheck>
  readonly required: ReadonlyArray<string>
  readonly properties: ReadonlyMap<string, PlanNode>
  /** What the properties that are not named must fit. Null if they may be anything. */
  readonly others: PlanNode | "never" | null
  /** What the elements of a list must fit. Null if they may be anything. */
  readonly items: PlanNode | "never" | null
}
