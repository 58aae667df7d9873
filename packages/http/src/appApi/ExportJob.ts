import { ExportFiles, type ExportFileKey } from "@inlethq/core/ports/ExportFiles"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { Effect, Option, Schema, Stream } from "effect"
import { seconds } from "./customerDocuments.ts"

/** The time for which an export is kept, in milliseconds. */
export const exportRetentionMs = dayMs

/** The most exports of a workspace that are kept. Beyond it, no other is made until one is gone. */
export const exportsMax = 50

/** Which deliveries an export has. */
const Deliveries = Schema.Struct({
  source: Schema.Tuple([
    Schema.Literals(["newsletter_id", "campaign_id", "transactional_message_id", "action_id"]),
    Schema.String,
  ]),
  metric: Schema.NullOr(Schema.String),
  from: Schema.Int,
  to: Schema.NullOr(Schema.Int),
})

/** An export. What it is asked for is known only until it has ended, because filters may name people. */
export const ExportJob = Schema.Struct({
  id: Schema.Int,
  type: Schema.Literals(["customers", "deliveries"]),
  status: Schema.Literals(["pending", "done", "failed"]),
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
  total: Schema.Int,
  /** The end of the log when the export began. Whoever was deleted since may be in it. */
  after: Schema.Int,
  filters: Schema.NullOr(Schema.Json),
  deliveries: Schema.NullOr(Deliveries),
  /** The attributes that are columns; null for all. */
  attributes: Schema.NullOr(Schema.Array(Schema.String)),
})
export type ExportJob = typeof ExportJob.Type

const Doc = Schema.fromJsonString(ExportJob)
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownOption(Doc)

/** The statuses in the order in which an export has them. Each is a file, and the last one that is there counts. */
const statuses = ["failed", "done", "pending"] as const

const namePattern = /^(\d{1,15})\.([a-z]+)(?:\.\d+)?$/

/** Which files an export has: what it is asked for, its rows, the keys of the people in it, and one for each download. */
type Part = ExportJob["status"] | "rows" | "keys"

export const exportFile = (workspace: WorkspaceId, id: number, part: Part): ExportFileKey => ({
  workspace,
  name: `${id}.${part}`,
})

/** Returns the id of the export to which a file belongs, or undefined. */
export const exportIdIn = ({ name }: ExportFileKey): number | undefined => {
  const [, id] = namePattern.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

type Files = ExportFiles["Service"]

const bytesOf = (text: string) => Stream.succeed(new TextEncoder().encode(text))

/** Saves an export with its status. */
export const saveJob = (files: Files, workspace: WorkspaceId, job: ExportJob) =>
  files.save(exportFile(workspace, job.id, job.status), bytesOf(encodeDoc(job)))

/** Reads a whole file, which must be small or be needed as a whole. */
export const readWhole = (files: Files, key: ExportFileKey): Effect.Effect<Buffer, StoreUnavailable> =>
  Effect.map(Stream.runCollect(files.read(key)), (parts) => Buffer.concat(parts))

/** Finds an export. */
export const findJob = Effect.fnUntraced(function* (
  files: Files,
  workspace: WorkspaceId,
  id: number,
): Effect.fn.Return<Option.Option<ExportJob>, StoreUnavailable> {
  for (const status of statuses) {
    const found = decodeDoc((yield* readWhole(files, exportFile(workspace, id, status))).toString("utf8"))
    if (Option.isSome(found)) return found
  }
  return Option.none()
})

/** Removes the rows of an export, or all of it. */
export const removeParts = Effect.fnUntraced(function* (
  files: Files,
  workspace: WorkspaceId,
  id: number,
  parts: ReadonlyArray<Part>,
) {
  for (const part of parts) yield* files.remove(exportFile(workspace, id, part))
})

export const rowParts = ["rows", "keys"] as const
export const allParts = ["rows", "keys", "done", "failed", "pending"] as const

/** Returns an export as the App API shows it. */
export const exportDocument = (job: ExportJob): JsonObject => ({
  id: job.id,
  deduplicate_id: `${job.id}:${seconds(job.updatedAt)}`,
  type: job.type,
  status: job.status,
  failed: job.status === "failed",
  total: job.total,
  description: job.type === "customers" ? "People" : "Deliveries",
  downloads: 0,
  user_id: 0,
  user_email: "",
  created_at: seconds(job.createdAt),
  updated_at: seconds(job.updatedAt),
})
