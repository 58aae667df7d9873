import { defaultLimits } from "@inlethq/core/workspace/Limits"
import type { JsonObject } from "@inlethq/core/values/Json"
import { callTypes, operationPaths, type CallType } from "../pipelines/CallType.ts"
import {
  needsCaller,
  requiredFields,
  strictBatchFields,
  strictFields,
  type StrictForm,
} from "../pipelines/strict.ts"
import { anyPresent, isoTime, objectOf, optionalObject, text, type JsonSchema } from "./fieldSchemas.ts"
import type { BodyExample, Operation, Parameter } from "./Operation.ts"
import { documentResponse, overloads, rateHeaders, regionSchema, response, schemaNamed } from "./responses.ts"

/** The path at which the server serves the OpenAPI document of the Pipelines API. */
export const pipelinesDocumentPath = "/v1/openapi.json"

const forms: Readonly<Record<StrictForm, JsonSchema>> = {
  text: { type: ["string", "null"] },
  id: text(),
  time: isoTime,
  object: optionalObject,
  nested: { type: ["object", "array", "null"] },
}

const propertiesOf = (fields: ReturnType<typeof strictFields>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(fields.map(([field, form]) => [field, forms[form]]))

const writeKey: JsonSchema = {
  type: "string",
  description: "The key of the workspace, if the `Authorization` header is missing.",
}

/** Demands a field that is neither missing nor blank. */
const filled = (field: string): JsonSchema => ({
  required: [field],
  properties: { [field]: { type: ["string", "number"], pattern: String.raw`\S` } },
})

const callSchema = (type: CallType): JsonSchema => {
  const field = requiredFields.get(type)
  return {
    ...objectOf({ ...propertiesOf(strictFields(type)), writeKey }),
    ...(needsCaller(type) && anyPresent(["userId", "anonymousId"])),
    ...(field !== undefined && { allOf: [filled(field)] }),
  }
}

const nameOf = (type: CallType): string => type.charAt(0).toUpperCase() + type.slice(1)

/** The schemas of calls by their names in the document. Strict mode refuses what they refuse. */
export const callSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  callTypes.map((type) => [nameOf(type), callSchema(type)]),
)

const batchSchema: JsonSchema = objectOf(
  {
    batch: {
      type: "array",
      items: {
        oneOf: callTypes.map((type) => ({
          allOf: [{ required: ["type"], properties: { type: { const: type } } }, schemaNamed(nameOf(type))],
        })),
      },
    },
    ...propertiesOf(strictBatchFields),
    writeKey,
  },
  ["batch"],
)

const examples: Readonly<Record<CallType, JsonObject>> = {
  identify: { userId: "ada", traits: { email: "ada@example.com", plan: "pro" } },
  track: {
    userId: "ada",
    event: "Order Completed",
    properties: { price: 23.5 },
    timestamp: "2026-01-31T12:00:00.000Z",
  },
  page: { anonymousId: "visitor-1", name: "Home", properties: { path: "/" } },
  screen: { userId: "ada", name: "Settings" },
  group: { userId: "ada", groupId: "acme", traits: { object_type_id: "1", name: "Acme" } },
  alias: { userId: "ada", previousId: "visitor-1" },
}

const batchExample: JsonObject = {
  batch: callTypes.map((type) => ({ type, ...examples[type] })),
  sentAt: "2026-01-31T12:00:00.000Z",
}

const parameters: ReadonlyArray<Parameter> = [
  {
    name: "X-Strict-Mode",
    in: "header",
    description: "With 1, an invalid call gets an error. Otherwise, almost every call gets a 200.",
    schema: { enum: ["1"] },
    example: "1",
  },
  {
    name: "outcomes",
    in: "query",
    description: "With `true`, the response lists the outcome of each call, if the server allows it.",
    schema: { enum: ["true"] },
    example: "true",
  },
]

const security: ReadonlyArray<JsonObject> = [{ writeKey: [] }, { writeKeyAsToken: [] }, {}]

const success = response("Accepted. In default mode, also the response to invalid calls.", {
  schema: schemaNamed("Success"),
  headers: rateHeaders,
})
const refusal = schemaNamed("Refusal")

const failures: Readonly<Record<string, JsonObject>> = {
  "400": response("Only in strict mode: the call or a call of the batch is invalid. Nothing was applied.", {
    schema: refusal,
    headers: rateHeaders,
  }),
  "401": response("Only in strict mode: the write key is missing or wrong.", {
    schema: refusal,
    hasOperation: false,
  }),
  "408": response("The body did not arrive in time.", { schema: refusal }),
  "415": response("Only in strict mode: the `Content-Encoding` is neither gzip nor deflate.", {
    schema: refusal,
  }),
  ...overloads(refusal, refusal),
}

