import type { Json, JsonObject } from "@inlethq/core/values/Json"
import type { PathSummary } from "./PathSummary.ts"
import { anyKey, type ShapeSummary } from "./ShapeSummary.ts"
import { shownChildren } from "./shownPaths.ts"
import { valueTypes, type ValueFormat } from "./valueTypes.ts"

/** The formats that JSON Schema names. */
const schemaFormats: ReadonlyArray<ValueFormat> = ["date-time", "date", "email", "uri", "uuid"]

/** Returns a JSON Schema (2020-12) that accepts the data of all entries of a name. */
export const jsonSchemaOf = (shape: ShapeSummary): JsonObject => schemaOf(shape.root, shape, true)

/** `hasPresence` is false below lists and below keys that are not told apart, where nobody counted what is always there. */
const schemaOf = (path: PathSummary, shape: ShapeSummary, hasPresence: boolean): JsonObject => {
  const types = typesOf(path)
  const [only] = types
  return {
    ...(types.length > 0 && { type: types.length === 1 && only !== undefined ? only : types }),
    ...(types.includes("object") && objectKeywords(path, shape, hasPresence)),
    ...(types.includes("array") &&
      path.items !== null && {
        items: schemaOf(path.items, shape, false),
      }),
    ...formatOf(path),
  }
}

const objectKeywords = (path: PathSummary, shape: ShapeSummary, hasPresence: boolean): JsonObject => {
  const children = shownChildren(path)
  const schemas = children.map(([key, child]): readonly [string, JsonObject] => [
    key,
    schemaOf(child, shape, hasPresence && key !== anyKey),
  ])
  const named = schemas.filter(([key]) => key !== anyKey)
  const others = schemas.find(([key]) => key === anyKey)?.[1]
  const required = hasPresence ? children.filter(([key, child]) => isAlways(key, child, shape, path)) : []
  return {
    ...(named.length > 0 && { properties: Object.fromEntries(named) }),
    ...(required.length > 0 && { required: required.map(([key]) => key) }),
    // The keys behind `*` are not told apart, and others had no place, so what one of them may be is open.
    ...((others !== undefined || shape.unplaced > 0) && { additionalProperties: true }),
  }
}

/** Whether all objects at a path have had a key, from the first one on. */
const isAlways = (key: string, child: PathSummary, shape: ShapeSummary, parent: PathSummary): boolean => {
  if (key === anyKey) return false
  const objects = parent === shape.root ? shape.entries : (parent.types.get("object")?.count ?? 0)
  return child.count === objects
}

/** `number` includes `integer`. */
const typesOf = (path: PathSummary): ReadonlyArray<Json & string> =>
  valueTypes.filter((type) => path.types.has(type) && !(type === "integer" && path.types.has("number")))

/** A format is asserted, so it is named only if every value has it. */
const formatOf = ({ formats, plainTexts }: PathSummary): JsonObject => {
  const [format, ...others] = formats.keys()
  const isOnly = format !== undefined && others.length === 0 && plainTexts === 0
  return isOnly && schemaFormats.includes(format) ? { format } : {}
}
