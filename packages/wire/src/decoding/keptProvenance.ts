import type { Provenance } from "@inlethq/core/log/Provenance"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { withinContextLimits } from "./contextLimits.ts"
import { keptAddress } from "./ipAddress.ts"

/** A provenance whose keys are set one after the other, because copying them from several objects takes longer. */
type Building = { -readonly [Key in keyof Provenance]: Provenance[Key] }

/** Returns what a workspace keeps of where a call came from, or undefined if that is nothing (contract §13 *context*). */
export const keptProvenance = (
  { context: setting, ip }: Pick<Workspace, "context" | "ip">,
  told: Provenance,
): Provenance | undefined => {
  const omitted = [...(told.contextOmitted ?? [])]
  const isKept = setting === "keep"
  const context = isKept ? withinContextLimits(withKeptAddress(ip, told.context ?? none), "", omitted) : none
  const integrations = withinContextLimits(told.integrations ?? none, "integrations", omitted)
  const kept: Building = {}
  if (!isEmpty(context)) kept.context = context
  if (!isEmpty(integrations)) kept.integrations = integrations
  if (isKept && told.geo !== undefined) kept.geo = told.geo
  if (omitted.length > 0) kept.contextOmitted = omitted
  if (told.bot !== undefined) kept.bot = told.bot
  if (told.omitted !== undefined) kept.omitted = told.omitted
  return isEmpty(kept) ? undefined : kept
}

const none: JsonObject = {}

/** Returns a context with what a workspace keeps of its address. What is no address has nothing that could be kept. */
export const withKeptAddress = (setting: Workspace["ip"], context: JsonObject): JsonObject => {
  if (setting === "keep" || !Object.hasOwn(context, "ip")) return context
  const sent = context["ip"]
  const ip = typeof sent === "string" ? keptAddress(setting, sent) : undefined
  if (ip !== undefined) return ip === sent ? context : { ...context, ip }
  const { ip: _1, ...rest } = context
  return rest
}

/** Returns whether an object has no keys. Listing them would take longer. */
export const isEmpty = (object: object): boolean => {
  for (const key in object) if (Object.hasOwn(object, key)) return false
  return true
}
