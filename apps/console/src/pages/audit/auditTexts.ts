import type { AuditAction } from "@inlethq/contract/access/AuditAction"
import type { AuditDocument } from "../../api/documents.ts"
import type { PeriodSearch } from "../../shared/time/period.ts"

/** The filters in the URL of the page. `on` is `installation` or `everything`; the workspace of the page by default. */
export interface AuditSearch extends PeriodSearch {
  readonly on?: string
  readonly actor?: string
  readonly action?: string
  readonly outcome?: string
}

export const outcomes = ["done", "refused", "failed", "begun"] as const

/** Returns the query parameters of the API for the filters of the page, except the period. */
export const auditQuery = (w: string, { action, actor, on, outcome }: AuditSearch) => ({
  ...(on === "everything" ? {} : { workspace: on === "installation" ? 0 : Number(w) }),
  actor,
  action,
  outcome: outcomes.find((known) => known === outcome),
})

export const actorText = ({ actor }: AuditDocument): string => actor.name ?? "unknown"

export const outcomeText = ({ count, outcome, status }: AuditDocument): string =>
  [outcome, outcome === "done" ? "" : (status ?? ""), count === 1 ? "" : `×${count}`]
    .filter((part) => part !== "")
    .join(" ")

export const targetText = ({ changes, target }: AuditDocument): string =>
  [target?.name ?? target?.id ?? "", changes.map(({ setting }) => setting).join(", ")]
    .filter((part) => part !== "")
    .join(": ")

type ResourceOf<Action> = Action extends `${infer Resource}.${string}` ? Resource : never

const titles: { readonly [Resource in ResourceOf<AuditAction>]: string } = {
  workspace: "Workspaces",
  key: "Keys",
  token: "Tokens",
  webhook: "Webhooks",
  forward: "Forwards",
  operation: "Operations",
  segment: "Segments",
  plan: "Plans",
  view: "Saved views",
  duplicate: "Duplicates",
  form: "Forms",
  delivery: "Deliveries",
  import: "Imports",
  export: "Exports",
  lake: "Lake",
  session: "Sign-ins",
  mcp: "Assistants",
  access: "Refused access",
}

/** The resources whose actions a menu offers: all that the audit log can have. */
export const resources: ReadonlyArray<readonly [resource: string, title: string]> = Object.entries(titles)
