import { defaultLimits, foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { JsonSchema } from "./fieldSchemas.ts"
import type { BodyExample, Operation, Parameter } from "./Operation.ts"
import { overloads, rateHeaders, regionSchema, response, schemaNamed, unreadableBodies } from "./responses.ts"
import {
  applied,
  example,
  invalid,
  metaError,
  trackSecurity,
  type Answers,
  type ErrorName,
} from "./trackAnswers.ts"
import {
  eventBody,
  deviceBody,
  formBody,
  identifyBody,
  mergeBody,
  metricBody,
  pushMetricBody,
  segmentBody,
  unsubscribeBody,
  unsubscribeDeliveryBody,
} from "./trackSchemas.ts"

const inPath = (name: string, description: string, lengthMax: number, example: string): Parameter => ({
  name,
  in: "path",
  description,
  schema: { type: "string", minLength: 1, maxLength: lengthMax },
  example,
})

const identifier = inPath(
  "identifier",
  "The id or email of a person, or a `svc_id` with its prefix.",
  defaultLimits.attributeValueBytesMax,
  "ada",
)

const v1 = "/api/v1"
const customer = `${v1}/customers/{identifier}` as const

const unauthorized = response("The credentials are missing or wrong.", {
  schema: metaError,
  hasOperation: false,
})

const v1Answers = (errors: ErrorName, hasBody: boolean): Answers => ({
  "200": applied,
  "400": invalid(errors),
  "401": unauthorized,
  ...(hasBody && unreadableBodies(schemaNamed(errors))),
  ...overloads(metaError, metaError),
})

type Bodied = Pick<Operation, "id" | "summary" | "paths"> & {
  readonly method?: Operation["method"]
  readonly errors?: ErrorName
  readonly parameters?: ReadonlyArray<Parameter>
  readonly schema: JsonSchema
  readonly example: BodyExample["body"]
  readonly answers?: Answers
}

const bodied = ({ answers = {}, errors = "MetaError", method = "post", ...rest }: Bodied): Operation => ({
  id: rest.id,
  summary: rest.summary,
  paths: rest.paths,
  tag: "Track v1",
  method,
  parameters: rest.parameters ?? [],
  body: { schema: rest.schema, isRequired: true, examples: [example(rest.example)] },
  security: trackSecurity,
  responses: { ...v1Answers(errors, true), ...answers },
})

type Bodyless = Pick<Operation, "id" | "summary" | "method" | "paths" | "parameters"> & {
  readonly answers?: Answers
}

const bodyless = ({ answers = {}, ...rest }: Bodyless): Operation => ({
  ...rest,
  tag: "Track v1",
  body: null,
  security: trackSecurity,
  responses: { ...v1Answers("MetaError", false), ...answers },
})

const peopleOperations: ReadonlyArray<Operation> = [
  bodied({
    id: "identify",
    summary: "Create or update a person",
    method: "put",
    paths: [customer],
    errors: "MetaErrors",
    parameters: [identifier],
    schema: identifyBody,
    example: { email: "ada@example.com", plan: "pro", created_at: 1_700_000_000 },
  }),
  bodyless({
    id: "deletePerson",
    summary: "Delete a person",
    method: "delete",
    paths: [customer],
    parameters: [identifier],
  }),
  bodyless({
    id: "suppressPerson",
    summary: "Delete a person and ignore later calls about them",
    method: "post",
    paths: [`${customer}/suppress`],
    parameters: [identifier],
  }),
  bodyless({
    id: "unsuppressPerson",
    summary: "Accept calls about a suppressed person again",
    method: "post",
    paths: [`${customer}/unsuppress`],
    parameters: [identifier],
  }),
  bodied({
    id: "mergePeople",
    summary: "Merge two people",
    paths: [`${v1}/merge_customers`],
    schema: mergeBody,
    example: { primary: { id: "ada" }, secondary: { email: "ada@example.org" } },
  }),
]

const deviceOperations: ReadonlyArray<Operation> = [
  bodied({
    id: "addDevice",
    summary: "Add or update a device",
    method: "put",
    paths: [`${customer}/devices`],
    errors: "MetaErrors",
    parameters: [identifier],
    schema: deviceBody,
    example: { device: { id: "token-1", platform: "ios", last_used: 1_700_000_000 } },
  }),
  bodyless({
    id: "deleteDevice",
    summary: "Remove a device",
    method: "delete",
    paths: [`${customer}/devices/{device_id}`],
    parameters: [identifier, inPath("device_id", "The token of the device.", foreignIdBytesMax, "token-1")],
    answers: { "400": invalid("MetaErrors") },
  }),
]

const eventExample = { name: "purchase", timestamp: 1_700_000_000, data: { price: 23.5 } }

const eventOperations: ReadonlyArray<Operation> = [
  ...(["post", "put"] as const).map((method) =>
    bodied({
      id: method === "post" ? "trackEvent" : "putEvent",
      summary: "Record an event of a person",
      method,
      paths: [`${customer}/events`],
      parameters: [identifier],
      schema: eventBody,
      example: eventExample,
    }),
  ),
  bodied({
    id: "trackAnonymousEvent",
    summary: "Record an event of an anonymous visitor",
    paths: [`${v1}/events`],
    schema: eventBody,
    example: { ...eventExample, anonymous_id: "visitor-1" },
  }),
  bodied({
    id: "reportMetric",
    summary: "Report what happened to a message",
    paths: [`${v1}/metrics`],
    schema: metricBody,
    example: { delivery_id: "delivery-1", metric: "delivered", timestamp: 1_700_000_000 },
  }),
  bodied({
    id: "reportPushMetric",
    summary: "Report what happened to a push message",
    paths: [`${v1}/push/events`, "/push/events"],
    schema: pushMetricBody,
    example: { delivery_id: "delivery-1", event: "opened", device_id: "token-1" },
  }),
]

const segmentId = inPath("segment_id", "The id of a manual segment.", 16, "1")

const membership = (action: "add" | "remove"): Operation =>
  bodied({
    id: `${action}${action === "add" ? "To" : "From"}Segment`,
    summary: action === "add" ? "Add people to a manual segment" : "Remove people from a manual segment",
    paths: [`${v1}/segments/{segment_id}/${action}_customers`],
    parameters: [
      segmentId,
      {
        name: "id_type",
        in: "query",
        description: "The kind of the ids, `id` if missing.",
        schema: { enum: ["id", "email", "svc_id", "cio_id"] },
        example: "id",
      },
    ],
    schema: segmentBody,
    example: { ids: ["ada", "bob"] },
    answers: {
      "404": response("The segment does not exist.", {
        schema: { type: "string" },
        contentType: "text/plain",
        headers: rateHeaders,
      }),
    },
  })

const form = bodied({
  id: "submitForm",
  summary: "Submit a form",
  paths: [`${v1}/forms/{form_id}/submit`],
  errors: "MetaErrors",
  parameters: [inPath("form_id", "The id of the form.", foreignIdBytesMax, "newsletter")],
  schema: formBody,
  example: { data: { email: "ada@example.com", topic: "engines" } },
})

const { "200": _ok, ...formFailures } = form.responses

/** Without credentials, the response does not say whether the delivery is known. */
const unsubscribeAnswers: Answers = {
  "200": response("Accepted.", { schema: { type: "object" }, hasOperation: false }),
  "400": response("The request is invalid. Nothing was applied.", {
    schema: metaError,
    hasOperation: false,
  }),
  ...unreadableBodies(metaError),
  ...overloads(metaError, metaError),
}

/** Unsubscribing needs no credentials. */
const optionalSecurity: ReadonlyArray<JsonObject> = [{}, ...trackSecurity]

const unsubscribes: ReadonlyArray<Operation> = [
  {
    ...bodied({
      id: "unsubscribe",
      summary: "Unsubscribe the recipient of a delivery",
      paths: ["/unsubscribe/{delivery_id}"],
      parameters: [inPath("delivery_id", "The id of the delivery.", foreignIdBytesMax, "delivery-1")],
      schema: unsubscribeBody,
      example: { unsubscribe: true },
    }),
    body: { schema: unsubscribeBody, isRequired: false, examples: [example({ unsubscribe: true })] },
    security: optionalSecurity,
    responses: unsubscribeAnswers,
  },
  {
    ...bodied({
      id: "unsubscribeDelivery",
      summary: "Unsubscribe the recipient of the delivery in the body",
      paths: ["/unsubscribe"],
      schema: unsubscribeDeliveryBody,
      example: { delivery_id: "delivery-1", unsubscribe: true },
    }),
    security: optionalSecurity,
    responses: unsubscribeAnswers,
  },
]

const lookups: ReadonlyArray<Operation> = [
  bodyless({
    id: "getRegion",
    summary: "Find out the region of the workspace",
    method: "get",
    paths: [`${v1}/accounts/region`],
    parameters: [],
    answers: {
      "200": response("The region, and the address of its node.", {
        hasOperation: false,
        schema: regionSchema,
      }),
    },
  }),
  bodyless({
    id: "checkCredentials",
    summary: "Check the credentials",
    method: "get",
    paths: [`${v1}/auth`, "/auth"],
    parameters: [],
    answers: {
      "200": response("The credentials are valid.", { hasOperation: false, schema: { type: "object" } }),
    },
  }),
]

/** The operations of version 1 of the Track API. */
export const trackV1Operations: ReadonlyArray<Operation> = [
  ...lookups,
  ...peopleOperations,
  ...deviceOperations,
  ...eventOperations,
  { ...form, responses: { "204": response("Submitted.", { headers: rateHeaders }), ...formFailures } },
  membership("add"),
  membership("remove"),
  ...unsubscribes,
]
