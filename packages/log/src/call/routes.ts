import type { Command } from "@inlethq/core/Command"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { utf8Bytes, type Json } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { decodeMapping } from "@inlethq/wire/operations/decodeMapping"
import { decodeOperation } from "@inlethq/wire/operations/decodeOperation"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { operationPaths, type Operation } from "@inlethq/wire/pipelines/CallType"
import * as Pipelines from "@inlethq/wire/pipelines/decode"
import type { RequestContext } from "@inlethq/wire/pipelines/RequestContext"
import { decodeMetric, decodePushMetric, decodeUnsubscribe } from "@inlethq/wire/track-v1/deliveries"
import { decodeTrackV1 } from "@inlethq/wire/track-v1/decodeTrackV1"
import { decodeAddDevice, decodeDeleteDevice } from "@inlethq/wire/track-v1/devices"
import { decodeAnonymousEvent, decodeEvent } from "@inlethq/wire/track-v1/events"
import { decodeForm } from "@inlethq/wire/track-v1/forms"
import {
  decodeDelete,
  decodeIdentify,
  decodeMerge,
  decodeSuppress,
  decodeUnsuppress,
} from "@inlethq/wire/track-v1/people"
import { decodeMembership } from "@inlethq/wire/track-v1/segments"
import { decodeBatch } from "@inlethq/wire/track-v2/batch"
import { decodeEntity } from "@inlethq/wire/track-v2/entity"
import type { Receipt } from "@inlethq/wire/decoding/Receipt"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { Call, CallProtocol } from "./Call.ts"

/** What a call says, taken apart. */
interface Parts {
  /** The decoded parameters of the path, in its order. */
  readonly parameters: ReadonlyArray<string>
  readonly query: string
  readonly body: Json
}

/** A request that becomes commands. */
interface Route {
  readonly protocol: CallProtocol
  readonly method: Call["method"]
  /** The segments of the path. One that begins with `:` stands for any text. */
  readonly segments: ReadonlyArray<string>
  readonly decode: (receipt: Receipt, parts: Parts) => ReadonlyArray<Command>
}

type Decoded = Result.Result<Command, RejectOperation>

const trackV1 = (
  method: Call["method"],
  kind: ActivityKind,
  path: string,
  decode: (receipt: Receipt, parts: Parts) => Decoded,
): Route => ({
  protocol: "track-v1",
  method,
  segments: path.slice(1).split("/"),
  decode: (receipt, parts) => [
    Result.merge(decodeTrackV1(receipt, kind, parts.body, (body) => decode(receipt, { ...parts, body }))),
  ],
})

const customer = "/api/v1/customers/:identifier"

const first = ({ parameters }: Parts): string => parameters[0] ?? ""
const second = ({ parameters }: Parts): string => parameters[1] ?? ""

const trackV1Routes: ReadonlyArray<Route> = [
  trackV1("PUT", "identify", customer, (receipt, parts) => decodeIdentify(receipt, first(parts), parts.body)),
  trackV1("DELETE", "delete", customer, (receipt, parts) => decodeDelete(receipt, first(parts))),
  trackV1("PUT", "add_device", `${customer}/devices`, (receipt, parts) =>
    decodeAddDevice(receipt, first(parts), parts.body),
  ),
  trackV1("DELETE", "delete_device", `${customer}/devices/:device_id`, (receipt, parts) =>
    decodeDeleteDevice(receipt, first(parts), second(parts)),
  ),
  trackV1("POST", "suppress", `${customer}/suppress`, (receipt, parts) =>
    decodeSuppress(receipt, first(parts)),
  ),
  trackV1("POST", "unsuppress", `${customer}/unsuppress`, (receipt, parts) =>
    decodeUnsuppress(receipt, first(parts)),
  ),
  trackV1("POST", "event", `${customer}/events`, (receipt, parts) =>
    decodeEvent(receipt, first(parts), parts.body),
  ),
  trackV1("POST", "anonymous_event", "/api/v1/events", (receipt, { body }) =>
    decodeAnonymousEvent(receipt, body),
  ),
  trackV1("POST", "merge", "/api/v1/merge_customers", (receipt, { body }) => decodeMerge(receipt, body)),
  trackV1("POST", "delivery_metric", "/api/v1/metrics", (receipt, { body }) => decodeMetric(receipt, body)),
  trackV1("POST", "delivery_metric", "/api/v1/push/events", (receipt, { body }) =>
    decodePushMetric(receipt, body),
  ),
  trackV1("POST", "delivery_metric", "/push/events", (receipt, { body }) => decodePushMetric(receipt, body)),
  trackV1("POST", "form_submission", "/api/v1/forms/:form_id/submit", (receipt, parts) =>
    decodeForm(receipt, first(parts), parts.body),
  ),
  ...(["add", "remove"] as const).flatMap((action) =>
    ["/api/v1/segments/:segment_id/", "/api/v1/segments/"].map((path) =>
      trackV1("POST", `segment_${action}`, `${path}${action}_customers`, (receipt, parts) =>
        decodeMembership(receipt, action, first(parts), parts.query, parts.body),
      ),
    ),
  ),
  trackV1("POST", "unsubscribe", "/unsubscribe/:delivery_id", (receipt, parts) =>
    decodeUnsubscribe(receipt, first(parts), parts.body ?? undefined),
  ),
  trackV1("POST", "unsubscribe", "/unsubscribe", (receipt, { body }) =>
    decodeUnsubscribe(receipt, null, body ?? undefined),
  ),
]

