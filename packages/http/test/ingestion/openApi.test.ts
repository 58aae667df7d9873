import { assert, describe, it } from "@effect/vitest"
import { pipelinesOperations } from "@inlethq/wire/openapi/pipelinesOperations"
import { trackOperations } from "@inlethq/wire/openapi/trackOperations"
import { protocolOf } from "../../src/ingestion/Protocol.ts"
import { routes } from "../../src/ingestion/routes.ts"

/** Paths with an empty parameter, which are routes of their own so that they get the answer of the operation. */
const emptyParameters: Readonly<Record<string, string>> = {
  "/api/v1/segments/add_customers": "/api/v1/segments/{segment_id}/add_customers",
  "/api/v1/segments/remove_customers": "/api/v1/segments/{segment_id}/remove_customers",
}

/** The routes of an API with the notation of OpenAPI, without the preflight requests of browsers. */
const routesOf = (isPipelines: boolean): ReadonlyArray<string> =>
  routes
    .filter(([, path]) => (protocolOf(path)?.name === "pipelines") === isPipelines)
    .filter(([method]) => method !== "OPTIONS")
    .map(([method, path]) => {
      const templated = path.replace(/:(\w+)/g, "{$1}")
      return `${method.toLowerCase()} ${emptyParameters[templated] ?? templated}`
    })

describe("the OpenAPI documents", () => {
  it.each([
    ["Track", trackOperations, routesOf(false)],
    ["Pipelines", pipelinesOperations, routesOf(true)],
  ] as const)(
    "the document of %s has every route of the API, and no other operation",
    (_, operations, all) => {
      const documented = operations.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`))
      assert.sameMembers([...new Set(all)], documented)
    },
  )
})
