import { Schema } from "effect"

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

const pipelines: Readonly<Record<string, Operation>> = {
  identify: "identify",
  i: "identify",
  track: "track",
  t: "track",
  page: "page",
  p: "page",
  screen: "screen",
  s: "screen",
  group: "group",
  g: "group",
  alias: "alias",
  a: "alias",
  batch: "batch",
  b: "batch",
  import: "batch",
}

const customer = String.raw`^/api/v1/customers/[^/]+`

/**
 * The operations of the Track API by method and path. If several entries match a request, the first of them applies.
 */
const track: ReadonlyArray<readonly [methods: string, path: RegExp, operation: Operation]> = [
  ["PUT", new RegExp(`${customer}$`), "identify"],
  ["DELETE", new RegExp(`${customer}$`), "delete"],
  ["PUT", new RegExp(`${customer}/devices$`), "add_device"],
  ["DELETE", new RegExp(`${customer}/devices/`), "delete_device"],
  ["POST PUT", new RegExp(`${customer}/events$`), "track"],
  ["POST", new RegExp(`${customer}/suppress$`), "suppress"],
  ["POST", new RegExp(`${customer}/unsuppress$`), "unsuppress"],
  ["POST", /^\/api\/v1\/events$/, "track"],
  ["POST", /^\/api\/v1\/merge_customers$/, "merge"],
  ["POST", /^(\/api\/v1)?\/(metrics|push\/events)$/, "metric"],
  ["POST", /^\/api\/v1\/forms\//, "form"],
  ["POST", /^\/api\/v1\/segments\//, "segment"],
  ["POST", /^\/unsubscribe(\/|$)/, "unsubscribe"],
  ["POST", /^(\/api)?\/v2\/batch$/, "batch"],
  ["POST", /^(\/api)?\/v2\/entity$/, "entity"],
]

/** Returns the operation of an ingestion request, or undefined for other requests. */
export const operationOf = (method: string, url: string): Operation | undefined => {
  const path = url.split("?", 1)[0] ?? ""
  const call = /^\/v1\/(\w+)\/?$/.exec(path)?.[1]
  if (method === "POST" && call !== undefined) return pipelines[call]
  return track.find(([methods, pattern]) => methods.split(" ").includes(method) && pattern.test(path))?.[2]
}