const bytesOf = (body: Json): number => utf8Bytes(JSON.stringify(body))

const trackV2Routes: ReadonlyArray<Route> = ["/v2", "/api/v2"].flatMap((base): ReadonlyArray<Route> => [
  {
    protocol: "track-v2",
    method: "POST",
    segments: `${base}/entity`.slice(1).split("/"),
    decode: (receipt, { body }) => [Result.merge(decodeEntity(receipt, body))],
  },
  {
    protocol: "track-v2",
    method: "POST",
    segments: `${base}/batch`.slice(1).split("/"),
    decode: (receipt, { body }) => {
      const decoded = decodeBatch(receipt, body, bytesOf(body))
      return Result.isSuccess(decoded) ? decoded.success.commands : [decoded.failure]
    },
  },
])

const pipelinesRoute = ([path, operation]: readonly [string, Operation]): Route => ({
  protocol: "pipelines",
  method: "POST",
  segments: ["v1", path],
  decode: (receipt, { body }) => {
    const context: RequestContext = {
      brand: receipt.brand,
      receivedAt: receipt.receivedAt,
      bytes: bytesOf(body),
      strict: receipt.client?.strict === true,
      client: receipt.client,
      open: () => receipt.workspace,
    }
    return operation === "batch"
      ? Pipelines.decodeBatch(context, body).commands
      : Pipelines.decodeCall(context, operation, body).commands
  },
})

const workspacePath = `${managementPath}/workspaces/:w`.slice(1).split("/")

const managementRoutes: ReadonlyArray<Route> = [
  {
    protocol: "management",
    method: "POST",
    segments: [...workspacePath, "operations"],
    decode: (receipt, { body }) => [Result.merge(decodeOperation(receipt, isJsonObject(body) ? body : {}))],
  },
  {
    protocol: "management",
    method: "PATCH",
    segments: [...workspacePath, "forms", ":form_id"],
    decode: (receipt, parts) => {
      const { mapping } = isJsonObject(parts.body) ? parts.body : {}
      return [Result.merge(decodeMapping(receipt, second(parts), mapping))]
    },
  },
]

const routes: ReadonlyArray<Route> = [
  ...trackV1Routes,
  ...trackV2Routes,
  ...operationPaths.map(pipelinesRoute),
  ...managementRoutes,
]

/** Returns the routes to which a path leads, with the parameters of the path. There is one for each method. */
export const routesTo = (
  path: string,
): ReadonlyArray<{ readonly route: Route; readonly parameters: ReadonlyArray<string> }> => {
  const segments = path.slice(1).split("/").map(decodedSegment)
  return routes.flatMap((route) => {
    const parameters = parametersIn(route, segments)
    return parameters === null ? [] : [{ route, parameters }]
  })
}

const parametersIn = (
  { segments }: Route,
  given: ReadonlyArray<string | null>,
): ReadonlyArray<string> | null => {
  if (segments.length !== given.length) return null
  const parameters: Array<string> = []
  for (const [index, segment] of segments.entries()) {
    const text = given[index] ?? null
    if (text === null) return null
    if (!segment.startsWith(":")) {
      if (text !== segment) return null
    } else if (text === "") return null
    else parameters.push(text)
  }
  return parameters
}

const decodedSegment = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
