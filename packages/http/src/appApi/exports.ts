import type { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { minuteMs, secondMs } from "@inlethq/core/values/Timestamp"
import { Clock, Effect, Option } from "effect"
import { type AppRefused, answerLists, json, list, refuse } from "./AppAnswer.ts"
import type { AppCall, AppEndpoint } from "./AppCall.ts"
import { appTexts } from "./appTexts.ts"
import { customerFilter } from "./customerFilter.ts"
import { bodyObject } from "./customers.ts"
import { isErased } from "./exportCheck.ts"
import {
  exportDocument,
  exportFile,
  exportIdIn,
  exportRetentionMs,
  exportsMax,
  findJob,
  saveJob,
  type ExportJob,
} from "./ExportJob.ts"
import { exportColumnsMax } from "./exportRows.ts"
import { linkTo } from "./exportLink.ts"

/** The time for which a link to the file of an export works, in milliseconds. */
export const linkMsMax = 15 * minuteMs

const sources = ["newsletter_id", "campaign_id", "transactional_message_id", "action_id"] as const

/** Reads the attributes that are to be columns. */
const attributesIn = (value: Json | undefined): Effect.Effect<ReadonlyArray<string> | null, AppRefused> => {
  if (value === undefined || value === null) return Effect.succeed(null)
  const names = Array.isArray(value) ? value.flatMap((name) => (typeof name === "string" ? [name] : [])) : []
  return Array.isArray(value) && names.length === value.length && names.length <= exportColumnsMax
    ? Effect.succeed(names)
    : Effect.fail(refuse(400, appTexts.wrongColumns({ max: exportColumnsMax })))
}

const idsOf = Effect.fnUntraced(function* (files: ExportFiles["Service"], workspace: WorkspaceId) {
  const own = (yield* files.list).filter((key) => key.workspace === workspace)
  return [...new Set(own.flatMap((key) => exportIdIn(key) ?? []))].toSorted((a, b) => b - a)
})

/** Adds an export, which the node that works at exports makes. Its id is the time, or the next one that is free. */
const addExport = Effect.fnUntraced(function* (
  { exports, workspace }: AppCall,
  asked: Pick<ExportJob, "type" | "filters" | "deliveries" | "attributes">,
) {
  const ids = yield* idsOf(exports, workspace.id)
  if (ids.length >= exportsMax) return yield* refuse(400, appTexts.tooManyExports({ max: exportsMax }))
  const createdAt = yield* Clock.currentTimeMillis
  const id = Math.max(createdAt, (ids[0] ?? 0) + 1)
  const times = { createdAt, updatedAt: createdAt }
  const job: ExportJob = { ...asked, ...times, id, status: "pending", total: 0, after: 0 }
  yield* saveJob(exports, workspace.id, job)
  return json({ export: exportDocument(job) })
})

export const exportCustomers: AppEndpoint = Effect.fn("app.exports.customers")(function* (call) {
  const { attributes, filters } = bodyObject(call)
  yield* customerFilter(filters, "filters")
  const columns = yield* attributesIn(attributes)
  const asked = { filters: filters ?? null, deliveries: null, attributes: columns }
  return yield* addExport(call, { type: "customers", ...asked })
})

export const exportMessages: AppEndpoint = Effect.fn("app.exports.deliveries")(function* (call) {
  const body = bodyObject(call)
  const name = sources.find((source) => typeof body[source] === "number" || typeof body[source] === "string")
  if (name === undefined) return yield* refuse(400, appTexts.noSource())
  const at = (field: string): number | null => {
    const value = body[field]
    return typeof value === "number" ? value * secondMs : null
  }
  const deliveries: ExportJob["deliveries"] = {
    source: [name, String(body[name])],
    metric: typeof body["metric"] === "string" ? body["metric"] : null,
    from: at("start") ?? 0,
    to: at("end"),
  }
  const attributes = yield* attributesIn(body["attributes"])
  return yield* addExport(call, { type: "deliveries", filters: null, deliveries, attributes })
})

/** Finds an export that is not older than a day. */
const jobAt = Effect.fnUntraced(function* (
  files: ExportFiles["Service"],
  workspace: WorkspaceId,
  id: number,
): Effect.fn.Return<Option.Option<ExportJob>, StoreUnavailable> {
  const now = yield* Clock.currentTimeMillis
  return Option.filter(
    yield* findJob(files, workspace, id),
    ({ createdAt }) => createdAt + exportRetentionMs > now,
  )
})

const jobIn = Effect.fnUntraced(function* ({ exports, parameters, workspace }: AppCall) {
  const [id = ""] = parameters
  const found = /^\d{1,15}$/.test(id) ? yield* jobAt(exports, workspace.id, Number(id)) : Option.none()
  return Option.isSome(found) ? found.value : yield* refuse(404, appTexts.notFound({ thing: "export" }))
})

export const listExports: AppEndpoint = Effect.fn("app.exports.list")(function* (call) {
  const { exports, turns, workspace } = call
  const ids = yield* idsOf(exports, workspace.id)
  const jobs = yield* Effect.forEach(ids, (id) => jobAt(exports, workspace.id, id))
  return yield* answerLists(turns, { exports: list(jobs.flatMap(Option.toArray), exportDocument) })
})

export const getExport: AppEndpoint = Effect.fn("app.exports.get")(function* (call) {
  return json({ export: exportDocument(yield* jobIn(call)) })
})

/** `GET …/download`: a link to the file, which works for a while without a key. */
export const downloadExport: AppEndpoint = Effect.fn("app.exports.download")(function* (call) {
  const { digest, exports: files, origin, workspace } = call
  const job = yield* jobIn(call)
  if (job.status === "pending") return yield* refuse(404, appTexts.exportPending())
  const isGone = job.status === "failed" || (yield* isErased({ ...call, files }, workspace.id, job))
  if (isGone) return yield* refuse(404, appTexts.exportGone())
  const until = (yield* Clock.currentTimeMillis) + linkMsMax
  return json({ url: `${origin}${linkTo(digest, workspace.id, job.id, until)}` })
})

/** Returns the file of an export, unless it is gone. */
export const openExport = Effect.fnUntraced(function* (
  services: Pick<AppCall, "catalog" | "exports">,
  workspace: WorkspaceId,
  id: number,
) {
  const { exports: files } = services
  const found = yield* jobAt(files, workspace, id)
  if (Option.isNone(found) || found.value.status !== "done") return yield* refuse(404, appTexts.exportGone())
  if (yield* isErased({ ...services, files }, workspace, found.value)) {
    return yield* refuse(404, appTexts.exportGone())
  }
  return files.read(exportFile(workspace, id, "rows"))
})
