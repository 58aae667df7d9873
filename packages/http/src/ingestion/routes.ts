import { pipelinesDocumentPath } from "@inlethq/wire/openapi/pipelinesOperations"
import { trackDocumentPath } from "@inlethq/wire/openapi/trackOperations"
import { operationPaths } from "@inlethq/wire/pipelines/CallType"
import type { Endpoint } from "./Call.ts"
import { clientMetrics } from "./clientMetrics.ts"
import { pipelinesEndpoint } from "./pipelines.ts"
import { preflight } from "./preflight.ts"
import { pipelinesRegion, region } from "./region.ts"
import type { Route } from "./Router.ts"
import { browserSettings } from "./browserSettings.ts"
import * as Snippet from "./snippet.ts"
import { pipelinesOpenApi, trackOpenApi } from "./openApi.ts"
import * as TrackV1 from "./trackV1.ts"
import * as TrackV2 from "./trackV2.ts"
import { unsubscribe } from "./unsubscribe.ts"

const customer = "/api/v1/customers/:identifier"

const trackV1Routes: ReadonlyArray<Route<Endpoint>> = [
  ["GET", "/api/v1/accounts/region", region],
  ["PUT", customer, TrackV1.identify],
  ["DELETE", customer, TrackV1.remove],
  ["PUT", `${customer}/devices`, TrackV1.addDevice],
  ["DELETE", `${customer}/devices/:device_id`, TrackV1.deleteDevice],
  ["POST", `${customer}/suppress`, TrackV1.suppress],
  ["POST", `${customer}/unsuppress`, TrackV1.unsuppress],
  ["POST", `${customer}/events`, TrackV1.event],
  ["PUT", `${customer}/events`, TrackV1.event],
  ["POST", "/api/v1/events", TrackV1.anonymousEvent],
  ["POST", "/api/v1/merge_customers", TrackV1.merge],
  ["POST", "/api/v1/metrics", TrackV1.metric],
  ["POST", "/api/v1/push/events", TrackV1.pushMetric],
  ["POST", "/push/events", TrackV1.pushMetric],
  ["POST", "/api/v1/forms/:form_id/submit", TrackV1.form],
  ["POST", "/api/v1/segments/:segment_id/add_customers", TrackV1.addToSegment],
  ["POST", "/api/v1/segments/:segment_id/remove_customers", TrackV1.removeFromSegment],
  // An empty segment id gets the same response as any other unknown segment.
  ["POST", "/api/v1/segments/add_customers", TrackV1.addToSegment],
  ["POST", "/api/v1/segments/remove_customers", TrackV1.removeFromSegment],
  ["POST", "/unsubscribe/:delivery_id", unsubscribe],
  ["POST", "/unsubscribe", unsubscribe],
  ["GET", "/api/v1/auth", TrackV1.probe],
  ["GET", "/auth", TrackV1.probe],
  ["GET", trackDocumentPath, trackOpenApi],
]

const trackV2Routes: ReadonlyArray<Route<Endpoint>> = ["/v2", "/api/v2"].flatMap((base) => [
  ["POST", `${base}/entity`, TrackV2.entity],
  ["POST", `${base}/batch`, TrackV2.batch],
])

const pipelinesPosts: ReadonlyArray<Route<Endpoint>> = [
  ...operationPaths.map(([path, operation]): Route<Endpoint> => [
    "POST",
    `/v1/${path}`,
    pipelinesEndpoint(operation),
  ]),
  ["POST", "/v1/m", clientMetrics],
]

const snippet = "/v1/analytics-js/snippet/:write_key"

const pipelinesGets: ReadonlyArray<Route<Endpoint>> = [
  ["GET", "/v1/accounts/region", pipelinesRegion],
  ["GET", pipelinesDocumentPath, pipelinesOpenApi],
  ["GET", "/v1/projects/:write_key/settings", browserSettings],
  ["GET", `${snippet}/analytics.min.js`, Snippet.script],
  ["GET", snippet, Snippet.page],
  ["GET", "/v1/analytics-js/:file", Snippet.part],
  ["GET", "/v1/analytics-js/:version/:file", Snippet.versionedPart],
]

const preflights = [...pipelinesPosts, ...pipelinesGets].map(([, path]): Route<Endpoint> => [
  "OPTIONS",
  path,
  preflight,
])

/** The routing table of the ingestion API (contract §2). */
export const routes: ReadonlyArray<Route<Endpoint>> = [
  ...trackV1Routes,
  ...trackV2Routes,
  ...pipelinesPosts,
  ...pipelinesGets,
  ...preflights,
]
