import { anyItem, batchBody } from "./itemSchemas.ts"
import type { Operation } from "./Operation.ts"
import { overloads, rateHeaders, response, schemaNamed, unreadableBodies } from "./responses.ts"
import { applied, example, invalid, metaError, trackSecurity, type Answers } from "./trackAnswers.ts"

const v2Answers = (errors: "Faults" | "BatchFaults"): Answers => ({
  "200": applied,
  "400": invalid(errors),
  "401": response("The credentials are missing or wrong.", {
    schema: { allOf: [metaError, schemaNamed("Faults")] },
    hasOperation: false,
  }),
  ...unreadableBodies(schemaNamed("Faults")),
  ...overloads(schemaNamed("Faults"), metaError),
})

const identifyItem = {
  type: "person",
  action: "identify",
  identifiers: { id: "ada" },
  attributes: { plan: "pro" },
}
const eventItem = {
  type: "person",
  action: "event",
  identifiers: { id: "ada" },
  name: "purchase",
  attributes: { price: 23.5 },
}
const objectItem = {
  type: "object",
  action: "identify",
  identifiers: { object_type_id: "1", object_id: "acme" },
  attributes: { name: "Acme" },
  svc_relationships: [{ identifiers: { id: "ada" } }],
}
const reportItem = {
  type: "delivery",
  action: "event",
  identifiers: { id: "delivery-1" },
  name: "opened",
}

/** The operations of version 2 of the Track API. */
export const trackV2Operations: ReadonlyArray<Operation> = [
  {
    id: "applyEntity",
    tag: "Track v2",
    summary: "Apply one item",
    method: "post",
    paths: ["/v2/entity", "/api/v2/entity"],
    parameters: [],
    body: {
      schema: anyItem,
      isRequired: true,
      examples: [
        example(identifyItem, "identify"),
        example(eventItem, "event"),
        example(objectItem, "object"),
        example(reportItem, "report"),
      ],
    },
    security: trackSecurity,
    responses: v2Answers("Faults"),
  },
  {
    id: "applyBatch",
    tag: "Track v2",
    summary: "Apply many items in order",
    method: "post",
    paths: ["/v2/batch", "/api/v2/batch"],
    parameters: [],
    body: {
      schema: batchBody,
      isRequired: true,
      examples: [example({ batch: [identifyItem, eventItem] }, "valid")],
    },
    security: trackSecurity,
    responses: {
      ...v2Answers("BatchFaults"),
      "207": response("Some items are invalid, and the others are applied.", {
        schema: schemaNamed("BatchFaults"),
        headers: rateHeaders,
      }),
    },
  },
]
