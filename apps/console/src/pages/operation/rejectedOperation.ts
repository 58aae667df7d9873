import type { ActivityDocument } from "../../api/documents.ts"
import { isJsonObject, type JsonObject } from "./repeatedCall.ts"

/**
 * Returns a rejected call as an entity of the Track API v2, which the operator mends. What the call lacks stays empty.
 * Returns null if the log no longer has the call, or if no entity does the same.
 */
export const rejectedOperation = (entry: ActivityDocument): JsonObject | null => {
  const { data, source } = entry
  if (!isJsonObject(data)) return null
  switch (source) {
    case "track-v1":
      return fromTrackV1(entry, data)
    case "pipelines":
      return fromPipelines(entry, data)
    case "track-v2":
    case "csv":
    case "management":
    case "system":
      return typeof data["type"] === "string" && typeof data["action"] === "string" ? data : null
  }
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** The path of a call about a person: an update, or an event. */
const customerPath = /^\/api\/v1\/customers\/([^/]+)(\/events)?$/

const fromTrackV1 = ({ request }: ActivityDocument, data: JsonObject): JsonObject | null => {
  const path = request?.path ?? ""
  const [, identifier, isEvent] = customerPath.exec(path) ?? []
  if (identifier === undefined) {
    if (path !== "/api/v1/events") return null
    return eventOf({ anonymous_id: data["anonymous_id"] ?? "" }, data)
  }
  const identifiers = { id: decoded(identifier) }
  return isEvent === undefined
    ? { type: "person", action: "identify", identifiers, attributes: data }
    : eventOf(identifiers, data)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const eventOf = (identifiers: JsonObject, { data, name = "", type }: JsonObject): JsonObject => ({
  type: "person",
  action: type === "page" || type === "screen" ? type : "event",
  identifiers,
  name,
  attributes: objectOf(data),
})

const fromPipelines = ({ kind }: ActivityDocument, data: JsonObject): JsonObject | null => {
  const { anonymousId, event, name, properties, traits, userId } = data
  const hasVisitor = typeof anonymousId === "string" && (userId === undefined || userId === "")
  const identifiers = hasVisitor ? { anonymous_id: anonymousId } : { id: userId ?? "" }
  const person = { type: "person", action: kind, identifiers }
  if (kind === "identify") return { ...person, attributes: objectOf(traits) }
  if (kind === "page" || kind === "screen") {
    return { ...person, name: name ?? "", attributes: objectOf(properties) }
  }
  return kind === "event" ? { ...person, name: event ?? "", attributes: objectOf(properties) } : null
}
