import { Schema } from "effect"

/** What becomes of a call that does not fit the plan: its entry says so, what offends is left out, or it is rejected. */
export const PlanMode = Schema.Literals(["observe", "strip", "reject"])
export type PlanMode = typeof PlanMode.Type

/** What the data of one event, page or screen, or the attributes of people or of a type of objects, should be. */
export const Plan = Schema.Struct({
  /** `event`, `page`, `screen`, `person`, or `object:` with the id of an object type. */
  kind: Schema.String,
  /** The name of the event, page or screen; `attributes` of people and objects. */
  name: Schema.String,
  mode: PlanMode,
  /** Counted from 1. A plan that is removed and added again goes on counting. */
  version: Schema.Int,
  schema: Schema.Json,
})
export type Plan = typeof Plan.Type

/** The name of the plans of people and of objects. */
export const attributesName = "attributes"

const PlanVersion = Schema.Struct({ kind: Schema.String, name: Schema.String, version: Schema.Int })

/** All plans of a workspace. */
export const Plans = Schema.Struct({
  plans: Schema.Array(Plan),
  /** The last versions of plans that were removed. */
  retired: Schema.Array(PlanVersion),
})
export type Plans = typeof Plans.Type

export const noPlans: Plans = { plans: [], retired: [] }

/** The plans of a workspace as its settings have them. */
export const PlanText = Schema.Struct({
  /** How often the plans of the workspace were changed. */
  version: Schema.Int,
  /** `Plans` as JSON: one text, so that reading the settings does not read every schema. */
  text: Schema.String,
})
export type PlanText = typeof PlanText.Type

/** The setting that says what becomes of events whose name has no plan. */
export const UnknownEvents = Schema.Literals(["allow", "observe", "reject"])
