import type { Provenance } from "@inlethq/core/log/Provenance"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { withinContextLimits } from "./contextLimits.ts"
import { keptAddress } from "./ipAddress.ts"

/** Returns what a workspace keeps of where a call came from, or undefined if that is nothing (contract §13 *context*). */
export const keptProvenance = (
  { context: setting, ip }: Pick<Workspace, "context" | "ip">,
  { context: sentContext = none, contextOmitted = [], geo, integrations: sent = none, ...rest }: Provenance,
): Provenance | undefined => {
  const omitted = [...contextOmitted]
  const isKept = setting === "keep"
  const context = isKept ? withinContextLimits(withKeptAddress(ip, sentContext), "", omitted) : none
  const integrations = withinContextLimits(sent, "integrations", omitted)
  const kept = {
    ...(!isEmpty(context) && { context }),
    ...(!isEmpty(integrations) && { integrations }),
    ...(isKept && geo !== undefined && { geo }),
    ...(omitted.length > 0 && { contextOmitted: omitted }),
    ...rest,
  }
  return isEmpty(kept) ? undefined : kept
}

const none: JsonObject = {}

/** Returns a context with what a workspace keeps of its address. What is no address has nothing that could be kept. */
export const withKeptAddress = (setting: Workspace["ip"], context: JsonObject): JsonObject => {
  if (setting === "keep" || !Object.hasOwn(context, "ip")) return context
  const { ip: sent, ...rest } = context
  const ip = typeof sent === "string" ? keptAddress(setting, sent) : undefined
  return ip === undefined ? rest : { ...context, ip }
}

/** Returns whether an object has no keys. Listing them would take longer. */
export const isEmpty = (object: object): boolean => {
  for (const key in object) if (Object.hasOwn(object, key)) return false
  return true
}
