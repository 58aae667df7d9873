import type { IncomingMessage } from "node:http"
import type { AddressRole } from "../listener/Listener.ts"
import { sendingRoots } from "./sends.ts"

/** The first segments of the App API's paths after `/v1`, also of calls that Inlet does not have. Pipelines has none of them. */
const roots: ReadonlySet<string> = new Set([
  ...sendingRoots,
  "activities",
  "assets",
  "collections",
  "customers",
  "data_index",
  "design_studio",
  "esp",
  "exports",
  "imports",
  "info",
  "messages",
  "object_types",
  "objects",
  "reporting_webhooks",
  "segments",
  "sender_identities",
  "snippets",
  "subscription_center",
  "subscription_channels",
  "subscription_topics",
  "workspaces",
])

/** The path of the OpenAPI document. That of the Pipelines API has the same path, and is for whoever sends no app key. */
export const appDocumentPath = "/v1/openapi.json"

/**
 * The calls of the Track API whose paths begin like those of the App API if the base URL lacks `/api`. The App API has no call with
 * such a method and path.
 */
const misplaced =
  /^(?:(?:PUT|DELETE) \/v1\/customers\/|POST \/v1\/(?:customers\/[^?]+\/(?:events|suppress|unsuppress)|segments\/[^?]+\/(?:add|remove)_customers)(?:$|\?))/

/**
 * Returns whether the App API answers a request. Clients of the Track API with a wrong base URL are told the right one by ingestion.
 * The App API has the document of its calls to itself on an address without the Pipelines API, and elsewhere if the request has a
 * bearer token.
 */
export const isAppCall = (
  target: string,
  { headers, method }: Pick<IncomingMessage, "headers" | "method">,
  serves: AddressRole,
): boolean => {
  const { authorization = "" } = headers
  if (appRoot(target) !== undefined)
    return !(/^basic /i.test(authorization) && misplaced.test(`${method} ${target}`))
  const [path] = target.split("?", 1)
  return path === appDocumentPath && (serves === "operators" || /^bearer /i.test(authorization))
}

/** Returns the first segment after `/v1` of a request target of the App API, or undefined if another API has the path. */
export const appRoot = (target: string): string | undefined => {
  const [, root] = /^\/v1\/([a-z_]+)(?=$|[/?])/.exec(target) ?? []
  return root !== undefined && roots.has(root) ? root : undefined
}
