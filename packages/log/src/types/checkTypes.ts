import type { EventTypeShapeDocument } from "@inlethq/contract/types/EventTypes"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { placeOf } from "./typesFile.ts"
import { pathText } from "./shownPaths.ts"

/** A difference between what was seen and a baseline. */
export interface TypeFinding {
  readonly kind: string
  readonly name: string
  readonly path: string | null
  readonly change: "new_name" | "widened_type" | "fell_away"
  readonly summary: string
}

/**
 * Compares what was seen with a baseline that `typesSchema` made: names that are new, paths with another type, and paths that
 * are required in the baseline and that nothing has had since a time, although the name has come since.
 */
export const checkTypes = (
  baseline: Json,
  types: ReadonlyArray<EventTypeShapeDocument>,
  since: string,
): ReadonlyArray<TypeFinding> =>
  types.flatMap((document) => {
    const { kind, name } = document
    const known = schemaIn(baseline, document)
    if (known === undefined) {
      return [
        { kind, name, path: null, change: "new_name", summary: `${kind} ${name} is not in the baseline` },
      ]
    }
    return [
      ...widenedBelow(document, known, document.json_schema, []),
      ...(document.last.at >= since ? fallenBelow(document, known, [], since) : []),
    ]
  })

const schemaIn = (baseline: Json, document: EventTypeShapeDocument): JsonObject | undefined => {
  const { group, name } = placeOf(document)
  const found = propertiesOf(baseline)[group]
  const schema = name === null ? found : propertiesOf(found)[name]
  return isJsonObject(schema) ? schema : undefined
}

const propertiesOf = (schema: Json | undefined): JsonObject => {
  const properties =
    isJsonObject(schema) && Object.hasOwn(schema, "properties") ? schema["properties"] : undefined
  return isJsonObject(properties) ? properties : {}
}

/** An enumeration is of texts, or of null. */
const typesOf = ({ enum: literals, type }: JsonObject): ReadonlyArray<string> => {
  if (Array.isArray(literals)) return literals.map((one) => (one === null ? "null" : "string"))
  return typeof type === "string" ? [type] : Array.isArray(type) ? type.map(String) : []
}

const widenedBelow = (
  { kind, name }: Pick<EventTypeShapeDocument, "kind" | "name">,
  known: JsonObject,
  seen: Json | undefined,
  segments: ReadonlyArray<string>,
): ReadonlyArray<TypeFinding> => {
  if (!isJsonObject(seen)) return []
  const before = typesOf(known)
  const isKnown = (type: string) => before.includes(type) || (type === "integer" && before.includes("number"))
  const added = typesOf(seen).filter((type) => !isKnown(type))
  const path = pathText(segments)
  const here: ReadonlyArray<TypeFinding> = added.map((type) => ({
    kind,
    name,
    path,
    change: "widened_type",
    summary: `${kind} ${name}: ${path} is ${type}, and was ${before.join(" or ")}`,
  }))
  const below = Object.entries(propertiesOf(known)).flatMap(([key, inner]) =>
    isJsonObject(inner)
      ? widenedBelow({ kind, name }, inner, propertiesOf(seen)[key], [...segments, key])
      : [],
  )
  return [...here, ...below]
}

const fallenBelow = (
  document: EventTypeShapeDocument,
  known: JsonObject,
  segments: ReadonlyArray<string>,
  since: string,
): ReadonlyArray<TypeFinding> => {
  const required = Array.isArray(known["required"]) ? known["required"].map(String) : []
  return required.flatMap((key) => {
    const path = pathText([...segments, key])
    const last = document.shape.find((one) => one.path === path)?.last.at
    const { kind, name } = document
    if (last === undefined || last < since) {
      const summary = `${kind} ${name}: ${path} was always there, and nothing has had it since ${since}`
      return [{ kind, name, path, change: "fell_away" as const, summary }]
    }
    const inner = propertiesOf(known)[key]
    return isJsonObject(inner) ? fallenBelow(document, inner, [...segments, key], since) : []
  })
}
