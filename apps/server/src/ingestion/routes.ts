import { Effect } from "effect"
import { operationPaths } from "@inlet/api/pipelines/CallType"
import type { Answer } from "./Answer.ts"
import type { Endpoint } from "./Call.ts"
import { clientMetrics, pipelinesEndpoint } from "./pipelines.ts"
import type { Route } from "./Router.ts"
import * as TrackV1 from "./trackV1.ts"
import * as TrackV2 from "./trackV2.ts"

const trackV1Routes: ReadonlyArray<Route<Endpoint>> = [
  ["GET", "/api/v1/accounts/region", TrackV1.region],
  ["PUT", "/api/v1/customers/:identifier", TrackV1.identify],
  ["DELETE", "/api/v1/customers/:identifier", TrackV1.remove],
  ["POST", "/api/v1/customers/:identifier/events", TrackV1.event],
  ["PUT", "/api/v1/customers/:identifier/events", TrackV1.event],
  ["POST", "/api/v1/events", TrackV1.anonymousEvent],
  ["GET", "/api/v1/auth", TrackV1.probe],
  ["GET", "/auth", TrackV1.probe],
]

const trackV2Routes: ReadonlyArray<Route<Endpoint>> = ["/v2", "/api/v2"].flatMap((base) => [
  ["POST", `${base}/entity`, TrackV2.entity],
  ["POST", `${base}/batch`, TrackV2.batch],
])

const preflightAnswer: Answer = {
  status: 204,
  body: null,
  contentType: "",
  headers: {
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "authorization, content-type, x-retry-count, x-strict-mode",
    "access-control-max-age": "86400",
  },
}

/** What a browser asks before it sends a header of its own (contract §13). */
const preflight: Endpoint = () => Effect.succeed(preflightAnswer)

const pipelinesPosts: ReadonlyArray<Route<Endpoint>> = [
  ...operationPaths.map(([path, operation]): Route<Endpoint> => [
    "POST",
    `/v1/${path}`,
    pipelinesEndpoint(operation),
  ]),
  ["POST", "/v1/m", clientMetrics],
]

const preflights = pipelinesPosts.map(([, path]): Route<Endpoint> => ["OPTIONS", path, preflight])

/** Every path of the ingestion API (contract §2). */
export const routes: ReadonlyArray<Route<Endpoint>> = [
  ...trackV1Routes,
  ...trackV2Routes,
  ...pipelinesPosts,
  ...preflights,
]
