import { plansIn } from "@inlethq/core/plan/PlanIndex"
import { PlanMode, type Plan } from "@inlethq/core/plan/Plan"
import { planBytesMax, planPropertiesMax, plansMax } from "@inlethq/core/plan/planBounds"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { administers, reads, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { Conflict } from "../access/Problem.ts"
import { PathId } from "../values/PathId.ts"

const mode = PlanMode.annotate({
  description:
    "what becomes of a call that does not fit: its entry says so (`observe`), what offends is left out (`strip`), or it is rejected (`reject`)",
})

const schema = Schema.Json.annotate({
  description: `a JSON Schema (2020-12) of the data, with the keywords \`type required properties items enum const minimum maximum minLength maxLength minItems maxItems format additionalProperties\`: at most ${planBytesMax} bytes and ${planPropertiesMax} properties`,
})

export const PlanDocument = Schema.Struct({
  kind: Schema.String.annotate({
    description: "`event`, `page`, `screen`, `person`, or `object:` with the id of an object type",
  }),
  name: Schema.String.annotate({
    description: "the name of the event, page or screen, or `attributes` of people and objects",
  }),
  mode,
  version: Schema.Int.annotate({ description: "counted from 1 with every change of the plan" }),
  schema,
}).annotate({ identifier: "Plan", description: "what the data of one event, or attributes, should be" })
export type PlanDocument = typeof PlanDocument.Type

export const PlansDocument = Schema.Struct({
  version: Schema.Int.annotate({ description: "how often the plans were changed; 0 if never" }),
  plans: Schema.Array(PlanDocument),
}).annotate({ identifier: "Plans", description: "all plans of a workspace" })
export type PlansDocument = typeof PlansDocument.Type

const PlanChange = Schema.Struct({
  kind: Schema.String,
  name: Schema.String,
  change: Schema.Literals(["added", "changed", "removed"]),
})
export type PlanChange = typeof PlanChange.Type

const SavedPlans = Schema.Struct({
  ...PlansDocument.fields,
  changes: Schema.Array(PlanChange).annotate({ description: "the plans that differ from those before" }),
}).annotate({ identifier: "SavedPlans", description: "the plans since a change, and what it changed" })

/** What replaces the plans of a workspace. */
export const newPlansFields = {
  plans: Schema.Array(Schema.Json).annotate({
    description: `all plans, at most ${plansMax}: each a document with \`kind\`, \`name\`, \`mode\` (\`observe\` if it is missing) and \`schema\``,
  }),
} as const

const NewPlans = Schema.Struct({
  ...newPlansFields,
  version: Schema.optionalKey(Schema.Int).annotate({
    description: "the version that the change was made from; 409 if there is another one by now",
  }),
}).annotate({ identifier: "NewPlans", description: "what replaces all plans of the workspace" })

const NewPlan = Schema.Struct({
  mode: Schema.optionalKey(mode),
  schema,
  kind: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.Int),
}).annotate({ identifier: "NewPlan", description: "a plan; its kind and name are those of the path" })

const workspace = { w: WorkspaceId }
const dryRun = {
  dry_run: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
    description: "`true` checks the plans and says what would change, and changes nothing",
  }),
}
const one = {
  ...workspace,
  kind: PathId.annotate({ description: "the kind" }),
  name: PathId.annotate({ description: "the name of the event, page or screen, or `attributes`" }),
}

export class PlansGroup extends HttpApiGroup.make("plans")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/plan", {
      params: workspace,
      success: PlansDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.put("replace", "/workspaces/:w/plan", {
      params: workspace,
      query: dryRun,
      payload: NewPlans,
      success: SavedPlans,
      error: Conflict,
    }).annotate(Requirement, administers("plan.update")),
    HttpApiEndpoint.get("get", "/workspaces/:w/plan/:kind/:name", {
      params: one,
      success: PlanDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.put("put", "/workspaces/:w/plan/:kind/:name", {
      params: one,
      query: dryRun,
      payload: NewPlan,
      success: PlanDocument,
      error: Conflict,
    }).annotate(Requirement, administers("plan.update")),
    HttpApiEndpoint.delete("delete", "/workspaces/:w/plan/:kind/:name", {
      params: one,
      error: Conflict,
    }).annotate(Requirement, administers("plan.delete")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Plans" })) {}

export const planDocument = ({ kind, mode, name, schema, version }: Plan): PlanDocument => ({
  kind,
  name,
  mode,
  version,
  schema,
})

export const plansDocument = ({ plan }: Pick<Workspace, "plan">): PlansDocument => ({
  version: plan?.version ?? 0,
  plans: plansIn(plan).plans.map(planDocument),
})
