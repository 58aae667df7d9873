import type { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json, JsonObject } from "@inlethq/core/values/Json"
import { minuteMs, secondMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Effect, Option, Semaphore } from "effect"
import { type AppRefused, answerLists, json, list, refuse } from "./AppAnswer.ts"
import type { AppCall, AppEndpoint } from "./AppCall.ts"
import { appTexts } from "./appTexts.ts"
import { customerFilter } from "./customerFilter.ts"
import { bodyObject } from "./customers.ts"
import {
  exportDocument,
  exportIdIn,
  exportRetentionMs,
  exportsMax,
  findJob,
  madeFile,
  removeStatus,
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

/** Exports are added one after the other on a node, so that each sees the ones before it. */
const adding = Semaphore.makeUnsafe(1)

/** How often another id is tried after another node has taken the one that was free. */
const idTriesMax = 3

type Asked = Pick<ExportJob, "type" | "filters" | "deliveries" | "attributes">

const tooManyExports = Effect.suspend(() =>
  Effect.fail(refuse(400, appTexts.tooManyExports({ max: exportsMax }))),
)

/** Saves an export under an id that is free: the time, or the number after the newest export. */
const savedJob = Effect.fnUntraced(function* (
  { exports, workspace }: AppCall,
  asked: Asked,
): Effect.fn.Return<ExportJob, AppRefused | StoreUnavailable> {
  for (let tries = 1; ; tries++) {
    const ids = yield* idsOf(exports, workspace.id)
    if (ids.length >= exportsMax) return yield* tooManyExports
    const createdAt = yield* Clock.currentTimeMillis
    const id = Math.max(createdAt, (ids[0] ?? 0) + 1)
    const times = { createdAt, updatedAt: createdAt }
    const job: ExportJob = { ...asked, ...times, id, status: "pending", total: 0, after: 0 }
    const saved = yield* Effect.result(saveJob(exports, workspace.id, job))
    if (saved._tag === "Success") return job
    const isTaken = (yield* idsOf(exports, workspace.id)).includes(id)
    if (!isTaken || tries === idTriesMax) return yield* saved.failure
  }
})

/** Adds an export, which the node that works at exports makes. */
const addExport = Effect.fnUntraced(
  function* (call: AppCall, asked: Asked) {
    const { exports, workspace } = call
    const job = yield* savedJob(call, asked)
    // Other nodes may have added theirs meanwhile. The last of them sees all, so there are never more.
    if ((yield* idsOf(exports, workspace.id)).length > exportsMax) {
      yield* removeStatus(exports, workspace.id, job.id, "pending")
      return yield* tooManyExports
    }
    return json({ export: exportDocument(job) })
  },
  (added) => adding.withPermits(1)(added),
)

export const exportCustomers: AppEndpoint = Effect.fn("app.exports.customers")(function* (call) {
  const { attributes, filters } = bodyObject(call)
  yield* customerFilter(filters, "filters")
  const columns = yield* attributesIn(attributes)
  const asked = { filters: filters ?? null, deliveries: null, attributes: columns }
  return yield* addExport(call, { type: "customers", ...asked })
})

/** Reads a time in Unix seconds. */
const timeIn = (body: JsonObject, field: string): Effect.Effect<EpochMillis | null, AppRefused> => {
  const value = body[field] ?? null
  if (value === null) return Effect.succeed(null)
  const isTime = (typeof value === "number" || typeof value === "string") && /^\d{1,11}$/.test(String(value))
  return isTime
    ? Effect.succeed(Number(value) * secondMs)
    : Effect.fail(refuse(400, appTexts.wrongTime({ field })))
}

export const exportMessages: AppEndpoint = Effect.fn("app.exports.deliveries")(function* (call) {
  const body = bodyObject(call)
  const name = sources.find((source) => typeof body[source] === "number" || typeof body[source] === "string")
  if (name === undefined) return yield* refuse(400, appTexts.noSource())
  const deliveries: ExportJob["deliveries"] = {
    source: [name, String(body[name])],
    metric: typeof body["metric"] === "string" ? body["metric"] : null,
    from: (yield* timeIn(body, "start")) ?? 0,
    to: yield* timeIn(body, "end"),
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
  const { digest, exportChecks, origin, workspace } = call
  const job = yield* jobIn(call)
  if (job.status === "pending") return yield* refuse(404, appTexts.exportPending())
  const isGone = job.status === "failed" || (yield* exportChecks.isErased(workspace.id, job))
  if (isGone) return yield* refuse(404, appTexts.exportGone())
  const until = (yield* Clock.currentTimeMillis) + linkMsMax
  return json({ url: `${origin}${linkTo(digest, workspace.id, job.id, until)}` })
})

/** Returns the file of an export, unless it is gone. */
export const openExport = Effect.fnUntraced(function* (
  { exportChecks, exports: files }: Pick<AppCall, "exportChecks" | "exports">,
  workspace: WorkspaceId,
  id: number,
) {
  const found = yield* jobAt(files, workspace, id)
  if (Option.isNone(found) || found.value.status !== "done") return yield* refuse(404, appTexts.exportGone())
  if (yield* exportChecks.isErased(workspace, found.value)) return yield* refuse(404, appTexts.exportGone())
  return files.read(madeFile(workspace, found.value, "rows"))
})
