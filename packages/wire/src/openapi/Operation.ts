import type { Json, JsonObject } from "@inlethq/core/values/Json"
import type { JsonSchema } from "./fieldSchemas.ts"

/** A body that a client may send. */
export interface BodyExample {
  readonly name: string
  readonly body: Json
  /** The status of the response, if it is not the status of a success. */
  readonly status?: number
}

/** A path or query parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly description: string
  readonly schema: JsonSchema
  readonly example: string
}

/** An operation of the ingestion API, as it is described once for all its paths. */
export interface Operation {
  /** The name of the operation, from which generated clients make the name of a function. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly method: "get" | "put" | "post" | "delete"
  /** The path with its parameters in braces, then other paths that do the same. */
  readonly paths: readonly [string, ...ReadonlyArray<string>]
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: {
    readonly schema: JsonSchema
    readonly isRequired: boolean
    readonly examples: readonly [BodyExample, ...ReadonlyArray<BodyExample>]
  } | null
  /** The security requirements. An empty requirement allows calls without credentials. */
  readonly security: ReadonlyArray<JsonObject>
  /** Response objects by status. */
  readonly responses: Readonly<Record<string, JsonObject>>
}

/** Returns the operations as the `paths` of an OpenAPI document. Other paths of an operation are marked as such. */
export const pathsOf = (operations: ReadonlyArray<Operation>): JsonObject => {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const operation of operations) {
    for (const [place, path] of operation.paths.entries()) {
      const methods = (paths[path] ??= {})
      methods[operation.method] = operationAt(operation, path, place)
    }
  }
  return paths
}

const operationAt = (operation: Operation, path: string, place: number): JsonObject => {
  const { body, id, parameters, responses, security, summary, tag } = operation
  const isOther = place > 0
  const shown = parameters.filter(({ in: where, name }) => where !== "path" || path.includes(`{${name}}`))
  return {
    operationId: isOther ? `${id}${place + 1}` : id,
    tags: [tag],
    summary: isOther ? `${summary} (same as ${operation.paths[0]})` : summary,
    ...(security.length > 0 && { security: [...security] }),
    ...(shown.length > 0 && { parameters: shown.map(parameterObject) }),
    ...(body !== null && { requestBody: bodyObject(body) }),
    responses,
  }
}

const parameterObject = ({ in: where, name, ...rest }: Parameter): JsonObject => ({
  name,
  in: where,
  required: where === "path",
  ...rest,
})

const bodyObject = ({ examples, isRequired, schema }: NonNullable<Operation["body"]>): JsonObject => ({
  required: isRequired,
  content: {
    "application/json": {
      schema,
      examples: Object.fromEntries(
        examples.map(({ body, name, status }) => [
          name,
          { value: body, ...(status !== undefined && { "x-inlet-status": status }) },
        ]),
      ),
    },
  },
})
