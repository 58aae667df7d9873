import type { Provenance } from "@inlethq/core/log/Provenance"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { withinContextLimits } from "./contextLimits.ts"

/** Returns what a workspace keeps of where a call came from, or undefined if that is nothing (contract §13 *context*). */
export const keptProvenance = (
  { context: setting }: Pick<Workspace, "context">,
  { context: sentContext = none, contextOmitted = [], geo, integrations: sent = none, ...rest }: Provenance,
): Provenance | undefined => {
  const omitted = [...contextOmitted]
  const isKept = setting === "keep"
  const context = isKept ? withinContextLimits(sentContext, "", omitted) : none
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

/** Returns whether an object has no keys. Listing them would take longer. */
export const isEmpty = (object: object): boolean => {
  for (const key in object) if (Object.hasOwn(object, key)) return false
  return true
}
