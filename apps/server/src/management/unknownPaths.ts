import { ManagementApi, managementPath } from "@inlet/api/management/ManagementApi"
import { Effect, Layer, type Types } from "effect"
import { FindMyWay, HttpRouter, HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { routerConfig } from "../routerConfig.ts"
import { problemResponse } from "./problems.ts"
import { details } from "./details.ts"

/** Answers management requests without a route: 405 for an unknown method of a known path, else 404, even for malformed paths. */
export const unknownPaths: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) => {
  const methodsAt = findMethods()
  return router.addGlobalMiddleware((answer) =>
    answer.pipe(
      Effect.catch((error): Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled> => {
        const methods = isRouteNotFound(error) ? methodsAt(error.request.url) : undefined
        if (methods === undefined) return Effect.fail(error)
        return Effect.succeed(methods.length === 0 ? noSuchPath : methodNotAllowed(methods))
      }),
    ),
  )
})

const isRouteNotFound = (error: unknown): error is HttpServerError.HttpServerError =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

const noSuchPath = problemResponse(404, details.noPath())

const methodNotAllowed = (known: ReadonlyArray<string>) =>
  HttpServerResponse.setHeader(
    problemResponse(405, details.methodNotAllowed({ methods: known.join(", ") })),
    "allow",
    known.join(", "),
  )

/**
 * Returns a function that finds the methods of a management path. It returns an empty list for an unknown management path
 * and undefined for other paths.
 */
const findMethods = (): ((url: string) => ReadonlyArray<string> | undefined) => {
  const paths = FindMyWay.make<ReadonlyArray<string>>(routerConfig)
  for (const [path, known] of methodsByPath()) paths.on("GET", path, [...known])
  for (const path of [managementPath, `${managementPath}/*`] as const) paths.on("GET", path, [])
  // The router finds nothing for a malformed path or a parameter that is too long.
  return (url) => paths.find("GET", url)?.handler ?? (url.startsWith(`${managementPath}/`) ? [] : undefined)
}

const methodsByPath = () => {
  const found = new Map<HttpRouter.PathInput, Set<string>>([[openApiPath, new Set(["GET"])]])
  HttpApi.reflect(ManagementApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const path = `/${endpoint.path.slice(1)}` as const
      found.set(path, (found.get(path) ?? new Set()).add(endpoint.method))
    },
  })
  return found
}

/** The path of the OpenAPI document. It needs no token, because it contains no data. */
export const openApiPath = `${managementPath}/openapi.json` as const