const posts: ReadonlyArray<Operation> = [...callTypes, "batch" as const].map((operation): Operation => {
  const [first = operation, ...others] = operationPaths
    .filter(([, other]) => other === operation)
    .map(([path]) => `/v1/${path}`)
  const example: BodyExample = {
    name: "example",
    body: operation === "batch" ? batchExample : examples[operation],
  }
  return {
    id: operation,
    tag: "Pipelines",
    summary: operation === "batch" ? "Apply many calls in order" : `Apply a call of type ${operation}`,
    method: "post",
    paths: [first, ...others],
    parameters,
    body: {
      schema: operation === "batch" ? batchSchema : schemaNamed(nameOf(operation)),
      isRequired: true,
      examples: [example],
    },
    security,
    responses: { "200": success, ...failures },
  }
})

const metrics: Operation = {
  id: "reportClientMetrics",
  tag: "Pipelines",
  summary: "Report metrics of a client library, which are counted and discarded",
  method: "post",
  paths: ["/v1/m"],
  parameters: [],
  body: {
    schema: { type: "object" },
    isRequired: false,
    examples: [{ name: "example", body: { series: [] } }],
  },
  security: [{}],
  responses: {
    "200": response("Counted.", { schema: schemaNamed("Success"), hasOperation: false }),
    "408": response("The body did not arrive in time.", { schema: refusal }),
    "500": response("A fault of the server.", { hasOperation: false, schema: refusal }),
  },
}

const inPath = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "path",
  description,
  schema: { type: "string", minLength: 1, maxLength: defaultLimits.attributeValueBytesMax },
  example,
})

const writeKeyInPath = inPath("write_key", "The write key of the workspace.", "write-key")
const file = inPath("file", "The name of a part of the library.", "schemaFilter.js")

const lookup = (
  id: string,
  summary: string,
  path: string,
  pathParameters: ReadonlyArray<Parameter>,
  found: JsonObject,
  others: Readonly<Record<string, JsonObject>>,
): Operation => ({
  id,
  tag: "Browsers",
  summary,
  method: "get",
  paths: [path],
  parameters: pathParameters,
  body: null,
  security: [{}],
  responses: {
    "200": found,
    ...others,
    "500": response("A fault of the server.", { hasOperation: false, schema: refusal }),
  },
})

const javascript = response("JavaScript.", {
  schema: { type: "string" },
  contentType: "text/javascript",
  hasOperation: false,
})
const unknownFile = {
  "304": response("The copy of the browser is current.", { hasOperation: false }),
  "404": response("The library has no such file.", { hasOperation: false, schema: refusal }),
}
const unknownKey = {
  "404": response("The write key is unknown.", { hasOperation: false, schema: refusal }),
  "503": response("The store cannot be read now.", {
    hasOperation: false,
    schema: refusal,
    headers: ["Retry-After"],
  }),
}
const snippet = "/v1/analytics-js/snippet/{write_key}"

const gets: ReadonlyArray<Operation> = [
  {
    ...lookup(
      "getRegion",
      "Find out the region of the workspace",
      "/v1/accounts/region",
      [],
      response("The region, and the address of its node.", { hasOperation: false, schema: regionSchema }),
      {
        "401": response("The write key is missing or wrong.", { hasOperation: false, schema: refusal }),
        "503": unknownKey["503"],
      },
    ),
    tag: "Pipelines",
    security: security.slice(0, 2),
  },
  lookup(
    "getBrowserSettings",
    "Get the settings of the browser library",
    "/v1/projects/{write_key}/settings",
    [writeKeyInPath],
    response("The settings.", { hasOperation: false, schema: { type: "object" } }),
    unknownKey,
  ),
  lookup(
    "getBrowserLibrary",
    "Get the browser library",
    `${snippet}/analytics.min.js`,
    [writeKeyInPath],
    javascript,
    { "304": unknownFile["304"], ...unknownKey },
  ),
  lookup(
    "getSnippetPage",
    "Get a page with the script tag of the browser library",
    snippet,
    [writeKeyInPath],
    response("The page.", { schema: { type: "string" }, contentType: "text/html", hasOperation: false }),
    unknownKey,
  ),
  lookup(
    "getLibraryPart",
    "Get a part of the browser library",
    "/v1/analytics-js/{file}",
    [file],
    javascript,
    unknownFile,
  ),
  lookup(
    "getVersionedLibraryPart",
    "Get a part of one version of the browser library",
    "/v1/analytics-js/{version}/{file}",
    [inPath("version", "The version of the library.", "1.0.0"), file],
    javascript,
    unknownFile,
  ),
  lookup("getPipelinesDocument", "Get this document", pipelinesDocumentPath, [], documentResponse, {}),
]

/** The operations of the Pipelines API (contract §2). */
export const pipelinesOperations: ReadonlyArray<Operation> = [...posts, metrics, ...gets]
