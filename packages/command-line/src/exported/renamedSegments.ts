import { RuleJson as RuleRequest } from "@inlethq/contract/segments/SegmentRules"
import type { RuleJson } from "@inlethq/core/rule/ruleLanguage"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { isJsonObject } from "@inlethq/core/values/Json"
import { Schema } from "effect"

/**
 * Returns a rule with the ids of the segments that it names replaced, or null if one of them has no new id yet. The ids of
 * imported segments differ from those in the file.
 */
export const withNewSegments = (rule: Json, newIds: ReadonlyMap<number, SubjectKey>): RuleJson | null => {
  let isKnown = true
  const renamed = (part: Json, name?: string): Json => {
    if (Array.isArray(part)) return part.map((one: Json) => renamed(one))
    if (!isJsonObject(part)) return part
    const id = part["id"]
    if (name === "segment" && typeof id === "number") {
      const newId = newIds.get(id)
      if (newId === undefined) isKnown = false
      return { ...part, id: newId ?? id }
    }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, renamed(value, key)]))
  }
  const all = renamed(rule)
  return isKnown && isRule(all) ? all : null
}

/** The server says what is wrong with a rule. */
const isRule = Schema.is(RuleRequest)
