import type { ActivityDocument } from "../../api/documents.ts"

type JsonObject = Readonly<Record<string, unknown>>

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns a curl command that repeats the call of an operation: the same API, path and body, refused values included,
 * with placeholders for the credentials. If the log entry does not contain enough data to repeat the call, returns a
 * command that reads the entry.
 */
export const curlOf = (w: string, entry: ActivityDocument, origin: string): string => {
  const call = callOf(entry)
  if (call === null) {
    return `curl -H "Authorization: Bearer $INLET_MANAGEMENT_TOKEN" ${origin}/management/v1/workspaces/${w}/operations/${entry.operation_id}`
  }
  const { body, method, path } = call
  const user = entry.source === "pipelines" ? "$WRITE_KEY:" : "$SITE_ID:$API_KEY"
  const verb = method === "POST" ? "" : ` -X ${method}`
  return `curl -u "${user}"${verb} ${origin}${path} -H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`
}

/**
 * Returns the operation of an entry as an operator can apply it again: an entity of the Track API v2, without the key
 * that would make it a duplicate. Returns null if the log does not contain enough of it.
 */
export const repeatedOperation = (entry: ActivityDocument): JsonObject | null => {
  if (!isJsonObject(entry.data)) return null
  if (entry.outcome === "rejected") {
    return typeof entry.data["type"] === "string" && typeof entry.data["action"] === "string"
      ? entry.data
      : null
  }
  const { id: _, ...operation } = trackV2Call(entry, withRefused(entry.data, entry))?.body ?? {}
  return "type" in operation ? operation : null
}

interface RepeatedCall {
  readonly method: "POST" | "PUT"
  readonly path: string
  readonly body: JsonObject
}

const callOf = (entry: ActivityDocument): RepeatedCall | null => {
  if (!isJsonObject(entry.data)) return null
  if (entry.outcome === "rejected") return rejectedCall(entry, entry.data)
  const data = withRefused(entry.data, entry)
  switch (entry.source) {
    case "track-v1":
      return trackV1Call(entry, data)
    case "track-v2":
      return trackV2Call(entry, data)
    case "pipelines":
      return pipelinesCall(entry, data)
    case "csv":
    case "management":
    case "system":
      return null
  }
}

/** The paths of Track v1 that clients call with PUT. */
const putPath = /^\/api\/v1\/customers\/[^/]+(?:\/devices)?$/

/** Returns a rejected call, of which the log keeps the item and the path as they were sent. */
const rejectedCall = ({ call }: ActivityDocument, item: JsonObject): RepeatedCall | null => {
  const path = call?.path ?? null
  if (path === null) return null
  const body = path.endsWith("/batch") && !("batch" in item) ? { batch: [item] } : item
  return { method: putPath.test(path) ? "PUT" : "POST", path, body }
}

/**
 * Returns the data of an operation with the values that were left out. The log names a refused identifier or attribute
 * by its path in the item, which ends in its name.
 */
const withRefused = (data: JsonObject, { refused }: ActivityDocument): JsonObject =>
  Object.fromEntries([
    ...Object.entries(data),
    ...refused.flatMap(({ cut_from, path, value }): ReadonlyArray<readonly [string, unknown]> => {
      const name = path.replace(/^(?:attributes|traits|properties|data)\./, "")
      return cut_from === undefined && value !== null && !name.includes(".") ? [[name, value]] : []
    }),
  ])

const trackV1Call = (entry: ActivityDocument, data: JsonObject): RepeatedCall | null => {
  const { kind, name, subject } = entry
  const identifier = subject.id ?? subject.email ?? (subject.svc_id === null ? null : `svc_${subject.svc_id}`)
  const customer = `/api/v1/customers/${encodeURIComponent(identifier ?? "").replaceAll("'", "%27")}`
  if (kind === "identify") {
    return identifier === null ? null : { method: "PUT", path: customer, body: data }
  }
  if (!isEvent(kind)) return null
  const type = kind === "page" || kind === "screen" ? { type: kind } : {}
  const body = { ...type, name, ...idOf(entry), data }
  if (identifier !== null) return { method: "POST", path: `${customer}/events`, body }
  const { anonymous_id } = subject
  return { method: "POST", path: "/api/v1/events", body: { ...body, anonymous_id } }
}

const trackV2Call = (entry: ActivityDocument, data: JsonObject): RepeatedCall | null => {
  const { kind, name, subject } = entry
  const identifiers = identifiersOf(subject)
  if (identifiers === null || (kind !== "identify" && !isEvent(kind))) return null
  const action = kind === "anonymous_event" ? "event" : kind
  const event = kind === "identify" ? {} : { name, ...idOf(entry) }
  const body = { type: "person", identifiers, action, ...event, attributes: data }
  return { method: "POST", path: "/api/v2/entity", body }
}

const pipelinesCall = (entry: ActivityDocument, data: JsonObject): RepeatedCall | null => {
  const { id, kind, name, subject } = entry
  const { anonymous_id: anonymousId } = subject
  const userId = subject.id ?? subject.email
  if (userId === null && anonymousId === null) return null
  const caller = {
    ...(userId !== null && { userId }),
    ...(anonymousId !== null && { anonymousId }),
    ...(id !== null && { messageId: id }),
  }
  const call = (path: string, body: JsonObject): RepeatedCall => ({
    method: "POST",
    path,
    body: { ...caller, ...body },
  })
  if (kind === "identify") return call("/v1/identify", { traits: data })
  if (kind === "page" || kind === "screen") return call(`/v1/${kind}`, { name, properties: data })
  return isEvent(kind) ? call("/v1/track", { event: name, properties: data }) : null
}

const isEvent = (kind: ActivityDocument["kind"]): boolean =>
  kind === "event" || kind === "page" || kind === "screen" || kind === "anonymous_event"

const idOf = ({ id }: ActivityDocument): JsonObject => (id === null ? {} : { id })

const identifiersOf = ({ anonymous_id, email, id }: ActivityDocument["subject"]): JsonObject | null => {
  if (id !== null) return { id }
  if (email !== null) return { email }
  return anonymous_id === null ? null : { anonymous_id }
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
