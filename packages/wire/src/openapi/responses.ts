import { FaultReason } from "@inlethq/core/log/Outcome"
import type { JsonObject } from "@inlethq/core/values/Json"
import { objectOf, type JsonSchema } from "./fieldSchemas.ts"

const header = (description: string, schema: JsonSchema): JsonObject => ({ description, schema })

const whole: JsonSchema = { type: "integer", minimum: 0 }

/** The headers of responses, as the components of both documents. */
export const headerComponents: JsonObject = {
  "Inlet-Operation-Id": header(
    "The id of the first operation of the request. `inlet explain` and the management API find it.",
    { type: "string" },
  ),
  "RateLimit-Limit": header("The requests that the workspace may send in one window.", whole),
  "RateLimit-Remaining": header("The requests that are left in this window.", whole),
  "RateLimit-Reset": header("The seconds until the next window.", whole),
  "RateLimit-Policy": header("The limit, and the seconds of a window as `w`.", { type: "string" }),
  "Retry-After": header("The seconds after which to send the request again.", whole),
}

const headersNamed = (names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const operationHeader = "Inlet-Operation-Id"

/** The headers of responses to requests whose workspace is known. */
export const rateHeaders = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"]

const retry = ["Retry-After"]

interface ResponseOptions {
  readonly schema?: JsonSchema
  readonly contentType?: string
  readonly headers?: ReadonlyArray<string>
  /** False for a response to a request whose workspace is not known. */
  readonly hasOperation?: boolean
}

export const response = (
  description: string,
  { contentType = "application/json", hasOperation = true, headers = [], schema }: ResponseOptions = {},
): JsonObject => ({
  description,
  headers: headersNamed([...(hasOperation ? [operationHeader] : []), ...headers]),
  ...(schema !== undefined && { content: { [contentType]: { schema } } }),
})

export const schemaNamed = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Returns the responses to a request that cannot be stored now or exceeds the rate of its workspace. */
export const overloads = (
  throttled: JsonSchema,
  unavailable: JsonSchema,
): Readonly<Record<string, JsonObject>> => ({
  "429": response("The workspace exceeds its request rate. Nothing was applied.", {
    schema: throttled,
    hasOperation: false,
    headers: [...rateHeaders, ...retry],
  }),
  "500": response("A fault of the server.", { hasOperation: false, schema: unavailable }),
  "503": response("The request cannot be stored now. Nothing was applied.", {
    hasOperation: false,
    schema: unavailable,
    headers: retry,
  }),
})

/** Returns the responses to a body that cannot be read. */
export const unreadableBodies = (schema: JsonSchema): Readonly<Record<string, JsonObject>> => ({
  "408": response("The body did not arrive in time.", { schema }),
  "413": response("The body is too large.", { schema }),
  "415": response("The `Content-Encoding` is neither gzip nor deflate.", { schema }),
})

const message: JsonSchema = { type: "string" }

const fault = {
  reason: { enum: FaultReason.literals.filter((reason) => reason !== "stale") },
  field: { type: "string", description: "The path of the field in the item, or an empty text." },
  message,
}

/** The schemas of error bodies of the Track API (contract §4). */
export const trackErrorSchemas = {
  MetaError: objectOf({ meta: objectOf({ error: message }, ["error"]) }, ["meta"]),
  MetaErrors: objectOf({ meta: objectOf({ errors: { type: "array", items: message } }, ["errors"]) }, [
    "meta",
  ]),
  Faults: objectOf({ errors: { type: "array", items: objectOf(fault, ["reason", "field", "message"]) } }, [
    "errors",
  ]),
  BatchFaults: objectOf(
    {
      errors: {
        type: "array",
        items: objectOf({ batch_index: { type: "integer", minimum: 0 }, ...fault }, [
          "reason",
          "field",
          "message",
        ]),
      },
    },
    ["errors"],
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>

/** The schemas of success and error bodies of the Pipelines API (contract §2, §4). */
export const pipelinesSchemas = {
  Success: objectOf(
    {
      success: { const: true },
      outcomes: {
        type: "array",
        description: "Only if the request asks for `outcomes=true`.",
        items: { type: "object" },
      },
    },
    ["success"],
  ),
  Refusal: objectOf(
    {
      success: { const: false },
      code: message,
      message,
      error: message,
      meta: objectOf({ error: message }, ["error"]),
    },
    ["success", "code", "message", "error", "meta"],
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>

/** The response to a region lookup. */
export const regionSchema: JsonSchema = objectOf(
  {
    region: { enum: ["us", "eu"] },
    environment_id: { type: "integer" },
    url: { type: "string" },
  },
  ["region", "environment_id", "url"],
)

/** The response with a document of this kind. */
export const documentResponse = response("This document. It holds nothing secret, so it needs no key.", {
  hasOperation: false,
  schema: { type: "object" },
})
