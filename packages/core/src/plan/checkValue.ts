import { isJsonObject, type Json } from "../values/Json.ts"
import { charactersIn } from "./decodePlanSchema.ts"
import type { PlanClause, PlanNode } from "./PlanNode.ts"

/** Where a value does not fit a plan. */
export interface Misfit {
  /** The keys and places that lead to the value, or to the one that is missing. */
  readonly path: ReadonlyArray<string | number>
  readonly clause: PlanClause
  /** The type and the length of the value, and never the value. */
  readonly got: string
}

/** Returns whether a value fits a plan. Goes only as deep as the plan. */
export const fits = (node: PlanNode, value: Json): boolean => {
  for (const check of node.checks) if (!check.holds(value)) return false
  if (value === null || typeof value !== "object") return true
  if (isJsonObject(value)) {
    for (const key of node.required) if (!Object.hasOwn(value, key)) return false
    for (const [key, property] of node.properties) {
      if (!Object.hasOwn(value, key)) continue
      const one = value[key]
      if (one !== undefined && !fits(property, one)) return false
    }
    const { others } = node
    if (others === null) return true
    for (const [key, one] of Object.entries(value)) {
      if (node.properties.has(key)) continue
      if (others === "never" || !fits(others, one)) return false
    }
    return true
  }
  const { items } = node
  if (items === null) return true
  const elements: ReadonlyArray<Json> = value
  return items === "never" ? elements.length === 0 : elements.every((element) => fits(items, element))
}

/** Returns where a value does not fit a plan, at most `max` places. */
export const misfitsIn = (node: PlanNode, value: Json, max: number): ReadonlyArray<Misfit> => {
  const found: Array<Misfit> = []
  collect(node, value, [], found, max)
  return found
}

const collect = (
  node: PlanNode | "never",
  value: Json,
  path: Misfit["path"],
  found: Array<Misfit>,
  max: number,
): void => {
  const note = (clause: PlanClause, at: Misfit["path"], got: string) => {
    if (found.length < max) found.push({ path: at, clause, got })
  }
  if (node === "never") return note("additionalProperties", path, described(value))
  for (const { clause, holds } of node.checks) if (!holds(value)) note(clause, path, described(value))
  if (isJsonObject(value)) {
    for (const key of node.required)
      if (!Object.hasOwn(value, key)) note("required", [...path, key], "nothing")
    for (const [key, one] of Object.entries(value)) {
      if (found.length >= max) return
      const property = node.properties.get(key) ?? node.others
      if (property !== null) collect(property, one, [...path, key], found, max)
    }
  } else if (Array.isArray(value) && node.items !== null) {
    const elements: ReadonlyArray<Json> = value
    for (const [place, element] of elements.entries()) {
      if (found.length >= max) return
      collect(node.items, element, [...path, place], found, max)
    }
  }
}

/** Returns the type and the length of a value, such as `text(12)`. */
export const described = (value: Json): string => {
  if (value === null) return "null"
  if (typeof value === "string") return `text(${charactersIn(value)})`
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number"
  if (typeof value === "boolean") return "boolean"
  return Array.isArray(value) ? `list(${value.length})` : `object(${Object.keys(value).length})`
}
