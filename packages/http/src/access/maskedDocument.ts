import { isJsonObject, type Json } from "@inlethq/core/values/Json"

/** The number of hex digits of a digest by which a reader tells two masked identifiers apart. */
const digestDigits = 12

/** Fields whose value a client chose, or in which a person's values appear. Nothing inside of them is shown but its shape. */
const chosen = new Set([
  "attributes",
  "data",
  "changes",
  "context",
  "traits",
  "request",
  "call",
  "answer",
  "integrations",
  "subscription_preferences",
  "message_overrides",
  "geo",
  "value",
  "values",
  "lost",
  "tree",
  "last_seen",
])

/** Fields that identify a person, an object or a device. */
const identifiers = new Set([
  "id",
  "email",
  "anonymous_id",
  "anonymous_ids",
  "object_id",
  "recipient",
  "token",
  "phone",
])

/** Fields whose texts Inlet itself writes from a fixed set, or that only lead to a page or a document. */
const plain = new Set([
  "svc_id",
  "svc_object_id",
  "svc_ids",
  "operation_id",
  "webhook_id",
  "view_id",
  "forward_id",
  "destination_id",
  "key_id",
  "token_id",
  "form_id",
  "import_id",
  "erasure_id",
  "session_id",
  "audit_id",
  "event_id",
  "attempt_id",
  "object_type_id",
  "kind",
  "kinds",
  "outcome",
  "source",
  "rule",
  "code",
  "path",
  "mode",
  "clause",
  "got",
  "field",
  "status",
  "state",
  "change",
  "channel",
  "platform",
  "scope",
  "region",
  "version",
  "node_version",
  "type",
  "types",
  "next",
  "bot",
  "unanswered",
  "partly_searched",
])

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

type DigestOf = (text: string) => string

const maskedIdentifier = (text: string, digestOf: DigestOf): string => {
  const [first = ""] = text
  const at = text.lastIndexOf("@")
  const shown = at > 0 ? `${first}…${text.slice(at)}` : "…"
  return `${shown} (${digestOf(`masked:${text}`).slice(0, digestDigits)})`
}

const maskedText = (text: string): string => `(text of ${text.length} characters)`

/** Masks every text and number, because a phone number may be either. */
const shapeOf = (value: Json): Json => {
  if (typeof value === "string") return maskedText(value)
  if (typeof value === "number") return "(number)"
  if (Array.isArray(value)) return value.map(shapeOf)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}

/** A clause of the contract has nothing of a person. */
const isClause = (value: Json): boolean =>
  isJsonObject(value) && typeof value["rule"] === "string" && "title" in value && "url" in value

/**
 * Returns a document of the management API without what identifies a person and without free text: identifiers become a hint and a digest, which
 * is the same for the same identifier, and what clients sent keeps only its shape. Fields are shown only if they are known to be harmless, so
 * one that is added later is masked.
 */
export const maskedDocument = (value: Json, digestOf: DigestOf): Json => masked("", value, false, digestOf)

const masked = (name: string, value: Json, isPerson: boolean, digestOf: DigestOf): Json => {
  if (typeof value === "string") {
    if (identifiers.has(name)) return maskedIdentifier(value, digestOf)
    // The name of an event or a segment is no person's.
    if (plain.has(name) || time.test(value) || (name === "name" && !isPerson)) return value
    return maskedText(value)
  }
  if (name === "changes" && Array.isArray(value)) {
    return value.map((change: Json) =>
      isJsonObject(change) ? { ...shapeOfFields(change), path: change["path"] ?? null } : shapeOf(change),
    )
  }
  if (chosen.has(name) || (name === "rule" && typeof value === "object")) {
    return isClause(value) ? value : shapeOf(value)
  }
  if (Array.isArray(value)) return value.map((one: Json) => masked(name, one, isPerson, digestOf))
  if (!isJsonObject(value) || isClause(value)) return value
  const tellsOfPerson = "svc_id" in value || "email" in value
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => [field, masked(field, one, tellsOfPerson, digestOf)]),
  )
}

const shapeOfFields = (fields: { readonly [name: string]: Json }) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, shapeOf(one)]))
