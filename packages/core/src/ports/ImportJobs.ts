import { Context, Schema, type Effect, type Option, type Stream } from "effect"
import { AuditActor } from "../audit/AuditRecord.ts"
import { SenderId } from "../log/Sender.ts"
import { WorkspaceId } from "../values/Identifier.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import { dayMs, type EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable, WorkspaceDeleted } from "./Store.ts"

/** The largest file of an import that the server goes on with by itself, in bytes. */
export const importFileBytesMax = 512 * 1024 * 1024

/** The largest number of imports of a workspace that have not ended. */
export const importsUnfinishedMax = 16

/** The largest number of errors that are kept of one import. */
export const importErrorsKeptMax = 10_000

/** The time for which an import is listed after it has ended, in milliseconds. Its file is removed when it ends. */
export const importKeptMs = 30 * dayMs

/** The id of an import. Ids sort in the order in which their imports were created. */
export const ImportId = Schema.String.check(Schema.isPattern(/^imp_[0-9a-z]{9,32}$/)).pipe(
  Schema.brand("ImportId"),
)
export type ImportId = typeof ImportId.Type

/**
 * How far an import is. While it is `uploading`, its file is not complete. An import that is `cancelling` ends once the
 * node that works at it has stopped.
 */
export const ImportState = Schema.Literals([
  "uploading",
  "waiting",
  "running",
  "cancelling",
  "done",
  "cancelled",
  "failed",
])
export type ImportState = typeof ImportState.Type

/** Why an import failed: its header is invalid, its file is not there, or a client stopped sending it. */
export const ImportFailure = Schema.Literals(["wrong_header", "file_missing", "upload_interrupted"])
export type ImportFailure = typeof ImportFailure.Type

/** What was read of a file so far. */
export const ImportCounts = Schema.Struct({
  /** The number of records that were read, including those that are no rows. */
  records: Schema.Int,
  rows: Schema.Int,
  imported: Schema.Int,
  skipped: Schema.Int,
  failed: Schema.Int,
  /** The number of bytes of the file. */
  bytes: Schema.Int,
  /** The number of errors that are kept. */
  errors: Schema.Int,
})
export type ImportCounts = typeof ImportCounts.Type

export const noCounts: ImportCounts = {
  records: 0,
  rows: 0,
  imported: 0,
  skipped: 0,
  failed: 0,
  bytes: 0,
  errors: 0,
}

/** The import of a file, with which the server goes on by itself until it ends. */
export const ImportJob = Schema.Struct({
  workspace: WorkspaceId,
  id: ImportId,
  kind: Schema.Literals(["people", "events"]),
  state: ImportState,
  /** The name of the file, as the client gave it. */
  name: Schema.NullOr(Schema.String),
  /** The `Idempotency-Key` of the upload. */
  key: Schema.NullOr(Schema.String),
  /** The digest of the file; null while it is uploaded. */
  digest: Schema.NullOr(Schema.String),
  bytes: Schema.Int,
  createdAt: Schema.Int,
  startedAt: Schema.NullOr(Schema.Int),
  endedAt: Schema.NullOr(Schema.Int),
  actor: AuditActor,
  sender: Schema.NullOr(SenderId),
  /** The end of the log when the import began. Its own entries come after it. */
  after: Schema.Int,
  counts: ImportCounts,
  failure: Schema.NullOr(ImportFailure),
  /** The node that works at it. */
  runner: Schema.NullOr(Schema.String),
  /** Grows with each change, so that of two changes of the same version only the first is saved. */
  version: Schema.Int,
})
export type ImportJob = typeof ImportJob.Type

/** An error in a line of a file. */
export interface ImportError {
  readonly line: number
  readonly message: string
}

/** An error that is kept. Errors of an import are numbered from 1. */
export interface KeptImportError extends ImportError {
  readonly number: number
}

/**
 * An error that is to be kept, with the digests of the identifiers in its line (`namedDigests`). It is forgotten in the commit that
 * erases somebody with one of them, because its message may quote what the line says about them.
 */
export interface NamedImportError extends KeptImportError {
  readonly names: ReadonlyArray<string>
}

const ended: ReadonlySet<ImportState> = new Set<ImportState>(["done", "cancelled", "failed"])

export const hasEnded = ({ state }: Pick<ImportJob, "state">): boolean => ended.has(state)

/** The imports that the server goes on with, and those that have ended. */
export class ImportJobs extends Context.Service<
  ImportJobs,
  {
    /** Returns false and adds nothing if the workspace has `importsUnfinishedMax` that have not ended. */
    add(job: ImportJob): Effect.Effect<boolean, StoreUnavailable | WorkspaceDeleted>
    find(workspace: WorkspaceId, id: ImportId): Effect.Effect<Option.Option<ImportJob>, StoreUnavailable>
    list(
      workspace: WorkspaceId,
      page: PageRequest<ImportId>,
    ): Effect.Effect<Page<ImportJob, ImportId>, StoreUnavailable>
    /** Returns imports of all workspaces that have not ended, oldest first, at most `limit`. */
    unfinished(limit: number): Effect.Effect<ReadonlyArray<ImportJob>, StoreUnavailable>
    /**
     * Saves a change of the import with this version, with the errors that were found since. Returns false and saves
     * nothing if another change was saved meanwhile. Leaves out errors that name somebody who was erased since the import began.
     * A power failure may undo a change of one that runs.
     */
    save(job: ImportJob, errors: ReadonlyArray<NamedImportError>): Effect.Effect<boolean, StoreUnavailable>
    /** Lists the errors of an import after a number, at most `limit`. */
    errors(
      workspace: WorkspaceId,
      id: ImportId,
      page: { readonly after: number; readonly limit: number },
    ): Effect.Effect<ReadonlyArray<KeptImportError>, StoreUnavailable>
    /** Forgets imports that ended before a time, a bounded number of them. Returns whether none is left. */
    prune(before: EpochMillis): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/ImportJobs") {}

/** Names the file of an import. */
export interface ImportFileKey {
  readonly workspace: WorkspaceId
  readonly id: ImportId
}

/** The files of imports that have not ended. Every node that may work at an import can read them. */
export class ImportFiles extends Context.Service<
  ImportFiles,
  {
    /** Saves a file in parts, and succeeds once it is durable. Whatever was saved of one that fails is there until it is removed. */
    save<E>(
      key: ImportFileKey,
      parts: Stream.Stream<Uint8Array, E>,
    ): Effect.Effect<void, E | StoreUnavailable>
    /** Reads a file from its beginning. One that is not there is empty. */
    read(key: ImportFileKey): Stream.Stream<Uint8Array, StoreUnavailable>
    remove(key: ImportFileKey): Effect.Effect<void, StoreUnavailable>
    readonly list: Effect.Effect<ReadonlyArray<ImportFileKey>, StoreUnavailable>
  }
>()("@inlethq/core/ports/ImportJobs/ImportFiles") {}
