import { credentials } from "./Inlet.ts"
import { send, type Answer, type Call, type RunningServer } from "./http.ts"

export const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64")

export const trackBasic = `Basic ${base64(`${credentials.siteId}:${credentials.apiKey}`)}`
export const pipelinesBasic = `Basic ${base64(`${credentials.writeKey}:`)}`
export const strict = { "x-strict-mode": "1" }

export type Headers = Readonly<Record<string, string>>

/**
 * A request body. Text and bytes are sent unchanged, and a list of bytes is sent in chunks. Any other value is sent as
 * JSON.
 */
export type Payload = Call["body"] | object | null

const withJson = (method: string, path: string, payload: Payload, headers: Headers): Call => {
  if (payload === undefined) return { method, path, headers }
  const type = { "content-type": "application/json" }
  return { method, path, headers: { ...type, ...headers }, body: bytesOf(payload) }
}

const bytesOf = (payload: NonNullable<Payload> | null): NonNullable<Call["body"]> => {
  if (typeof payload === "string" || payload instanceof Uint8Array) return payload
  return isChunks(payload) ? payload : JSON.stringify(payload)
}

const isChunks = (payload: unknown): payload is ReadonlyArray<Uint8Array> =>
  Array.isArray(payload) && payload.length > 0 && payload.every((part) => part instanceof Uint8Array)

/** Sends a Track call with the credentials of workspace 1, unless `headers` contains other credentials. */
export const track = (
  inlet: RunningServer,
  method: string,
  path: string,
  payload?: Payload,
  headers: Headers = {},
): Promise<Answer> =>
  send(inlet.url, withJson(method, path, payload, { authorization: trackBasic, ...headers }))

/** Sends a v2 entity. */
export const entity = (inlet: RunningServer, payload: Payload, headers: Headers = {}): Promise<Answer> =>
  track(inlet, "POST", "/api/v2/entity", payload, headers)

/** Sends a v2 batch. */
export const batch = (
  inlet: RunningServer,
  items: ReadonlyArray<unknown>,
  headers: Headers = {},
): Promise<Answer> => track(inlet, "POST", "/api/v2/batch", { batch: items }, headers)

/** Returns the v1 path of a person. */
export const customerPath = (identifier: string): string =>
  `/api/v1/customers/${encodeURIComponent(identifier)}`

/** Sends a v1 identify. */
export const identify = (
  inlet: RunningServer,
  identifier: string,
  attributes: object = {},
): Promise<Answer> => track(inlet, "PUT", customerPath(identifier), attributes)

/** Sends a v1 event. */
export const event = (inlet: RunningServer, identifier: string, payload: Payload): Promise<Answer> =>
  track(inlet, "POST", `${customerPath(identifier)}/events`, payload)

/** Sends a Pipelines call with the write key of workspace 1, unless `headers` contains another key. */
export const pipelines = (
  inlet: RunningServer,
  path: string,
  payload?: Payload,
  headers: Headers = {},
): Promise<Answer> =>
  send(inlet.url, withJson("POST", path, payload, { authorization: pipelinesBasic, ...headers }))

/** Sends a Pipelines call without an Authorization header. */
export const pipelinesWithoutAuth = (
  inlet: RunningServer,
  path: string,
  payload: Payload,
  headers: Headers = {},
): Promise<Answer> => send(inlet.url, withJson("POST", path, payload, headers))

/** Returns an item of a Track v2 batch that identifies a person by `id`. */
export const identified = (id: string, attributes: object = {}): object => ({
  type: "person",
  action: "identify",
  identifiers: { id },
  attributes,
})
