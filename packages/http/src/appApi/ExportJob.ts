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
  /** The run that made the file. Each has files of its own, so two nodes that both take themselves for the worker never mix theirs. */
  attempt: Schema.optionalKey(Schema.String),
})
export type ExportJob = typeof ExportJob.Type

const Doc = Schema.fromJsonString(ExportJob)
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownOption(Doc)

/** The statuses in the order in which an export has them. Each is a file, and the last one that is there counts. */
const statuses = ["failed", "done", "pending"] as const

const namePattern = /^(\d{1,15})\.[a-z]+(?:\.[0-9a-z]{1,40})?$/

const statusFile = (workspace: WorkspaceId, id: number, status: ExportJob["status"]): ExportFileKey => ({
  workspace,
  name: `${id}.${status}`,
})

/** Names the rows that a run has made, or the keys of the people in them. */
export const madeFile = (
  workspace: WorkspaceId,
  { attempt, id }: ExportJob,
  part: "rows" | "keys",
): ExportFileKey => ({
  workspace,
  name: attempt === undefined ? `${id}.${part}` : `${id}.${part}.${attempt}`,
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
  files.save(statusFile(workspace, job.id, job.status), bytesOf(encodeDoc(job)))

/** Finds an export. */
export const findJob = Effect.fnUntraced(function* (
  files: Files,
  workspace: WorkspaceId,
  id: number,
): Effect.fn.Return<Option.Option<ExportJob>, StoreUnavailable> {
  for (const status of statuses) {
    const parts = yield* Stream.runCollect(files.read(statusFile(workspace, id, status)))
    const found = decodeDoc(Buffer.concat(parts).toString("utf8"))
    if (Option.isSome(found)) return found
  }
  return Option.none()
})

/** Removes what says that an export has a status. */
export const removeStatus = (files: Files, workspace: WorkspaceId, id: number, status: ExportJob["status"]) =>
  files.remove(statusFile(workspace, id, status))

/** Removes what a run has made. */
export const removeMade = (files: Files, workspace: WorkspaceId, job: ExportJob) =>
  Effect.andThen(
    files.remove(madeFile(workspace, job, "rows")),
    files.remove(madeFile(workspace, job, "keys")),
  )

/** Returns the names of the files that an export needs with its status. Any other file of it is left over. */
export const neededFiles = (workspace: WorkspaceId, job: ExportJob): ReadonlySet<string> => {
  const files = [statusFile(workspace, job.id, job.status)]
  if (job.status === "done") files.push(madeFile(workspace, job, "rows"), madeFile(workspace, job, "keys"))
  return new Set(files.map(({ name }) => name))
}

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
