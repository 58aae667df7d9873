import { Effect, Layer, type Types } from "effect"
import { HttpRouter, HttpServerError, HttpServerResponse } from "effect/http"
import { problemResponse } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { findEndpoints } from "./managementEndpoints.ts"

/**
 * Responds to management requests that match no route, even if the path is malformed. The status is 405 if the path
 * exists with another method, and otherwise 404.
 */
export const unknownPaths: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) => {
  const endpointsAt = findEndpoints()
  return router.addGlobalMiddleware((answer) =>
    answer.pipe(
      Effect.catch((error): Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled> => {
        const endpoints = isRouteNotFound(error) ? endpointsAt(error.request.url) : undefined
        if (endpoints === undefined) return Effect.fail(error)
        const methods = endpoints.map(({ method }) => method)
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
