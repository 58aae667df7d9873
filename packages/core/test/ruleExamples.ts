import { Result } from "effect"
import type { Json, JsonObject } from "@inlethq/core/values/Json"
import { decodeRule } from "../src/rule/decodeRule.ts"
import type { Rule } from "../src/rule/Rule.ts"

/** Decodes a rule that must be valid. */
export const decoded = (json: Json): Rule => {
  const result = decodeRule(json)
  if (Result.isFailure(result)) throw new Error(`${result.failure.path}: ${result.failure.message}`)
  return result.success
}

export const planIs = (value: Json): JsonObject => ({ attribute: { field: "plan", operator: "eq", value } })

/** A leaf that counts the event `bought`. */
export const bought = (more: JsonObject = {}): JsonObject => ({ event: { name: "bought", ...more } })
