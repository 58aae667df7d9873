import type { Json, JsonObject } from "@inlethq/core/values/Json"
import { isoTimePattern } from "@inlethq/core/values/Timestamp"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import type { BrandedName } from "../texts/brandedNames.ts"
import { defaultBrand } from "../decoding/Brand.ts"

/*
 * JSON schemas of the fields of requests. The limits are the defaults of a workspace. They count bytes of UTF-8, and
 * `maxLength` counts characters, so a schema accepts some texts that the server refuses, and never the reverse.
 */

/** A JSON schema of version 2020-12. */
export type JsonSchema = JsonObject

/** Integers beyond this number lose digits when they are parsed, so they are refused as texts. */
export const exact = { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

const upTo = (lengthMax: number): JsonSchema => (lengthMax === Infinity ? {} : { maxLength: lengthMax })

/** The schema of an optional text. Numbers become text, and null and "" count as missing. */
export const text = (lengthMax = Infinity): JsonSchema => ({
  type: ["string", "number", "null"],
  ...upTo(lengthMax),
  ...exact,
})

/** The schema of a required text. Numbers become text. */
export const requiredText = (lengthMax = Infinity): JsonSchema => ({
  type: ["string", "number"],
  minLength: 1,
  ...upTo(lengthMax),
  ...exact,
})

/** An empty array counts as an empty object. */
export const optionalObject: JsonSchema = { type: ["object", "array", "null"], maxItems: 0 }

export const oneOfValues = (values: ReadonlyArray<Json>): JsonSchema => ({ enum: values })

export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: ReadonlyArray<string> = [],
): JsonSchema => ({ type: "object", properties, ...(required.length > 0 && { required }) })

/** The schema of a time in ISO 8601: a day, or a day and a time. A time without a zone is UTC. */
export const isoTime: JsonSchema = { type: ["string", "null"], pattern: isoTimePattern }

/** The schema of a time that is left out if it cannot be read, so any value is accepted. */
export const lenientTime: JsonSchema = {
  description:
    "Unix seconds, also as text, or ISO 8601. Numbers from 1e11 on are milliseconds, from 1e14 on microseconds, and from 1e17 on nanoseconds. A value that is no time, or is more than a day ahead, is left out.",
}

/** Returns the properties for a name with a brand prefix, in all accepted spellings. */
export const branded = (name: BrandedName, schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    spellings(name).map((spelling) => [
      spelling,
      spelling === name ? schema : { ...schema, description: `Another spelling of \`${name}\`.` },
    ]),
  )

export const spellings = (name: BrandedName): ReadonlyArray<string> =>
  defaultBrand.spellings.get(name) ?? [name]

/** Matches a text that is empty, or an email: no spaces, and an `@` with something on both sides. */
const emailOrNothing = String.raw`^$|^\s*[^\s][^\s]*@[^\s]+\s*$`

/** The schema of an optional identifier. */
const identifier = text(defaultLimits.personIdBytesMax)

const presentIdentifier: JsonSchema = { type: ["string", "number"], minLength: 1 }

/** Demands that one of the keys has a value that is neither null nor "". */
export const anyPresent = (keys: ReadonlyArray<string>): JsonSchema => ({
  anyOf: keys.map((key) => ({ required: [key], properties: { [key]: presentIdentifier } })),
})

const personKeys = ["id", "email", ...spellings("svc_id")]

const identifierProperties: Readonly<Record<string, JsonSchema>> = {
  id: identifier,
  email: {
    type: ["string", "null"],
    maxLength: defaultLimits.attributeValueBytesMax,
    pattern: emailOrNothing,
  },
  ...branded("svc_id", identifier),
  anonymous_id: identifier,
}

/** The schema of the identifiers of a person. The first of `svc_id`, `id` and `email` is used. */
export const personIdentifiers: JsonSchema = {
  ...objectOf(identifierProperties),
  ...anyPresent(personKeys),
}

/** The schema of the identifiers of a person or of an anonymous visitor. */
export const callerIdentifiers: JsonSchema = {
  ...objectOf(identifierProperties),
  ...anyPresent([...personKeys, "anonymous_id"]),
}

export const visitorIdentifiers: JsonSchema = {
  ...objectOf({ anonymous_id: requiredText(defaultLimits.personIdBytesMax) }, ["anonymous_id"]),
}

/** The schema of a person with exactly one identifier. */
export const oneIdentifier: JsonSchema = {
  ...objectOf({ ...identifierProperties, anonymous_id: { enum: ["", null] } }),
  oneOf: personKeys.map((key) => ({ required: [key], properties: { [key]: presentIdentifier } })),
}

/** The schema of the identifiers of an object. */
export const objectIdentifiers: JsonSchema = {
  ...objectOf({
    object_type_id: text(defaultLimits.objectIdBytesMax),
    object_id: text(defaultLimits.objectIdBytesMax),
    ...branded("svc_object_id", text()),
  }),
  ...anyPresent(["object_id", ...spellings("svc_object_id")]),
}

/** The schema of the value of an attribute. The limit also counts the JSON of other values. */
const attributeValue: JsonSchema = {
  maxLength: defaultLimits.attributeValueBytesMax,
  description: "Any JSON value. `null` and an empty text remove the attribute.",
}

const attributeName: JsonSchema = { maxLength: defaultLimits.attributeNameBytesMax }

/** The keywords of an object whose keys are attributes, apart from those in `properties`. */
export const attributesWith = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  properties,
  propertyNames: attributeName,
  additionalProperties: attributeValue,
})

/** Returns a schema that also accepts null and "", which count as missing. */
export const orAbsent = (type: "array" | "object", schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [...(type === "object" ? ["object", "array"] : [type]), "string", "null"],
  ...(type === "object" && { maxItems: 0 }),
  maxLength: 0,
})

/** The schema of the optional attributes of an object, a relationship or a device. */
export const attributes: JsonSchema = orAbsent("object", attributesWith({}))

/** Returns the schema of a list of relationships to add. */
export const relationshipsTo = (identifiers: JsonSchema): JsonSchema => ({
  type: "array",
  items: objectOf({ identifiers, relationship_attributes: attributes }, ["identifiers"]),
})

/** Returns the schema of a list of relationships to remove. Attributes in it are ignored. */
export const removedRelationshipsTo = (identifiers: JsonSchema): JsonSchema => ({
  type: "array",
  items: objectOf({ identifiers }, ["identifiers"]),
})

const changeBy = (action: string, relationships: JsonSchema): JsonSchema =>
  objectOf({ action: { const: action }, relationships }, ["action", "relationships"])

const noRelationships: JsonSchema = { enum: [null, "", []] }

/** The schema of relationships in the attributes of a v1 identify: an action with a list. */
export const relationshipChange: JsonSchema = {
  anyOf: [
    noRelationships,
    changeBy("add_relationships", relationshipsTo(objectIdentifiers)),
    changeBy("delete_relationships", removedRelationshipsTo(objectIdentifiers)),
  ],
}

/** The schema of relationships in the attributes of an item: a list to add, or an action with a list. */
export const relationshipsOrChange: JsonSchema = {
  anyOf: [relationshipsTo(objectIdentifiers), relationshipChange],
}
