import { Schema } from "effect"
import { readFileSync } from "node:fs"
import type { Answer } from "./http.ts"
import { send } from "./http.ts"
import { base64 } from "./ingestion.ts"
import { read, type Entry } from "./Management.ts"
import type { Tenant } from "./Tenant.ts"

const Request = Schema.Struct({
  n: Schema.Int,
  source: Schema.String,
  method: Schema.String,
  path: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.optionalKey(Schema.Unknown),
  status: Schema.Int,
})
export type Request = typeof Request.Type

const recorded = read(
  Schema.Array(Request),
  JSON.parse(readFileSync(new URL("../conformance/track-replay.json", import.meta.url), "utf8")),
)

/** Events whose time cannot be read. The hosted service refuses them; the contract keeps them at receipt (§8). */
const keptAtReceipt: ReadonlySet<number> = new Set([102, 103, 120, 121, 128, 129, 130, 131])

/** Recorded requests of public Track API clients. */
export const requests = recorded.map((request) =>
  keptAtReceipt.has(request.n) ? { ...request, status: 200 } : request,
)

/**
 * Sends a recorded request with the credentials of a workspace. In the path, `segment` replaces the recorded segment
 * id.
 */
export const replay = (tenant: Tenant, segment: number, request: Request): Promise<Answer> => {
  const { apiKey, siteId } = tenant
  const basic = base64(`${siteId}:${apiKey}`)
  const credentials: Readonly<Record<string, string>> = {
    "{basic}": basic,
    "{basic-url-safe}": basic.replaceAll("+", "-").replaceAll("/", "_"),
    "{basic-wrong-site}": base64(`wrong:${apiKey}`),
    "{basic-wrong-key}": base64(`${siteId}:wrong`),
  }
  const authorization = credentials[request.headers["authorization"] ?? ""]
  return send(tenant.inlet.url, {
    method: request.method,
    path: request.path.replace("{segment}", String(segment)),
    headers: { ...request.headers, authorization: `Basic ${authorization}` },
    ...(request.body === undefined ? {} : { body: textOf(request.body) }),
  })
}

const textOf = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body))

const v1Kinds: ReadonlyArray<readonly [RegExp, string]> = [
  [/^DELETE .*\/devices\//, "delete_device"],
  [/^DELETE /, "delete"],
  [/\/devices$/, "add_device"],
  [/\/suppress$/, "suppress"],
  [/\/unsuppress$/, "unsuppress"],
  [/\/merge_customers$/, "merge"],
  [/\/(metrics|push\/events)$/, "delivery_metric"],
  [/\/add_customers/, "segment_add"],
  [/\/remove_customers/, "segment_remove"],
  [/^PUT /, "identify"],
]

const Event = Schema.Struct({ type: Schema.optionalKey(Schema.String) })

const Item = Schema.Struct({
  type: Schema.String,
  action: Schema.String,
  identifiers: Schema.optionalKey(Schema.Struct({ anonymous_id: Schema.optionalKey(Schema.Unknown) })),
})

const Batch = Schema.Struct({ batch: Schema.Array(Item) })

/** Returns the kind of each operation in a request, in order. */
const kindsOf = ({ body, method, path }: Request): ReadonlyArray<string> => {
  if (path.endsWith("/batch")) return read(Batch, body).batch.map(itemKind)
  if (path.endsWith("/entity")) return [itemKind(read(Item, body))]
  const known = v1Kinds.find(([pattern]) => pattern.test(`${method} ${path}`))
  if (known !== undefined) return [known[1]]
  const { type = "event" } = read(Event, body)
  return [type === "event" && path === "/api/v1/events" ? "anonymous_event" : type]
}

const itemKind = ({ action, identifiers, type }: typeof Item.Type): string => {
  if (type === "delivery") return "delivery_metric"
  if (type === "object" && action.startsWith("identify")) return "object_identify"
  if (type === "object" && action === "delete") return "object_delete"
  if (!/^(event|viewed_content|clicked_content)$/.test(action)) return action
  return identifiers?.anonymous_id === undefined ? "event" : "anonymous_event"
}

/** The outcome of each kind of operation in an empty workspace. */
const outcomeIfEmpty: Readonly<Record<string, string>> = {
  identify: "created",
  delete: "dropped",
  suppress: "applied",
  unsuppress: "dropped",
  merge: "dropped",
  event: "pending",
  page: "pending",
  screen: "pending",
  anonymous_event: "pending",
  add_device: "created",
  delete_device: "dropped",
  add_relationships: "created",
  delete_relationships: "dropped",
  object_identify: "created",
  object_delete: "dropped",
  delivery_metric: "applied",
  segment_add: "applied",
  segment_remove: "applied",
}

const unknownSvcId = ["identify dropped"]

/**
 * The expected outcomes of the recorded requests for which `outcomeIfEmpty` is wrong, because their items affect each
 * other or have an unknown `svc_id`. The key is the number of the request in the recording.
 */
const exceptions: ReadonlyMap<number, ReadonlyArray<string>> = new Map([
  [17, ["object_identify partial"]],
  [18, ["object_identify partial"]],
  [135, unknownSvcId],
  [178, ["object_identify created", "object_delete applied"]],
  [179, ["identify created", "page pending", "object_identify created", "object_delete applied"]],
  [197, unknownSvcId],
  [261, ["identify created", "event applied"]],
  [272, unknownSvcId],
  [273, unknownSvcId],
  [274, unknownSvcId],
  [275, ["identify partial"]],
  [276, unknownSvcId],
  [305, ["identify created", "event applied", "delete dropped"]],
])

/** Returns the kinds and outcomes of the log entries that a request must produce in an empty workspace. */
export const expectedOutcomes = (request: Request): ReadonlyArray<string> => {
  if (request.status === 401) return []
  const kinds = kindsOf(request)
  if (request.status === 400) return kinds.map((kind) => `${kind} rejected`)
  return exceptions.get(request.n) ?? kinds.map((kind) => `${kind} ${outcomeIfEmpty[kind]}`)
}

/**
 * Returns the kinds and outcomes of log entries. Leaves out calls of the management API, because their entries have no
 * kind.
 */
export const recordedOutcomes = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries.filter(({ kind }) => kind !== null).map(({ kind, outcome }) => `${kind} ${outcome}`)
