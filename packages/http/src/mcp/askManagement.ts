import type { Json } from "@inlethq/core/values/Json"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { problemTexts } from "../problems/problemTexts.ts"
import { Data, Effect, Schema, Stream } from "effect"
import { type HttpMethod, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** A call of the management API. Undefined query parameters are left out. */
export interface Asked {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: Json
}

/** The management API answered something else than a success. */
export class ManagementRefused extends Data.TaggedError("ManagementRefused")<{
  readonly status: number
  readonly detail: string
}> {}

/** Calls the management API with the credentials of the request that runs. */
export type Ask = (asked: Asked) => Effect.Effect<Json, ManagementRefused>

const Problem = Schema.Struct({ detail: Schema.optionalKey(Schema.String), title: Schema.String })
const decodeProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))
const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

/**
 * Returns a function that calls the management API through the router that serves it, without a socket. Scopes, workspaces, the audit log and
 * what a token may see are therefore decided in the one place that decides them for every caller.
 */
export const askThrough =
  (router: HttpRouter.HttpRouter, outer: HttpServerRequest.HttpServerRequest): Ask =>
  (asked) =>
    router.asHttpEffect().pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, requestOf(outer, asked)),
      Effect.flatMap(answerOf),
      Effect.scoped,
      Effect.mapError((error) =>
        error instanceof ManagementRefused
          ? error
          : new ManagementRefused({ status: 500, detail: problemTexts.mcpNoAnswer() }),
      ),
    )

const answerOf = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
  // The body of a list is a text, and that of a document are bytes.
  const text = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  if (response.status < 400) return text === "" ? null : yield* decodeJson(text)
  const problem = decodeProblem(text)
  const detail =
    problem._tag === "Some" ? (problem.value.detail ?? problem.value.title) : `HTTP ${response.status}`
  return yield* new ManagementRefused({ status: response.status, detail })
})

/** Returns a request of the same client with the same credentials, for another endpoint. */
const requestOf = (
  outer: HttpServerRequest.HttpServerRequest,
  asked: Asked,
): HttpServerRequest.HttpServerRequest => {
  const text = asked.body === undefined ? "" : JSON.stringify(asked.body)
  const bytes = new TextEncoder().encode(text)
  const url = `${managementPath}${asked.path}${queryOf(asked.query ?? {})}`
  const kept = ["authorization", "user-agent", "x-forwarded-for", "x-forwarded-proto", "host"]
  const headers = Object.fromEntries(
    kept.flatMap((name) => {
      const value = outer.headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const own: ReadonlyMap<PropertyKey, unknown> = new Map<PropertyKey, unknown>([
    ["method", asked.method satisfies HttpMethod.HttpMethod],
    ["url", url],
    ["headers", { ...headers, ...(text === "" ? {} : { "content-type": "application/json" }) }],
    ["cookies", {}],
    ["text", Effect.succeed(text)],
    ["json", Effect.suspend(() => Effect.succeed(JSON.parse(text)))],
    ["arrayBuffer", Effect.sync(() => bytes.buffer)],
    ["stream", Stream.make(bytes)],
  ])
  // What is not said here, such as the address of the client, is that of the outer request.
  return new Proxy(outer, {
    get: (target, name) => (own.has(name) ? own.get(name) : Reflect.get(target, name, target)),
  })
}

const queryOf = (query: NonNullable<Asked["query"]>): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}
