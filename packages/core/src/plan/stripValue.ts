import { isJsonObject, setKey, type Json, type JsonObject } from "../values/Json.ts"
import { described, fits, type Misfit } from "./checkValue.ts"
import type { PlanClause, PlanNode } from "./PlanNode.ts"

/** A value that was taken out because it does not fit a plan. */
export interface Stripped extends Misfit {
  readonly value: Json
}

/** The most values that are taken out of the data of one event by themselves. What else does not fit goes without being listed. */
const strippedMax = 50

/** What is left of a value, or the clause that nothing of it fits. */
type Rest = { readonly left: Json } | { readonly clause: PlanClause }

/**
 * Takes the smallest properties out of data that do not fit a plan: a value, an element of a list, or an object that lacks
 * something which it must have. The data as a whole always stays. What fits is never taken out.
 */
export const stripValue = (
  node: PlanNode,
  data: Json,
): { readonly left: Json; readonly stripped: ReadonlyArray<Stripped> } => {
  if (fits(node, data)) return { left: data, stripped: [] }
  const stripped: Array<Stripped> = []
  return { left: contentsLeft(node, data, [], stripped), stripped }
}

const strip = (
  node: PlanNode | "never",
  value: Json,
  path: Misfit["path"],
  stripped: Array<Stripped>,
): Rest => {
  if (node === "never") return { clause: "additionalProperties" }
  if (fits(node, value)) return { left: value }
  const before = stripped.length
  const left = contentsLeft(node, value, path, stripped)
  const clause = clauseAgainst(node, left)
  if (clause === null) return { left }
  // What was taken out of it goes with it.
  stripped.length = before
  return { clause }
}

/** Takes out of an object or a list what does not fit. */
const contentsLeft = (node: PlanNode, value: Json, path: Misfit["path"], stripped: Array<Stripped>): Json => {
  const keep = (key: string | number, one: Json, inner: PlanNode | "never" | null): Rest => {
    if (inner === null) return { left: one }
    const rest = strip(inner, one, [...path, key], stripped)
    if ("clause" in rest && stripped.length < strippedMax) {
      stripped.push({ path: [...path, key], clause: rest.clause, got: described(one), value: one })
    }
    return rest
  }
  if (isJsonObject(value)) {
    const left: { [key: string]: Json } = {}
    for (const [key, one] of Object.entries(value)) {
      const rest = keep(key, one, node.properties.get(key) ?? node.others)
      if ("left" in rest) setKey(left, key, rest.left)
    }
    return left satisfies JsonObject
  }
  if (!Array.isArray(value) || node.items === null) return value
  const elements: ReadonlyArray<Json> = value
  const left: Array<Json> = []
  for (const [place, element] of elements.entries()) {
    const rest = keep(place, element, node.items)
    if ("left" in rest) left.push(rest.left)
  }
  return left
}

/** Returns the clause that a value itself violates, apart from what is in it. */
const clauseAgainst = (node: PlanNode, value: Json): PlanClause | null => {
  const failed = node.checks.find(({ holds }) => !holds(value))
  if (failed !== undefined) return failed.clause
  const isWhole = !isJsonObject(value) || node.required.every((key) => Object.hasOwn(value, key))
  return isWhole ? null : "required"
}
