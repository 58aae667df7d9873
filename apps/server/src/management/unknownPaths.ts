import { ManagementApi, managementPath } from "@inlet/api/management/ManagementApi"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { problemResponse } from "./problems.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** Answers what the contract does not have: 405 for a method, 404 for a path. */
export const unknownPaths: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) =>
  Effect.gen(function* () {
    for (const [path, known] of methodsByPath()) {
      for (const method of methods) {
        if (!known.has(method)) yield* router.add(method, path, methodNotAllowed([...known]))
      }
    }
    for (const method of methods) yield* router.add(method, `${managementPath}/*`, noSuchPath)
  }),
)

const noSuchPath = problemResponse(404, "there is no such path; openapi.json lists them")

const methodNotAllowed = (known: ReadonlyArray<string>) =>
  HttpServerResponse.setHeader(
    problemResponse(405, `this path takes ${known.join(", ")}`),
    "allow",
    known.join(", "),
  )

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
