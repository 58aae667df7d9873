import type { CallRequest } from "@inlethq/contract/activity/CallDocument"
import { managementPath } from "@inlethq/contract/values/managementPath"
import type { OperationRequest } from "@inlethq/contract/activity/OperationRequest"
import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"

/** What an operator asks for: an operation, or a call to one of the other APIs. */
export type Requested = (JsonObject & { readonly type: string }) | CallRequest

/**
 * Returns what a payload asks for. A call to `…/operations` of the workspace is the operation in its body; to the
 * management API of another workspace, it is refused.
 */
export const requestedOperation = Effect.fnUntraced(function* (
  { id }: Workspace,
  payload: OperationRequest | CallRequest,
): Effect.fn.Return<Requested, InvalidRequest> {
  if (!isCall(payload)) return payload
  const { body, method, path } = payload
  if (!path.startsWith(`${managementPath}/`)) return payload
  const own = `${managementPath}/workspaces/${id}/`
  if (!path.startsWith(own)) return yield* new InvalidRequest({ detail: problemTexts.callElsewhere() })
  if (method !== "POST" || path !== `${own}operations`) return payload
  if (!isJsonObject(body) || typeof body["type"] !== "string") {
    return yield* new InvalidRequest({ detail: problemTexts.unknownCall() })
  }
  return { ...body, type: body["type"] }
})

const isCall = (payload: OperationRequest | CallRequest): payload is CallRequest =>
  "method" in payload && "path" in payload && !("type" in payload)
