import { managementPath } from "@inlethq/contract/values/managementPath"
import { segmentOfId } from "@inlethq/contract/values/pathSegments"

/** The error for a request that the server refused or did not answer. */
export class ApiFailure extends Error {
  /** The HTTP status, or 0 if no answer arrived. */
  readonly status: number
  readonly title: string

  constructor(status: number, title: string, detail: string) {
    super(detail)
    this.name = "ApiFailure"
    this.status = status
    this.title = title
  }
}

/** The values of a query string. Undefined and empty values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** An id in a path. */
export type Param = string | number

export type Signal = AbortSignal | undefined

interface RequestOptions {
  readonly query?: Query
  readonly body?: unknown
  readonly signal?: Signal
}

const withQuery = (path: string, query: Query = {}): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

/** Joins the parts of a path. Each part is escaped, so that an identifier may contain slashes, or be `..`. */
export const pathOf = (...parts: ReadonlyArray<Param>): string =>
  parts.map((part) => `/${encodeURIComponent(segmentOfId(String(part)))}`).join("")

/** Returns the address of a path of the management API. */
export const addressOf = (path: string, query?: Query): string => withQuery(`${managementPath}${path}`, query)

/** Sends a request and returns its answer. Throws `ApiFailure` if the answer is an error or does not arrive. */
export const send = async (method: string, path: string, options: RequestOptions = {}): Promise<Response> => {
  const { body, query, signal } = options
  const response = await fetch(withQuery(path, query), {
    method,
    credentials: "same-origin",
    // A change that is sent when the page is closed arrives all the same. Browsers refuse this for large bodies.
    keepalive: method !== "GET" && body === undefined,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw new ApiFailure(
      0,
      "No connection",
      "The server did not answer. Check that Inlet is running and that this machine can reach it.",
    )
  })
  if (!response.ok) throw await failureOf(response)
  return response
}

/** Sends a request to the management API and returns the JSON of its answer. */
export const request = async <Answer>(
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<Answer> => {
  const response = await send(method, `${managementPath}${path}`, options)
  const answer: Answer = await response.json()
  return answer
}

/** Sends a request to the management API and ignores the body of its answer. */
export const submit = async (method: string, path: string, options?: RequestOptions): Promise<void> => {
  await send(method, `${managementPath}${path}`, options)
}

/** Returns the problem document (RFC 9457) of an answer as a failure. */
export const failureOf = async (response: Response): Promise<ApiFailure> => {
  const problem: unknown = await response.json().catch(() => null)
  const title = textAt(problem, "title") ?? `Status ${response.status}`
  const detail = textAt(problem, "detail") ?? `The server answered with status ${response.status}.`
  return new ApiFailure(response.status, title, detail)
}

const textAt = (value: unknown, key: string): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const found: unknown = Reflect.get(value, key)
  return typeof found === "string" ? found : undefined
}
