import type { Grant } from "@inlethq/core/workspace/ConsoleSession"
import type { Scope } from "@inlethq/core/workspace/NamedToken"
import type { Requirement } from "./Access.ts"

/** What an endpoint requires, without what it is called in the audit log. */
export type Need = Pick<Requirement["Service"], "scope" | "reach">

type Grants = ReadonlyArray<Grant>

/** Why grants do not meet a requirement: the scope that is required, and the one that they give where it counts. */
export interface Refusal {
  readonly reason: "scope" | "all_workspaces" | "workspace"
  readonly scope: Scope
  readonly has: Scope
}

const ranks: Readonly<Record<Scope, number>> = { read: 0, write: 1, admin: 2 }

const descending = ["admin", "write", "read"] as const

/**
 * Returns why grants do not meet the requirement of an endpoint, or null if one of them does. `workspace` is the one in the
 * path. A workspace that no grant names is refused whether it exists or not, so a refusal does not tell which
 * workspaces exist.
 */
export const refusalOf = (
  grants: Grants,
  { reach, scope }: Need,
  workspace: string | undefined,
): Refusal | null => {
  const there = reach === "workspace" ? grants.filter((grant) => covers(grant, workspace)) : grants
  const has = highest(there) ?? "read"
  if (there.length === 0) return { reason: "workspace", scope, has }
  const enough = there.filter((grant) => ranks[grant.scope] >= ranks[scope])
  if (reach === "all" && !enough.some(({ workspaces }) => workspaces === null)) {
    return { reason: "all_workspaces", scope, has }
  }
  return enough.length === 0 ? { reason: "scope", scope, has } : null
}

/**
 * Returns what grants come to in a request that they allow: the highest scope in the workspace of the path, or else of all, and the
 * workspaces in which they give the scope that the endpoint requires.
 */
export const grantFor = (grants: Grants, { scope }: Need, workspace: string | undefined): Grant => {
  const there = grants.filter((grant) => workspace === undefined || covers(grant, workspace))
  return {
    scope: highest(there) ?? "read",
    workspaces: workspacesOf(grants.filter((grant) => ranks[grant.scope] >= ranks[scope])),
  }
}

/** Returns the highest scope of grants, and all their workspaces. */
export const sumOf = (grants: Grants): Grant => ({
  scope: highest(grants) ?? "read",
  workspaces: workspacesOf(grants),
})

/** Returns at most one grant for each scope, which together allow the same. */
export const unionOf = (grants: Grants): Grants => {
  const union: Array<Grant> = []
  for (const scope of descending) {
    const workspaces = workspacesOf(grants.filter((grant) => grant.scope === scope))
    const left = workspaces?.filter((id) => !union.some((grant) => covers(grant, String(id)))) ?? null
    const isCovered = left === null ? union.some((grant) => grant.workspaces === null) : left.length === 0
    if (!isCovered) union.push({ scope, workspaces: left })
  }
  return union
}

const covers = ({ workspaces }: Grant, workspace: string | undefined): boolean =>
  workspaces === null || workspaces.some((id) => String(id) === workspace)

const highest = (grants: Grants): Scope | undefined =>
  descending.find((scope) => grants.some((grant) => grant.scope === scope))

const workspacesOf = (grants: Grants): Grant["workspaces"] => {
  if (grants.some(({ workspaces }) => workspaces === null)) return null
  return [...new Set(grants.flatMap(({ workspaces }) => workspaces ?? []))].toSorted((a, b) => a - b)
}
