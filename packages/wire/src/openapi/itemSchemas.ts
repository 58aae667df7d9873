import { defaultLimits, foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { deliveryMetrics } from "../decoding/delivery.ts"
import {
  attributes,
  branded,
  callerIdentifiers,
  lenientTime,
  objectIdentifiers,
  objectOf,
  oneOfValues,
  optionalObject,
  orAbsent,
  personIdentifiers,
  relationshipsTo,
  removedRelationshipsTo,
  requiredText,
  spellings,
  text,
  visitorIdentifiers,
  type JsonSchema,
} from "./fieldSchemas.ts"
import {
  deviceOf,
  eventFields,
  hasName,
  hasViewName,
  mergeParties,
  personAttributes,
} from "./trackSchemas.ts"

/*
 * JSON schemas of the items of Track v2: the body of `/entity`, and the elements of a batch.
 */

type Fields = Readonly<Record<string, JsonSchema>>

/** One kind of item. `more` has further keywords of its schema. */
interface Item {
  readonly fields: Fields
  readonly required?: ReadonlyArray<string>
  readonly more?: ReadonlyArray<JsonSchema>
}

/** Demands identifiers, or an anonymous id beside missing identifiers. */
const hasCaller: JsonSchema = {
  anyOf: [
    { required: ["identifiers"], properties: { identifiers: { type: "object" } } },
    {
      required: ["anonymous_id"],
      properties: { anonymous_id: requiredText(), identifiers: { type: "null" } },
    },
  ],
}

const caller: Fields = {
  identifiers: { ...callerIdentifiers, type: ["object", "null"] },
  anonymous_id: text(defaultLimits.personIdBytesMax),
}

const person: Item = { fields: { identifiers: personIdentifiers }, required: ["identifiers"] }

const event = (named: JsonSchema | null): Item => ({
  fields: { ...caller, ...eventFields, attributes: optionalObject, data: optionalObject },
  more: named === null ? [hasCaller] : [hasCaller, named],
})

const named = event(hasName)
const view = event(hasViewName(["attributes", "data"]))

const hasRelationships: JsonSchema = {
  anyOf: spellings("svc_relationships").map((key) => ({
    required: [key],
    properties: { [key]: { type: "array" } },
  })),
}

const related = (relationships: JsonSchema): Fields => ({
  ...branded("svc_relationships", orAbsent("array", relationships)),
  _timestamp: lenientTime,
})

const personRelationships = (relationships: JsonSchema): Item => ({
  fields: { ...caller, ...related(relationships) },
  more: [hasCaller, hasRelationships],
})

const objectFields: Fields = { identifiers: objectIdentifiers }

const objectRelationships = (relationships: JsonSchema): Item => ({
  fields: { ...objectFields, ...related(relationships) },
  required: ["identifiers"],
  more: [hasRelationships],
})

const identifyObject = (members: JsonSchema): Item => ({
  fields: { ...objectFields, attributes, ...related(relationshipsTo(members)) },
  required: ["identifiers"],
})

const device = (schema: JsonSchema): Item => ({
  fields: { ...caller, device: schema },
  required: ["device"],
  more: [hasCaller],
})

/** The kinds of items by type, then by action. A test compares the keys with those of the decoders. */
const items: Readonly<Record<string, Readonly<Record<string, Item>>>> = {
  person: {
    identify: {
      fields: {
        ...caller,
        attributes: personAttributes,
        ...related(relationshipsTo(objectIdentifiers)),
        _update: { description: "If true, nobody is created." },
      },
      more: [hasCaller],
    },
    delete: person,
    event: named,
    page: view,
    screen: view,
    viewed_content: event(null),
    clicked_content: event(null),
    add_relationships: personRelationships(relationshipsTo(objectIdentifiers)),
    delete_relationships: personRelationships(removedRelationshipsTo(objectIdentifiers)),
    add_device: device(deviceOf("token")),
    delete_device: device(objectOf({ token: requiredText(foreignIdBytesMax) }, ["token"])),
    merge: { fields: mergeParties, required: ["primary", "secondary"] },
    suppress: person,
    unsuppress: person,
  },
  object: {
    identify: identifyObject(personIdentifiers),
    identify_anonymous: identifyObject(visitorIdentifiers),
    delete: { fields: objectFields, required: ["identifiers"] },
    add_relationships: objectRelationships(relationshipsTo(personIdentifiers)),
    delete_relationships: objectRelationships(removedRelationshipsTo(personIdentifiers)),
  },
  delivery: {
    event: {
      fields: {
        identifiers: objectOf({ id: requiredText(foreignIdBytesMax) }, ["id"]),
        name: oneOfValues(deliveryMetrics),
        timestamp: lenientTime,
        attributes: orAbsent("object", {
          properties: {
            device_token: text(foreignIdBytesMax),
            recipient: text(),
            reason: text(),
            href: text(),
          },
        }),
      },
      required: ["identifiers", "name"],
    },
  },
}

const schemaOf = (type: string, action: string, { fields, more = [], required = [] }: Item): JsonSchema => ({
  ...objectOf({ type: { const: type }, action: { const: action }, ...fields }, [
    "type",
    "action",
    ...required,
  ]),
  ...(more.length > 0 && { allOf: more }),
})

/** Returns the name of an item in the document, such as `PersonAddDevice`. */
const nameOf = (type: string, action: string): string =>
  [type, ...action.split("_")].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")

/** The schemas of items by their names in the document, each with its type and action. */
export const itemSchemas = Object.entries(items).flatMap(([type, actions]) =>
  Object.entries(actions).map(([action, item]) => ({
    type,
    action,
    name: nameOf(type, action),
    schema: schemaOf(type, action, item),
  })),
)

/** The schema of an item of any type and action. */
export const anyItem: JsonSchema = {
  oneOf: itemSchemas.map(({ name }) => ({ $ref: `#/components/schemas/${name}` })),
}

export const batchBody: JsonSchema = objectOf({ batch: { type: "array", items: anyItem } }, ["batch"])
