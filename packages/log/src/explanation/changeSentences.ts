import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { listOf } from "./listOf.ts"

/** Says which fields an operation set, changed and removed. */
export const changeSentences = (entry: ActivityDocument): ReadonlyArray<string> => {
  const members = membershipSentences(entry)
  if (members !== null) return members
  const { changes, outcome } = entry
  if (changes.length === 0) return outcome === "applied" ? ["It changed no field."] : []
  const paths = { set: new Set<string>(), changed: new Set<string>(), removed: new Set<string>() }
  for (const { from, path, to } of changes) {
    if (isNothing(to)) paths.removed.add(path)
    else if (isNothing(from)) paths.set.add(path)
    else paths.changed.add(path)
  }
  const parts = (["set", "changed", "removed"] as const).flatMap((verb) =>
    paths[verb].size === 0 ? [] : [`${verb} ${listOf([...paths[verb]])}`],
  )
  return [`It ${parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts.join("")}.`]
}

const isNothing = (value: unknown): boolean => value === null || value === ""

/** Says how many people a call added to a segment or removed, and which ids were ignored. Null for any other operation. */
const membershipSentences = ({ data, kind, outcome }: ActivityDocument): ReadonlyArray<string> | null => {
  if ((kind !== "segment_add" && kind !== "segment_remove") || outcome === "rejected") return null
  if (!isJsonObject(data)) return null
  const { ids_applied: applied, ids_ignored: ignored, ignored: named } = data
  if (typeof applied !== "number" || typeof ignored !== "number") return null
  const [one, many] = kind === "segment_add" ? ["was added", "were added"] : ["was removed", "were removed"]
  return [
    applied === 1 ? `1 person ${one}.` : `${applied} people ${many}.`,
    ...(ignored === 0 ? [] : [ignoredSentence(ignored, named ?? null)]),
  ]
}

const ignoredSentence = (count: number, named: Json): string => {
  const ids = Array.isArray(named) ? named.filter((id) => typeof id === "string") : []
  const which = ids.length === 0 ? "" : `: ${ids.map((id) => JSON.stringify(id)).join(", ")}`
  const more = ids.length > 0 && count > ids.length ? ` and ${count - ids.length} more` : ""
  return `${count === 1 ? "1 id was" : `${count} ids were`} ignored${which}${more}.`
}
