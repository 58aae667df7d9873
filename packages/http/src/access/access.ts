import { Access, Principal, requirementOf, type Requirement } from "@inlet/api/management/Access"
import { Forbidden } from "@inlet/api/management/Problem"
import type { Scope } from "@inlet/core/workspace/NamedToken"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { details } from "../problems/details.ts"

const ranks: Readonly<Record<Scope, number>> = { read: 0, write: 1, admin: 2 }

/**
 * Returns why a principal may not send a request, or null if it may. A workspace that is not the principal's is refused
 * whether it exists or not, so the answer does not tell which workspaces exist.
 */
const refusalOf = (
  { name, scope: has, workspaces }: Principal["Service"],
  { reach, scope }: Requirement["Service"],
  workspace: string | undefined,
): string | null => {
  if (reach === "workspace" && workspaces !== null && !workspaces.some((id) => String(id) === workspace)) {
    return details.otherWorkspace({ workspace: workspace ?? "", token: name })
  }
  if (reach === "all" && (workspaces !== null || ranks[has] < ranks[scope])) {
    return details.scopeOfAllNeeded({ scope, token: name })
  }
  return ranks[has] < ranks[scope] ? details.scopeNeeded({ scope, token: name, has }) : null
}

/** Refuses what the declared requirement of an endpoint does not allow. */
export const access = Layer.succeed(Access, (answer, { endpoint }) =>
  Effect.gen(function* () {
    const { params } = yield* HttpRouter.RouteContext
    const refusal = refusalOf(yield* Principal, requirementOf(endpoint), params["w"])
    if (refusal !== null) return yield* new Forbidden({ detail: refusal })
    return yield* answer
  }),
)
