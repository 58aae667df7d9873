import { Access, Principal, requirementOf, type Requirement } from "@inlethq/contract/access/Access"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { Forbidden } from "@inlethq/contract/access/Problem"
import { grantFor, refusalOf } from "@inlethq/contract/access/refusalOf"
import type { AuditRecord } from "@inlethq/core/audit/AuditRecord"
import { svcIdKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { actorOf, AuditTrail, type Begun } from "../audit/AuditTrail.ts"
import { Senders, withSender } from "../credentials/Senders.ts"
import { problemTexts } from "../problems/problemTexts.ts"
import { orStoreUnavailable } from "../problems/problems.ts"
import { Digest } from "@inlethq/core/ports/Digest"
import { maskedAnswer } from "./maskedAnswer.ts"
import { RequestSender } from "./sentNow.ts"

type Params = Readonly<Record<string, string | undefined>>

/** Returns why a principal may not send a request, or null if it may. */
const refusalText = (
  principal: Principal["Service"],
  requirement: Requirement["Service"],
  workspace: string | undefined,
): string | null => {
  const { grants, name: token } = principal
  const refusal = refusalOf(grants, requirement, workspace)
  if (refusal === null) return null
  const { has, reason, scope } = refusal
  switch (reason) {
    case "workspace":
      return problemTexts.otherWorkspace({ workspace: workspace ?? "", token })
    case "all_workspaces":
      return problemTexts.scopeOfAllNeeded({ scope, token })
    case "scope":
      return problemTexts.scopeNeeded({ scope, token, has })
  }
}

/** Refuses what the declared requirement of an endpoint does not allow, and records what it does or refuses. */
export const access = Layer.effect(
  Access,
  Effect.gen(function* () {
    const trail = yield* AuditTrail
    const senders = yield* Senders
    const digest = yield* Digest
    return Access.of(
      Effect.fnUntraced(function* (answer, { endpoint }) {
        const { params } = yield* HttpRouter.RouteContext
        const principal = yield* Principal
        const requirement = requirementOf(endpoint)
        const { action } = requirement
        const refusal = refusalText(principal, requirement, params["w"])
        if (refusal !== null) {
          const endpointName = `${endpoint.method} ${endpoint.path.replace(managementPath, "")}`
          const refused = { endpoint: endpointName, ...workspaceDetail(params) }
          const begun = { ...begunBy(principal, params), action: action ?? "access.read", details: refused }
          yield* trail.refused(begun, 403)
          return yield* new Forbidden({ detail: refusal })
        }
        const asked = { ...principal, ...grantFor(principal.grants, requirement, params["w"]) }
        const seen = principal.isMasked === true ? maskedAnswer(answer, endpoint, digest) : answer
        const allowed = Effect.provideService(seen, Principal, asked)
        if (action === null) return yield* allowed
        const begun = { ...begunBy(principal, params), action, details: personIn(params) }
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const call = {
          request: { headers: { "user-agent": headers["user-agent"] } },
          route: `${endpoint.method} ${endpoint.path}`,
          token: { id: principal.id, name: principal.name },
        }
        const sent = Effect.provideService(allowed, RequestSender, (workspace) =>
          withSender(call, workspace, Effect.succeed).pipe(Effect.provideService(Senders, senders)),
        )
        return yield* orStoreUnavailable(trail.record(begun, sent))
      }),
    )
  }),
)

const begunBy = (principal: Principal["Service"], params: Params): Omit<Begun, "action" | "details"> => ({
  actor: actorOf(principal),
  // A workspace that the principal may not use need not exist.
  workspace: mayUse(principal, params["w"]) ? workspaceIn(params) : null,
  target: targetIn(params),
})

const mayUse = ({ grants }: Principal["Service"], workspace: string | undefined): boolean =>
  refusalOf(grants, { scope: "read", reach: "workspace" }, workspace) === null

const workspaceIn = ({ w }: Params): WorkspaceId | null =>
  w !== undefined && /^[1-9]\d{0,8}$/.test(w) ? WorkspaceId.make(Number(w)) : null

const workspaceDetail = (params: Params) => {
  const workspace = workspaceIn(params)
  return workspace === null ? {} : { workspace }
}

/** The path parameters that name what an action is about. */
const targetParams = [
  "token_id",
  "session_id",
  "key_id",
  "webhook_id",
  "forward_id",
  "segment_id",
  "form_id",
  "delivery_id",
]

/** An id without the characters that an email address or a name would have, which does not belong in the log. */
const idPattern = /^[\w:-]{1,100}$/

const targetIn = (params: Params): AuditRecord["target"] => {
  const id = targetParams.map((name) => params[name]).find((value) => value !== undefined)
  return id !== undefined && idPattern.test(id) ? { id, name: null } : null
}

/** Returns the `svc_id` in the path, unless a client wrote another identifier in its place. */
const personIn = (params: Params): AuditRecord["details"] => {
  const { svc_id } = params
  const workspace = workspaceIn(params)
  const isSvcId = svc_id !== undefined && workspace !== null && svcIdKey(workspace, svc_id) !== undefined
  return isSvcId ? { svc_id } : {}
}
