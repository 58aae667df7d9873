import { Access, Principal, requirementOf, type Requirement } from "@inlet/api/management/Access"
import { Forbidden } from "@inlet/api/management/Problem"
import { refusalOf } from "@inlet/api/management/refusalOf"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { details } from "../problems/details.ts"

/** Returns why a principal may not send a request, or null if it may. */
const refusalText = (
  principal: Principal["Service"],
  requirement: Requirement["Service"],
  workspace: string | undefined,
): string | null => {
  const { name: token, scope: has } = principal
  const refusal = refusalOf(principal, requirement, workspace)
  if (refusal === null) return null
  const { reason, scope } = refusal
  switch (reason) {
    case "workspace":
      return details.otherWorkspace({ workspace: workspace ?? "", token })
    case "all_workspaces":
      return details.scopeOfAllNeeded({ scope, token })
    case "scope":
      return details.scopeNeeded({ scope, token, has })
  }
}

/** Refuses what the declared requirement of an endpoint does not allow. */
export const access = Layer.succeed(Access, (answer, { endpoint }) =>
  Effect.gen(function* () {
    const { params } = yield* HttpRouter.RouteContext
    const refusal = refusalText(yield* Principal, requirementOf(endpoint), params["w"])
    if (refusal !== null) return yield* new Forbidden({ detail: refusal })
    return yield* answer
  }),
)
