import { operationPaths } from "@inlethq/wire/pipelines/CallType"
import { parsePath } from "@inlethq/http/ingestion/Path"
import { makeRouter, type Route } from "@inlethq/http/ingestion/Router"
import { routes } from "@inlethq/http/ingestion/routes"
import * as TrackV1 from "@inlethq/http/ingestion/trackV1"
import * as TrackV2 from "@inlethq/http/ingestion/trackV2"
import { unsubscribe } from "@inlethq/http/ingestion/unsubscribe"
import { Result, Schema } from "effect"

/** The operation of an ingestion request. `batch` and `entity` requests hold calls of any kind. */
export const OperationName = Schema.Literals([
  "identify",
  "track",
  "page",
  "screen",
  "group",
  "alias",
  "batch",
  "entity",
  "delete",
  "merge",
  "suppress",
  "unsuppress",
  "add_device",
  "delete_device",
  "metric",
  "form",
  "segment",
  "unsubscribe",
])
export type Operation = typeof OperationName.Type

/** The operations of the endpoints of the Track API. */
const trackOperations = new Map<unknown, Operation>([
  [TrackV1.identify, "identify"],
  [TrackV1.remove, "delete"],
  [TrackV1.addDevice, "add_device"],
  [TrackV1.deleteDevice, "delete_device"],
  [TrackV1.event, "track"],
  [TrackV1.anonymousEvent, "track"],
  [TrackV1.suppress, "suppress"],
  [TrackV1.unsuppress, "unsuppress"],
  [TrackV1.merge, "merge"],
  [TrackV1.metric, "metric"],
  [TrackV1.pushMetric, "metric"],
  [TrackV1.form, "form"],
  [TrackV1.addToSegment, "segment"],
  [TrackV1.removeFromSegment, "segment"],
  [unsubscribe, "unsubscribe"],
  [TrackV2.batch, "batch"],
  [TrackV2.entity, "entity"],
])

/** The routing table of the server with the operations in place of the endpoints. */
const operations = makeRouter<Operation>([
  ...routes.flatMap(([method, path, endpoint]): ReadonlyArray<Route<Operation>> => {
    const operation = trackOperations.get(endpoint)
    return operation === undefined ? [] : [[method, path, operation]]
  }),
  ...operationPaths.map(([path, operation]): Route<Operation> => ["POST", `/v1/${path}`, operation]),
])

/** Returns the operation of an ingestion request, or undefined for other requests. */
export const operationOf = (method: string, url: string): Operation | undefined => {
  const path = parsePath(url)
  if (Result.isFailure(path)) return undefined
  const match = operations(method, path.success.segments)
  return match._tag === "Found" ? match.endpoint : undefined
}
