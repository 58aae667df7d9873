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
 * Returns whether the App API answers a request. It has the document of its calls to itself on an address without the Pipelines API,
 * and elsewhere if the request has a bearer token.
 */
export const isAppCall = (
  target: string,
  { headers }: Pick<IncomingMessage, "headers">,
  serves: AddressRole,
): boolean => {
  if (appRoot(target) !== undefined) return true
  const [path] = target.split("?", 1)
  return path === appDocumentPath && (serves === "operators" || /^bearer /i.test(headers.authorization ?? ""))
}

/** Returns the first segment after `/v1` of a request target of the App API, or undefined if another API has the path. */
export const appRoot = (target: string): string | undefined => {
  const [, root] = /^\/v1\/([a-z_]+)(?=$|[/?])/.exec(target) ?? []
  return root !== undefined && roots.has(root) ? root : undefined
}
