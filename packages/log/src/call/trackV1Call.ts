import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { post, segmentOf, type Call } from "./Call.ts"
import type { Told } from "./Told.ts"

const base = "/api/v1"

/** Writes an operation as a call to the Track API v1. Returns null if that API has no such call. */
export const trackV1Call = (told: Told): Call | null => {
  const { entity } = told.draft
  switch (entity["type"]) {
    case "person":
      return personCall(told, entity)
    case "form":
      return formCall(entity)
    case "segment":
      return segmentCall(entity)
    case "delivery":
      return reportCall(told, entity)
    default:
      return null
  }
}

const personCall = (told: Told, entity: JsonObject): Call | null => {
  const { action, primary = null, secondary = null } = entity
  if (action === "merge") return post("track-v1", `${base}/merge_customers`, { primary, secondary })
  const isEvent = action === "event" || action === "page" || action === "screen"
  const named = bareText(entity)
  if (named === null) return isEvent ? post("track-v1", `${base}/events`, eventBody(told, entity)) : null
  const customer = `${base}/customers/${segmentOf(named)}`
  if (isEvent) return post("track-v1", `${customer}/events`, eventBody(told, entity))
  switch (action) {
    case "identify":
      return { protocol: "track-v1", method: "PUT", path: customer, body: identifyBody(told, entity) }
    case "add_device": {
      // The time of such a call is always its receipt.
      const { token = null, ...device } = objectIn(entity["device"])
      const body = { device: { id: token, ...device } }
      return { protocol: "track-v1", method: "PUT", path: `${customer}/devices`, body }
    }
    case "delete_device": {
      const { token } = objectIn(entity["device"])
      const path = `${customer}/devices/${segmentOf(String(token))}`
      return { protocol: "track-v1", method: "DELETE", path, body: null }
    }
    default:
      return null
  }
}

/**
 * Returns the identifier of an entity as a path or a `userId` names a person, without its kind. Returns null for a visitor,
 * and for somebody who is named by nothing.
 */
export const bareText = ({ identifiers }: JsonObject): string | null => {
  const { email, id, svc_id } = objectIn(identifiers)
  if (typeof svc_id === "string") return `svc_${svc_id}`
  if (typeof id === "string") return id
  return typeof email === "string" ? email : null
}

export const anonymousIdOf = ({ identifiers }: JsonObject): string | null => {
  const { anonymous_id } = objectIn(identifiers)
  return typeof anonymous_id === "string" ? anonymous_id : null
}

const identifyBody = ({ time }: Told, { _update, attributes }: JsonObject): JsonObject => ({
  ...objectIn(attributes),
  ...(_update !== undefined && { _update }),
  ...(time !== null && { _timestamp: time }),
})

const ownFields = new Set(["type", "action", "identifiers", "attributes"])

const eventBody = ({ id, time, unread }: Told, entity: JsonObject): JsonObject => {
  const { action, attributes = {} } = entity
  const anonymousId = anonymousIdOf(entity)
  return {
    ...Object.fromEntries(Object.entries(entity).filter(([field]) => !ownFields.has(field))),
    ...(action !== "event" && action !== undefined && { type: action }),
    ...(id !== null && { id }),
    ...(anonymousId !== null && { anonymous_id: anonymousId }),
    ...(time !== null && { timestamp: time }),
    ...unread,
    data: attributes,
  }
}

const formCall = ({ action, data = null, form_id }: JsonObject): Call | null =>
  action === "submit"
    ? post("track-v1", `${base}/forms/${segmentOf(String(form_id))}/submit`, { data })
    : null

const segmentCall = ({ action, id_type, ids = [], segment_id }: JsonObject): Call =>
  post(
    "track-v1",
    `${base}/segments/${String(segment_id)}/${action === "add" ? "add_customers" : "remove_customers"}?id_type=${String(id_type)}`,
    { ids },
  )

const reportCall = (
  { metadata, time, unread }: Told,
  { attributes, identifiers, name = null }: JsonObject,
): Call => {
  const { device_token, href, reason, recipient } = objectIn(attributes)
  const { id = null } = objectIn(identifiers)
  const { action_name, action_value } = metadata
  const isClicked = action_name !== null || action_value !== null
  const timestamp = { ...(time !== null && { timestamp: time }), ...unread }
  if (device_token !== undefined) {
    return post("track-v1", `${base}/push/events`, {
      delivery_id: id,
      event: name,
      device_id: device_token,
      ...timestamp,
    })
  }
  return post("track-v1", `${base}/metrics`, {
    delivery_id: id,
    metric: name,
    ...(recipient !== undefined && { recipient }),
    ...(reason !== undefined && { reason }),
    ...(href !== undefined && { href }),
    ...(isClicked && { metadata }),
    ...timestamp,
  })
}

export const objectIn = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {}
