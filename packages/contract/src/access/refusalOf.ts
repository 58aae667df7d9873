import type { Scope } from "@inlethq/core/workspace/NamedToken"
import type { Requirement } from "./Access.ts"

/** What a token may do: its scope, and its workspaces, null for all. */
export interface Grant {
  readonly scope: Scope
  readonly workspaces: ReadonlyArray<number> | null
}

/** What an endpoint requires, without what it is called in the audit log. */
export type Need = Pick<Requirement["Service"], "scope" | "reach">

/** Why a grant does not meet a requirement. `scope` is the scope that is required. */
export interface Refusal {
  readonly reason: "scope" | "all_workspaces" | "workspace"
  readonly scope: Scope
}

const ranks: Readonly<Record<Scope, number>> = { read: 0, write: 1, admin: 2 }

/**
 * Returns why a grant does not meet the requirement of an endpoint, or null if it does. `workspace` is the one in the
 * path. A workspace that the grant does not name is refused whether it exists or not, so a refusal does not tell which
 * workspaces exist.
 */
export const refusalOf = (
  { scope: has, workspaces }: Grant,
  { reach, scope }: Need,
  workspace: string | undefined,
): Refusal | null => {
  const isScopeMissing = ranks[has] < ranks[scope]
  if (reach === "workspace" && workspaces !== null && !workspaces.some((id) => String(id) === workspace)) {
    return { reason: "workspace", scope }
  }
  if (reach === "all" && (workspaces !== null || isScopeMissing)) return { reason: "all_workspaces", scope }
  return isScopeMissing ? { reason: "scope", scope } : null
}
