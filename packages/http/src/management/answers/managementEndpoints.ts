import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { Predicate, type Schema } from "effect"
import { FindMyWay, type HttpRouter } from "effect/http"
import { HttpApi } from "effect/http-api"
import { routerConfig } from "../../routerConfig.ts"

/** The path of the OpenAPI document. It needs no token, because the document contains no stored data. */
export const openApiPath = `${managementPath}/openapi.json` as const

/** A list has many items, up to 1 MiB of them, and a stream lasts as long as it has something to send. */
/** The groups whose tests send a request to a receiver. */
const testing: ReadonlySet<string> = new Set(["webhookAttempts", "forwardAttempts"])

export type AnswerKind = "list" | "document" | "stream" | "webhookTest"

/** What an endpoint of the management API answers. */
export interface Endpoint {
  readonly method: string
  readonly kind: AnswerKind
}

/**
 * Returns a function that lists the endpoints at the path of a URL. The list is empty for an unknown path of the
 * management API, and undefined for a path outside of it.
 */
export const findEndpoints = (): ((url: string) => ReadonlyArray<Endpoint> | undefined) => {
  const paths = FindMyWay.make<ReadonlyArray<Endpoint>>(routerConfig)
  for (const [path, endpoints] of endpointsByPath()) paths.on("GET", path, endpoints)
  for (const path of [managementPath, `${managementPath}/*`] as const) paths.on("GET", path, [])
  // The router does not match a malformed path, or a path with too long a parameter.
  return (url) => paths.find("GET", url)?.handler ?? (url.startsWith(`${managementPath}/`) ? [] : undefined)
}

const endpointsByPath = () => {
  const found = new Map<HttpRouter.PathInput, Array<Endpoint>>([
    [openApiPath, [{ method: "GET", kind: "document" }]],
  ])
  HttpApi.reflect(ManagementApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const path = `/${endpoint.path.slice(1)}` as const
      const isTest = testing.has(group.identifier) && endpoint.identifier === "test"
      const kind = isTest ? "webhookTest" : kindOf([...endpoint.success])
      found.set(path, [...(found.get(path) ?? []), { method: endpoint.method, kind }])
    },
  })
  return found
}

const kindOf = (successes: ReadonlyArray<Schema.Top>): AnswerKind => {
  if (successes.some(isStream)) return "stream"
  return successes.some(
    ({ ast }) => ast._tag === "Objects" && ast.propertySignatures.some(({ name }) => name === "items"),
  )
    ? "list"
    : "document"
}

const isStream = Predicate.or(Predicate.isTagged("StreamNdjson"), Predicate.isTagged("StreamSse"))
