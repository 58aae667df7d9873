import { LakeFile, type LakeFile as StoredFile } from "@inlethq/core/ports/LakeFiles"
import { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, administers, reads } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageItemsMax } from "../values/Page.ts"
import { Conflict } from "../access/Problem.ts"

/** The state of a lake. */
export const LakeDocument = Schema.Struct({
  /** Null if the workspace has no lake; every other field is then null, 0 or empty. */
  target: Schema.NullOr(Schema.Literals(["folder", "s3"])),
  url: Schema.NullOr(Schema.String),
  /** Every position up to this one is in exactly one file. Null if nothing is written yet. */
  to: Schema.NullOr(Sequence),
  /** The position after which the files show people and objects. Null if they do not show them yet. */
  snapshot_to: Schema.NullOr(Sequence),
  /** The entries of the log after `to`. */
  lag: Schema.Int,
  /** The age of the first of these entries, or 0. */
  lag_seconds: Schema.Int,
  files: Schema.Int,
  rows: Schema.Int,
  bytes: Schema.Int,
  /** The deletions whose rows are still in files. */
  erasures_due: Schema.Int,
  /** Until when the rows of the first of these deletions leave the files at the latest. */
  erasures_due_by: Schema.NullOr(IsoTime),
  /** Whether the node that answers writes this lake. Otherwise another node does. */
  writing: Schema.Boolean,
  /** Why nothing can be written now, if this node writes the lake. */
  failure: Schema.NullOr(Schema.String),
}).annotate({ identifier: "Lake", description: "how far the lake of a workspace has come" })
export type LakeDocument = typeof LakeDocument.Type

/** A file of a lake, as in its manifest. */
const LakeFileDocument = LakeFile.annotate({
  identifier: "LakeFile",
  description: "a file of a lake: the positions that it covers, its rows, and its hash",
})

/** What is wrong with a file of a lake, or with the ranges of all files. */
const LakeFault = Schema.Struct({ path: Schema.String, problem: Schema.String }).annotate({
  identifier: "LakeFault",
  description: "what is wrong with a file of a lake",
})

/** The result of checking some files of a lake. */
export const LakeVerification = Schema.Struct({
  files: Schema.Int,
  rows: Schema.Int,
  bytes: Schema.Int,
  faults: Schema.Array(LakeFault),
  /** The path after which the next request continues, or null if every file is checked. */
  next: Schema.NullOr(Schema.String),
}).annotate({
  identifier: "LakeVerification",
  description: "how many files, rows and bytes were read and compared, and what is wrong with them",
})
export type LakeVerification = typeof LakeVerification.Type

/** The engines for which `sql` prints statements. */
const LakeEngine = Schema.Literals(["duckdb", "duckdb-iceberg", "clickhouse"])

/** Statements that read a lake. */
const LakeStatements = Schema.Struct({ engine: LakeEngine, statements: Schema.String }).annotate({
  identifier: "LakeStatements",
  description: "SQL that reads the files of the manifest, or the tables of Iceberg, as views",
})

const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: pageItemsMax }))

const after = Schema.optionalKey(Schema.String.annotate({ description: "the `next` of the previous answer" }))

export class LakeGroup extends HttpApiGroup.make("lake")
  .add(
    HttpApiEndpoint.get("get", "/workspaces/:w/lake", {
      params: { w: WorkspaceId },
      success: LakeDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("files", "/workspaces/:w/lake/files", {
      params: { w: WorkspaceId },
      query: { limit: Schema.optionalKey(Limit), after },
      success: Page(LakeFileDocument, Schema.String),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("sql", "/workspaces/:w/lake/sql", {
      params: { w: WorkspaceId },
      query: { engine: LakeEngine },
      success: LakeStatements,
      error: Conflict,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("verify", "/workspaces/:w/lake/verify", {
      params: { w: WorkspaceId },
      query: { after },
      success: LakeVerification,
      error: Conflict,
    }).annotate(Requirement, administers("lake.verify")),
    HttpApiEndpoint.post("rewrite", "/workspaces/:w/lake/rewrite", {
      params: { w: WorkspaceId },
      success: LakeDocument,
      error: Conflict,
    }).annotate(Requirement, administers("lake.rewrite")),
    HttpApiEndpoint.post("flush", "/workspaces/:w/lake/flush", {
      params: { w: WorkspaceId },
      success: LakeDocument,
      error: Conflict,
    }).annotate(Requirement, administers("lake.flush")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Lake" })) {}

/** Returns the sums of a list of files. */
export const sumsOf = (files: ReadonlyArray<StoredFile>) => ({
  files: files.length,
  rows: files.reduce((sum, { rows, table }) => (table === "activity" ? sum + rows : sum), 0),
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
})
