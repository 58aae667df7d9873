import type { Json, JsonObject } from "@inlethq/core/values/Json"
import manifest from "../../package.json" with { type: "json" }
import type { AppRoute } from "./AppCall.ts"
import { callTexts, type CallText } from "./appCallTexts.ts"
import { appRoutes } from "./appRoutes.ts"

const errorOf = (description: string): JsonObject => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
})

const errors: JsonObject = {
  "400": errorOf("The call is malformed, or Inlet cannot do it."),
  "401": errorOf("The key is unknown."),
  "429": errorOf("The key has sent too many requests within a second. `Retry-After` says when to go on."),
  "503": errorOf("The call could not be answered now. `Retry-After` says when to send it again."),
}

const text = { type: "string" }
const integer = { type: "integer" }

const schemas: JsonObject = {
  Error: {
    type: "object",
    required: ["meta"],
    properties: { meta: { type: "object", required: ["error"], properties: { error: text } } },
  },
  Identifiers: {
    type: "object",
    required: ["cio_id", "id", "email"],
    properties: { cio_id: text, id: { type: ["string", "null"] }, email: { type: ["string", "null"] } },
  },
}

const listPatterns: Readonly<Record<string, JsonObject>> = {
  limit: integer,
  start_ts: integer,
  end_ts: integer,
  deleted: { type: "boolean" },
}

const parameter = (name: string, where: "path" | "query", isRequired = false): JsonObject => ({
  name,
  in: where,
  required: where === "path" || isRequired,
  schema: listPatterns[name] ?? text,
})

/** Returns a path of the table of calls as OpenAPI writes it. */
const documentedPath = (path: string): string => path.replaceAll(/\/[:*]([a-z_]+)/g, "/{$1}")

const pathParameters = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\/[:*]([a-z_]+)/g)].flatMap(([, name]) => name ?? [])

const operationOf = (
  route: AppRoute,
  { body, id, query = [], required = [], summary }: CallText,
): JsonObject => ({
  operationId: id,
  summary,
  tags: [route.path.split("/")[2] ?? ""],
  security: [{ appKey: [] }],
  parameters: [
    ...pathParameters(route.path).map((name) => parameter(name, "path")),
    ...[...required, ...query].map((name) => parameter(name, "query", required.includes(name))),
  ],
  ...(body !== undefined && {
    requestBody: {
      required: true,
      content: { "application/json": { schema: { type: "object" }, example: body } },
    },
  }),
  responses: {
    ...(route.method === "DELETE"
      ? { "204": { description: "Deleted." } }
      : {
          "200": {
            description: summary,
            content: { "application/json": { schema: { type: "object" } } },
          },
        }),
    ...errors,
    ...(route.scope !== "read" && { "403": errorOf("The key may only read.") }),
    ...(pathParameters(route.path).length > 0 && { "404": errorOf("There is no such thing.") }),
  },
})

/** Returns the name of a call in `callTexts`. */
export const callName = ({ method, path }: Pick<AppRoute, "method" | "path">): string =>
  `${method} ${documentedPath(path)}`

const pathsOf = (): JsonObject => {
  const paths = new Map<string, Array<readonly [string, Json]>>()
  for (const route of appRoutes) {
    const described = callTexts[callName(route)]
    if (described === undefined) continue
    const path = documentedPath(route.path)
    const methods = paths.get(path) ?? []
    paths.set(path, methods)
    methods.push([route.method.toLowerCase(), operationOf(route, described)])
  }
  return Object.fromEntries(Array.from(paths, ([path, methods]) => [path, Object.fromEntries(methods)]))
}

/** The OpenAPI document of the calls of the App API that Inlet has. */
export const appDocument: JsonObject = {
  openapi: "3.1.0",
  info: {
    title: "Inlet: App API",
    version: manifest.version,
    description:
      "Reads people, segments, messages, activities and objects. It is the part of the hosted service's App API that reads.",
  },
  paths: pathsOf(),
  components: {
    securitySchemes: { appKey: { type: "http", scheme: "bearer", description: "A key of the kind `app`." } },
    schemas,
  },
}
