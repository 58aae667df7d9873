import { ManagementApi, managementPath } from "@inlet/api/management/ManagementApi"
import { Effect, Layer, type Types } from "effect"
import { FindMyWay, HttpRouter, HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { routerConfig } from "../routerConfig.ts"
import { problemResponse } from "./problems.ts"
import { details } from "./details.ts"

/** Answers what the contract does not have, also where a path cannot be read: 405 for a method, 404 for a path. */
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

/** Finds the methods that a path of the management API takes: none where there is no such path. */
const findMethods = (): ((url: string) => ReadonlyArray<string> | undefined) => {
  const paths = FindMyWay.make<ReadonlyArray<string>>(routerConfig)
  for (const [path, known] of methodsByPath()) paths.on("GET", path, [...known])
  for (const path of [managementPath, `${managementPath}/*`] as const) paths.on("GET", path, [])
  // A path that is malformed, or has too long a parameter, is not found at all.
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

/** Where the contract describes itself; open, since it holds no data. */
export const openApiPath = `${managementPath}/openapi.json` as const
