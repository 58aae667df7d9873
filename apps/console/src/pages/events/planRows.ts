import type { PlanDocument } from "@inlethq/contract/workspaces/Plans"
import { counted } from "../../shared/values/figures.ts"
import { isRecord } from "../../shared/values/isRecord.ts"

type Json = PlanDocument["schema"]

type JsonObject = { readonly [key: string]: Json }

/** A property of a plan as a row of a tree. */
interface PlanRow {
  readonly path: string
  /** The last key of the path, or `[]` for the elements of a list. */
  readonly label: string
  readonly depth: number
  /** Empty if any type fits. */
  readonly types: string
  readonly isRequired: boolean
  /** The conditions apart from the type, such as "at least 0". */
  readonly conditions: ReadonlyArray<string>
}

/** Returns the properties of a plan, each before what is in it. */
export const planRows = (schema: Json): ReadonlyArray<PlanRow> =>
  isJsonObject(schema) ? rowsIn(schema, "", 0) : []

const rowsIn = (schema: JsonObject, path: string, depth: number): ReadonlyArray<PlanRow> => {
  const properties = objectAt(schema, "properties")
  const required = textsAt(schema, "required")
  const named = Object.entries(properties).flatMap(([label, inner]) =>
    rowsOf(inner, { path: joined(path, label), label, depth, isRequired: required.includes(label) }),
  )
  const unnamed = required
    .filter((key) => !Object.hasOwn(properties, key))
    .flatMap((label) => rowsOf(true, { path: joined(path, label), label, depth, isRequired: true }))
  const { items } = schema
  const elements =
    items === undefined || items === true
      ? []
      : rowsOf(items, { path: `${path}[]`, label: "[]", depth, isRequired: false })
  return [...named, ...unnamed, ...elements]
}

const rowsOf = (
  schema: Json,
  at: Pick<PlanRow, "path" | "label" | "depth" | "isRequired">,
): ReadonlyArray<PlanRow> => {
  if (!isJsonObject(schema)) {
    return [{ ...at, types: "", conditions: schema === false ? ["not allowed"] : [] }]
  }
  const { type } = schema
  const types = typeof type === "string" ? type : textsAt(schema, "type").join(", ")
  const conditions = conditionsOf(schema)
  return [{ ...at, types, conditions }, ...rowsIn(schema, at.path, at.depth + 1)]
}

const joined = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

/** Returns what a schema says beside types and properties, in words. */
export const conditionsOf = (schema: Json): ReadonlyArray<string> =>
  Object.entries(isJsonObject(schema) ? schema : {}).flatMap(([keyword, value]) => {
    switch (keyword) {
      case "enum":
        return Array.isArray(value) ? [`one of ${value.map((one) => JSON.stringify(one)).join(", ")}`] : []
      case "const":
        return [`only ${JSON.stringify(value)}`]
      case "minimum":
        return [`at least ${JSON.stringify(value)}`]
      case "maximum":
        return [`at most ${JSON.stringify(value)}`]
      case "minLength":
        return [`at least ${sized(value, "character")}`]
      case "maxLength":
        return [`at most ${sized(value, "character")}`]
      case "minItems":
        return [`at least ${sized(value, "element")}`]
      case "maxItems":
        return [`at most ${sized(value, "element")}`]
      case "format":
        return typeof value === "string" ? [`format ${value}`] : []
      case "additionalProperties":
        return value === false
          ? ["no other properties"]
          : isJsonObject(value)
            ? ["others are checked too"]
            : []
      default:
        return []
    }
  })

const sized = (value: Json, one: string): string => counted(Number(value), one, `${one}s`)

const isJsonObject = (value: Json | undefined): value is JsonObject => isRecord(value)

const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const value = schema[key]
  return isJsonObject(value) ? value : {}
}

const textsAt = (schema: JsonObject, key: string): ReadonlyArray<string> => {
  const value = schema[key]
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : []
}
