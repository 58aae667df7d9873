import type { JsonObject } from "@inlethq/core/values/Json"
import type { CallType } from "@inlethq/wire/pipelines/CallType"
import { post, type Call } from "./Call.ts"
import type { Told } from "./Told.ts"
import { anonymousIdOf, bareText, objectIn } from "./trackV1Call.ts"

/** Writes an operation as a call to the Pipelines API. Returns null if that API has no such call. */
export const pipelinesCall = (told: Told): Call | null => {
  const { entity } = told.draft
  switch (entity["type"]) {
    case "person":
      return personCall(told, entity)
    case "object":
      return objectCall(told, entity)
    case "delivery":
      return reportCall(told, entity)
    default:
      return null
  }
}

const call = (type: CallType, body: JsonObject): Call => post("pipelines", `/v1/${type}`, body)

const personCall = (told: Told, entity: JsonObject): Call | null => {
  const { action, attributes = {}, name = null } = entity
  const common = { ...callerOf(entity), ...commonOf(told) }
  switch (action) {
    case "identify":
      return call("identify", { ...common, ...deviceOf(told), traits: traitsOf(told, entity) })
    case "event":
      return call("track", { ...common, ...deviceOf(told), event: name, properties: attributes })
    case "page":
    case "screen":
      return call(action, { ...common, name, properties: attributes })
    case "merge":
      return aliasCall(told, entity)
    case "add_device":
    case "delete_device":
      return deviceCall(told, entity, common)
    case "delete_relationships":
      return relationshipCall(entity, common)
    case "delete":
    case "suppress":
    case "unsuppress":
      return call("track", { ...common, event: erasingEvents[action], properties: {} })
    default:
      return null
  }
}

/** The semantic events that delete and suppress people (pipelines-api §6.1). */
const erasingEvents = {
  delete: "User Deleted",
  suppress: "User Suppressed",
  unsuppress: "User Unsuppressed",
} as const

/** Names the person or the visitor. An `id`, an email and a `svc_id` are told apart by how they look. */
const callerOf = (entity: JsonObject): JsonObject => {
  const userId = bareText(entity)
  const anonymousId = anonymousIdOf(entity)
  return { ...(userId !== null && { userId }), ...(anonymousId !== null && { anonymousId }) }
}

const commonOf = ({ id, origin, time, unread }: Told): JsonObject => ({
  ...origin,
  ...(time !== null && { timestamp: time }),
  ...unread,
  ...(id !== null && { messageId: id }),
})

/** A time that orders values and is not that of the call stands among the traits. */
const orderOf = ({ orderTime }: Told): JsonObject => (orderTime === null ? {} : { _timestamp: orderTime })

const traitsOf = (told: Told, { _update, attributes }: JsonObject): JsonObject => ({
  ...objectIn(attributes),
  ...(_update !== undefined && { _update }),
  ...orderOf(told),
})

/**
 * A device stands in the context of the call. If the entry does not have the context, it has what the call changed of the
 * device, whose only attribute is the version of the app.
 */
const deviceOf = ({ at, device, origin }: Told): JsonObject => {
  const { attributes, last_used, platform, token } = objectIn(device?.entity["device"])
  const context = objectIn(origin["context"])
  if (token === undefined || "device" in context) return {}
  const { app_version } = objectIn(attributes)
  return {
    context: {
      ...context,
      device: {
        token,
        ...(platform !== undefined && { type: platform }),
        ...(last_used !== undefined && last_used !== at && { last_used }),
      },
      ...(app_version !== undefined && { app: { version: app_version } }),
    },
  }
}

const aliasCall = (told: Told, { primary, secondary }: JsonObject): Call | null => {
  const userId = bareText({ identifiers: objectIn(primary) })
  const previousId = bareText({ identifiers: objectIn(secondary) })
  return userId === null || previousId === null
    ? null
    : call("alias", { userId, previousId, ...commonOf(told) })
}

const deviceCall = ({ at }: Told, { action, device }: JsonObject, common: JsonObject): Call => {
  const { last_used, platform, ...others } = objectIn(device)
  const isRemoved = action === "delete_device"
  return call("track", {
    ...common,
    event: isRemoved ? "Device Deleted" : "Device Created or Updated",
    properties: {
      device: {
        ...others,
        ...(platform !== undefined && { type: platform }),
        ...(last_used !== undefined && last_used !== at && { last_used }),
      },
    },
  })
}

const relationshipCall = ({ svc_relationships }: JsonObject, common: JsonObject): Call | null => {
  const [related, ...others] = Array.isArray(svc_relationships) ? svc_relationships : []
  const object = objectNamed(objectIn(objectIn(related)["identifiers"]))
  return object === null || others.length > 0
    ? null
    : call("track", { ...common, event: "Relationship Deleted", properties: object })
}

const objectNamed = ({ object_id, object_type_id }: JsonObject): JsonObject | null =>
  object_id === undefined || object_type_id === undefined
    ? null
    : { objectId: object_id, objectTypeId: object_type_id }

const objectCall = (told: Told, entity: JsonObject): Call | null => {
  const { action, attributes, identifiers, svc_relationships } = entity
  const object = objectNamed(objectIn(identifiers))
  if (object === null) return null
  const { objectId: groupId = null, objectTypeId = null } = object
  if (action === "delete") {
    return call("track", { event: "Object Deleted", properties: object, ...commonOf(told) })
  }
  if (action !== "identify" && action !== "identify_anonymous") return null
  const [related, ...others] = Array.isArray(svc_relationships) ? svc_relationships : []
  if (others.length > 0) return null
  const relationship = objectIn(objectIn(related)["relationship_attributes"])
  return call("group", {
    ...callerOf({ identifiers: objectIn(objectIn(related)["identifiers"]) }),
    ...commonOf(told),
    groupId,
    objectTypeId,
    traits: {
      // Attributes of any name: among the traits themselves, some names have a meaning.
      objectAttributes: objectIn(attributes),
      ...(Object.keys(relationship).length > 0 && { relationship_traits: relationship }),
      ...orderOf(told),
    },
  })
}

const reportCall = (told: Told, { attributes, identifiers, name = null }: JsonObject): Call => {
  const { device_token, href, reason, recipient } = objectIn(attributes)
  const { id = null } = objectIn(identifiers)
  const { action_name, action_value } = told.metadata
  return call("track", {
    event: "Report Delivery Event",
    properties: {
      deliveryId: id,
      metric: name,
      ...(recipient !== undefined && { recipient }),
      ...(reason !== undefined && { reason }),
      ...(href !== undefined && { href }),
      ...(device_token !== undefined && { deviceToken: device_token }),
      ...(action_name !== null && { actionName: action_name }),
      ...(action_value !== null && { actionValue: action_value }),
    },
    ...commonOf(told),
  })
}
