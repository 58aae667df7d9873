import type { ActivityDocument } from "../../api/documents.ts"

export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A call that repeats an operation. `body` is null if the call has none. */
export interface RepeatedCall {
  readonly method: string
  readonly path: string
  readonly body: JsonObject | null
}

/**
 * Returns the call that repeats an operation: to the same route of the same API, with the body as far as the log has it.
 * Returns null if the log does not have enough of it. The person is named as they are known now.
 */
export const repeatedCall = (entry: ActivityDocument): RepeatedCall | null => {
  if (entry.outcome === "rejected") return rejectedCall(entry)
  switch (entry.source) {
    case "track-v1":
      return trackV1Call(entry)
    case "track-v2":
      return called(entry, trackV2Item(entry), entry.sender?.route ?? "POST /api/v2/entity")
    case "pipelines":
      return pipelinesCall(entry)
    case "csv":
    case "management":
    case "system":
      return null
  }
}

/** The paths of Track v1 that clients call with PUT, if the log does not know the route. */
const putPath = /^\/api\/v1\/customers\/[^/]+(?:\/devices)?$/

/** Returns a rejected call, of which the log keeps the item and the path as they were sent. */
const rejectedCall = ({ data, request, sender }: ActivityDocument): RepeatedCall | null => {
  const path = request?.path ?? null
  if (path === null || !isJsonObject(data)) return null
  const method = sender?.route?.split(" ", 1)[0] ?? (putPath.test(path) ? "PUT" : "POST")
  const body = path.endsWith("/batch") && !("batch" in data) ? { batch: [data] } : data
  return { method, path, body }
}

/** Returns a call with an item, which a batch has in a list. */
const called = (entry: ActivityDocument, item: JsonObject | null, route: string): RepeatedCall | null => {
  if (item === null) return null
  const [method = "POST", template = ""] = route.split(" ", 2)
  const path = pathOf(entry, template)
  return path === null ? null : { method, path, body: template.endsWith("/batch") ? { batch: [item] } : item }
}

/** Fills the parameters of a path in. Returns null if the log does not have one. */
const pathOf = ({ data, name, subject }: ActivityDocument, template: string): string | null => {
  const given = isJsonObject(data) ? data : {}
  const values: Readonly<Record<string, unknown>> = {
    identifier: subject.id ?? subject.email ?? (subject.svc_id === null ? null : `svc_${subject.svc_id}`),
    device_id: given["token"],
    form_id: name,
  }
  let path = ""
  for (const segment of template.slice(1).split("/")) {
    const value = segment.startsWith(":") ? values[segment.slice(1)] : segment
    if (typeof value !== "string") return null
    path += `/${segment.startsWith(":") ? encodeURIComponent(value).replaceAll("'", "%27") : value}`
  }
  return path
}

const trackV1Call = (entry: ActivityDocument): RepeatedCall | null => {
  const route = entry.sender?.route ?? usualRoute(entry)
  const data = sentData(entry)
  const [, template = ""] = route?.split(" ", 2) ?? []
  if (route?.startsWith("DELETE ") === true) {
    const path = pathOf(entry, template)
    return path === null ? null : { method: "DELETE", path, body: null }
  }
  if (route === null || data === null) return null
  if (entry.kind === "identify" || entry.kind === "merge") return called(entry, data, route)
  if (entry.kind === "add_device") return called(entry, { device: v1Device(data) }, route)
  if (entry.kind === "form_submission") return called(entry, { data }, route)
  return isEvent(entry.kind) ? called(entry, v1Event(entry, data, template), route) : null
}

const v1Event = (entry: ActivityDocument, data: JsonObject, template: string): JsonObject => {
  const { kind, name, subject } = entry
  const type = kind === "page" || kind === "screen" ? { type: kind } : {}
  const visitor = template === "/api/v1/events" ? { anonymous_id: subject.anonymous_id } : {}
  return { ...type, name, ...idOf(entry), data, ...visitor }
}

/** Returns the route on which operations of this kind usually arrive, for entries that do not name theirs. */
const usualRoute = ({ kind, subject }: ActivityDocument): string | null => {
  if (kind === "identify") return "PUT /api/v1/customers/:identifier"
  if (!isEvent(kind)) return null
  const isPerson = subject.id !== null || subject.email !== null || subject.svc_id !== null
  return isPerson ? "POST /api/v1/customers/:identifier/events" : "POST /api/v1/events"
}

