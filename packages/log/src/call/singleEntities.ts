import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { objectIn } from "./trackV1Call.ts"

/**
 * Divides an entity into those that each relate one person to one object, because a call of the Pipelines API cannot say more. An
 * entity without relationships stays whole.
 */
export const singleEntities = (entity: JsonObject): ReadonlyArray<JsonObject> => {
  switch (entity["type"]) {
    case "person":
      return ofPerson(entity)
    case "object":
      return ofObject(entity)
    default:
      return [entity]
  }
}

const ofPerson = (entity: JsonObject): ReadonlyArray<JsonObject> => {
  const { action, attributes, identifiers = {}, svc_relationships } = entity
  switch (action) {
    case "add_relationships":
    case "delete_relationships":
      return relatedIn(svc_relationships).map((one) => related(action, identifiers, one))
    case "identify": {
      const { svc_relationships: given, ...own } = objectIn(attributes)
      if (given === undefined || !isJsonObject(given)) return [entity]
      const kind = given["action"] === "delete_relationships" ? "delete_relationships" : "add_relationships"
      const others = relatedIn(given["relationships"]).map((one) => related(kind, identifiers, one))
      return [{ ...entity, attributes: own }, ...others]
    }
    default:
      return [entity]
  }
}

/** Relating a person is a call about the object, and the end of it one about the person. */
const related = (
  action: "add_relationships" | "delete_relationships",
  person: Json,
  { identifiers = {}, relationship_attributes = {} }: JsonObject,
): JsonObject =>
  action === "delete_relationships"
    ? { type: "person", action, identifiers: person, svc_relationships: [{ identifiers }] }
    : {
        type: "object",
        action: "identify",
        identifiers,
        svc_relationships: [{ identifiers: person, relationship_attributes }],
      }

const ofObject = (entity: JsonObject): ReadonlyArray<JsonObject> => {
  const { action, identifiers = {}, svc_relationships, ...others } = entity
  const people = relatedIn(svc_relationships)
  if (action === "delete_relationships") {
    return people.map((one) => related(action, one["identifiers"] ?? {}, { identifiers }))
  }
  if (action === "delete" || people.length === 0) return [entity]
  const { attributes, ...rest } = others
  return people.map((one, index) => ({
    ...rest,
    action: "identify",
    identifiers,
    ...(index === 0 && attributes !== undefined && { attributes }),
    svc_relationships: [one],
  }))
}

const relatedIn = (value: Json | undefined): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
