import type { Operation } from "./Operation.ts"
import { documentResponse } from "./responses.ts"
import { trackV1Operations } from "./trackV1Operations.ts"
import { trackV2Operations } from "./trackV2Operations.ts"

/** The path at which the server serves the OpenAPI document of the Track API. */
export const trackDocumentPath = "/api/openapi.json"

const trackDocument: Operation = {
  id: "getTrackDocument",
  tag: "Documents",
  summary: "Get this document",
  method: "get",
  paths: [trackDocumentPath],
  parameters: [],
  body: null,
  security: [{}],
  responses: { "200": documentResponse },
}

/** The operations of both versions of the Track API (contract §2). */
export const trackOperations: ReadonlyArray<Operation> = [
  ...trackV1Operations,
  ...trackV2Operations,
  trackDocument,
]
