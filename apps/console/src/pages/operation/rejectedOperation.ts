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
  const identifiers = namedBy(decoded(identifier))
  return isEvent === undefined
    ? { type: "person", action: "identify", identifiers, attributes: data }
    : eventOf(identifiers, data)
}

/**
 * Names a person as the ingestion APIs read an identifier without a kind, in a path or a `userId` (contract §6): by a permanent
 * id, by an email, or else by an id.
 */
const namedBy = (text: string): JsonObject => {
  if (/^(?:svc|cio)_/.test(text)) return { svc_id: text.slice(4) }
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? { email: text } : { id: text }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const eventOf = (
  identifiers: JsonObject,
  { anonymous_id, data, id, name = "", timestamp, type }: JsonObject,
): JsonObject => ({
  type: "person",
  action: type === "page" || type === "screen" ? type : "event",
  ...given({ id, timestamp }),
  identifiers: { ...given({ anonymous_id }), ...identifiers },
  name,
  attributes: objectOf(data),
})

/** Returns the fields that a call has. */
const given = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

const fromPipelines = ({ kind }: ActivityDocument, data: JsonObject): JsonObject | null => {
  const { anonymousId, event, name, originalTimestamp, properties, timestamp, traits, userId } = data
  const isVisitor = (userId ?? "") === "" && typeof anonymousId === "string"
  const named = typeof userId === "string" ? namedBy(userId) : { id: userId ?? "" }
  const identifiers = { ...given({ anonymous_id: anonymousId }), ...(isVisitor ? {} : named) }
  const time = given({ timestamp: originalTimestamp ?? timestamp })
  const person = { type: "person", action: kind, ...time, identifiers }
  if (kind === "identify") return { ...person, attributes: objectOf(traits) }
  if (kind === "page" || kind === "screen") {
    return { ...person, name: name ?? "", attributes: objectOf(properties) }
  }
  return kind === "event" ? { ...person, name: event ?? "", attributes: objectOf(properties) } : null
}