/** Returns an operation as an item of the Track API v2, or null if the log does not have enough of it. */
export const trackV2Item = (entry: ActivityDocument): JsonObject | null => {
  const { kind, name, subject } = entry
  const data = sentData(entry)
  const { object_id, object_type_id } = subject
  if (kind === "object_delete" && object_id !== null) {
    return { type: "object", action: "delete", identifiers: { object_type_id, object_id } }
  }
  if (data === null) return null
  if (kind === "object_identify" && object_id !== null) {
    const { attributes = {}, relationships } = data
    const identifiers = { object_type_id, object_id }
    return { type: "object", action: "identify", identifiers, attributes, ...relatedIn(relationships) }
  }
  if (kind === "merge") return { type: "person", action: "merge", ...data }
  const identifiers = identifiersOf(subject)
  if (identifiers === null) return null
  const person = { type: "person", identifiers }
  if (kind === "identify") return { ...person, action: kind, ...v2Attributes(data) }
  if (isEvent(kind)) {
    const action = kind === "anonymous_event" ? "event" : kind
    return { ...person, action, name, ...idOf(entry), attributes: data }
  }
  if (kind === "add_device" || kind === "delete_device")
    return { ...person, action: kind, device: deviceOf(data) }
  return kind === "add_relationships" || kind === "delete_relationships"
    ? { ...person, action: kind, ...relatedIn(data["relationships"]) }
    : null
}

/** The log keeps the time of a device as text, where the API takes seconds. */
const deviceOf = ({ last_used, ...device }: JsonObject): JsonObject => ({
  ...device,
  ...(typeof last_used === "string" && { last_used: Math.floor(Date.parse(last_used) / 1000) }),
})

const v1Device = (data: JsonObject): JsonObject => {
  const { token: id, ...device } = deviceOf(data)
  return { id, ...device }
}

const relatedIn = (relationships: unknown): JsonObject =>
  Array.isArray(relationships) && relationships.length > 0 ? { svc_relationships: relationships } : {}

/** The log keeps relationships of an identify among its data, where the API has them beside the attributes. */
const v2Attributes = ({ svc_relationships: related, ...attributes }: JsonObject): JsonObject => ({
  attributes,
  ...(isJsonObject(related) && relatedIn(related["relationships"])),
})

const pipelinesCall = (entry: ActivityDocument): RepeatedCall | null => {
  const { id, kind, name, sender, subject } = entry
  const data = sentData(entry)
  const { anonymous_id: anonymousId } = subject
  const userId = subject.id ?? subject.email
  const type = kind === "identify" || kind === "page" || kind === "screen" ? kind : "track"
  if (data === null || (userId === null && anonymousId === null)) return null
  if (kind !== "identify" && !isEvent(kind)) return null
  const route = sender?.route ?? `POST /v1/${type}`
  const call = {
    ...(route.endsWith("/batch") && { type }),
    ...(userId !== null && { userId }),
    ...(anonymousId !== null && { anonymousId }),
    ...(id !== null && { messageId: id }),
  }
  if (type === "identify") return called(entry, { ...call, traits: data }, route)
  const named = type === "track" ? { event: name } : { name }
  return called(entry, { ...call, ...named, properties: data }, route)
}

/**
 * Returns the data of an operation with the values that were left out. The log names a refused identifier or attribute
 * by its path in the item, which ends in its name.
 */
const sentData = ({ data, refused }: ActivityDocument): JsonObject | null =>
  isJsonObject(data)
    ? Object.fromEntries([
        ...Object.entries(data),
        ...refused.flatMap(({ cut_from, path, value }): ReadonlyArray<readonly [string, unknown]> => {
          const name = path.replace(/^(?:attributes|traits|properties|data)\./, "")
          return cut_from === undefined && value !== null && !name.includes(".") ? [[name, value]] : []
        }),
      ])
    : null

const isEvent = (kind: ActivityDocument["kind"]): boolean =>
  kind === "event" || kind === "page" || kind === "screen" || kind === "anonymous_event"

const idOf = ({ id }: ActivityDocument): JsonObject => (id === null ? {} : { id })

const identifiersOf = ({ anonymous_id, email, id }: ActivityDocument["subject"]): JsonObject | null => {
  if (id !== null) return { id }
  if (email !== null) return { email }
  return anonymous_id === null ? null : { anonymous_id }
}
