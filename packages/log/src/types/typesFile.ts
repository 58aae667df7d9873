import type { EventTypeShapeDocument } from "@inlethq/contract/types/EventTypes"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { literalKey, type Literals } from "./literalsIn.ts"
import { pathText } from "./shownPaths.ts"
import { typescriptOf } from "./typescriptOf.ts"

/** A name that was seen, and the texts of its paths that may be told. */
export interface SeenType {
  readonly document: EventTypeShapeDocument
  readonly literals: Literals
}

/** The places of a file of types: what is summarized under names, and what is summarized as a whole. */
const groups = [
  { key: "event", interface: "Events" },
  { key: "page", interface: "Pages" },
  { key: "screen", interface: "Screens" },
  { key: "object", interface: "ObjectAttributes" },
] as const

const objectPrefix = "object:"

/** Returns one JSON Schema with the schema of every name: `properties.event.properties["Order Placed"]`. */
export const typesSchema = (types: ReadonlyArray<SeenType>): JsonObject => {
  const placed = types.map((seen) => ({ ...placeOf(seen.document), schema: schemaOf(seen) }))
  const inGroup = (wanted: string) =>
    Object.fromEntries(
      placed.flatMap(({ group, name, schema }) =>
        group === wanted && name !== null ? [[name, schema]] : [],
      ),
    )
  const person = placed.find(({ group }) => group === "person")
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What Inlet has seen",
    type: "object",
    properties: {
      ...Object.fromEntries(groups.map(({ key }) => [key, { type: "object", properties: inGroup(key) }])),
      ...(person !== undefined && { person: person.schema }),
    },
  }
}

/** Returns the place of a name in a file of types. */
export const placeOf = ({
  kind,
  name,
}: Pick<EventTypeShapeDocument, "kind" | "name">): {
  readonly group: string
  readonly name: string | null
} => {
  if (kind === "person") return { group: "person", name: null }
  return kind.startsWith(objectPrefix)
    ? { group: "object", name: kind.slice(objectPrefix.length) }
    : { group: kind, name }
}

const schemaOf = ({ document, literals }: SeenType): Json => {
  const distinct = new Map(document.shape.map((one) => [one.path, one.distinct]))
  return withLiterals(document.json_schema, [], literals, distinct)
}

/** Adds the texts that a text may be. A path that has had more texts than those of the newest events stays a text. */
const withLiterals = (
  schema: Json,
  segments: ReadonlyArray<string>,
  literals: Literals,
  distinct: ReadonlyMap<string, number>,
): Json => {
  if (!isJsonObject(schema)) return schema
  const { properties, type } = schema
  const isText =
    type === "string" || (Array.isArray(type) && type.every((one) => one === "string" || one === "null"))
  const texts = isText ? literals.get(literalKey(segments)) : undefined
  if (texts !== undefined && (distinct.get(pathText(segments)) ?? 0) <= texts.length + 1) {
    return { enum: [...texts, ...(Array.isArray(type) ? [null] : [])] }
  }
  if (!isJsonObject(properties)) return schema
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [
        key,
        withLiterals(value, [...segments, key], literals, distinct),
      ]),
    ),
  }
}

/** Returns a module of TypeScript from a JSON Schema of `typesSchema`. */
export const typescriptFile = (schema: JsonObject): string => {
  const all = isJsonObject(schema["properties"]) ? schema["properties"] : {}
  const interfaces = groups.map(({ interface: name, key }) => {
    const group = all[key]
    return `export interface ${name} ${bodyOf(group ?? {})}\n`
  })
  const person = all["person"]
  const attributes = person === undefined ? [] : [`export type PersonAttributes = ${typescriptOf(person)}\n`]
  return [
    "// Made by `inlet types generate` from what was seen. Generate it again instead of changing it.\n",
    ...interfaces,
    ...attributes,
  ].join("\n")
}

/** Every name that was seen is a key. */
const bodyOf = (group: Json): string => {
  const properties = isJsonObject(group) && isJsonObject(group["properties"]) ? group["properties"] : {}
  const lines = Object.entries(properties).map(
    ([name, schema]) => `  ${JSON.stringify(name)}: ${typescriptOf(schema, "  ")}`,
  )
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n}`
}
