import { Schema } from "effect"

/** Where a value did not fit a plan. */
const PlanViolation = Schema.Struct({
  /** The path in the data of the event, or among the attributes, joined by dots. Empty for the whole of it. */
  path: Schema.String,
  clause: Schema.String,
  /** The type and the length of the value, such as `text(12)`, and never the value. */
  got: Schema.String,
})

/** The plan that an operation did not fit, and where. */
export const PlanFinding = Schema.Struct({
  /** Null for a rejected event without a plan: its name came from the sender. */
  name: Schema.NullOr(Schema.String),
  /** Null if the name has no plan. */
  version: Schema.NullOr(Schema.Int),
  violations: Schema.Array(PlanViolation),
})
export type PlanFinding = typeof PlanFinding.Type
