import { ManagementApi, managementPath } from "@inlet/api/management/ManagementApi"
import { Effect, Layer, type Types } from "effect"
import { FindMyWay, HttpRouter, HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { routerConfig } from "../../routerConfig.ts"
import { problemResponse } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

/**
 * Responds to management requests that match no route, even if the path is malformed. The status is 405 if the path
 * exists with another method, and otherwise 404.
 */
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

const noSuchPath = problemResponse(404, problemTexts.noPath())

const methodNotAllowed = (known: ReadonlyArray<string>) =>
  HttpServerResponse.setHeader(
    problemResponse(405, problemTexts.methodNotAllowed({ methods: known.join(", ") })),
    "allow",
    known.join(", "),
  )

/**
 * Returns a function that lists the methods of a management path. For an unknown management path the list is empty. For
 * a path outside the management API the function returns undefined.
 */
const findMethods = (): ((url: string) => ReadonlyArray<string> | undefined) => {
  const paths = FindMyWay.make<ReadonlyArray<string>>(routerConfig)
  for (const [path, known] of methodsByPath()) paths.on("GET", path, [...known])
  for (const path of [managementPath, `${managementPath}/*`] as const) paths.on("GET", path, [])
  // The router does not match a malformed path, or a path with too long a parameter.
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

/** The path of the OpenAPI document. It needs no token, because the document contains no stored data. */
export const openApiPath = `${managementPath}/openapi.json` as const
