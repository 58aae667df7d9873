import { ErasedRows } from "@inlethq/core/ledger/ErasedRows"
import { ErasedCounts, ErasureRecord, type ErasurePlace } from "@inlethq/core/ledger/ErasureRecord"
import type { Digest } from "@inlethq/core/ports/Digest"
import { lakeRewritesMax, LakeTable } from "@inlethq/core/ports/LakeFiles"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administersAll, reads, readsOwn, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { ErasureCursor } from "../values/Cursor.ts"
import { ExportBroken, ExportEnd } from "./Exports.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { PathId } from "../values/PathId.ts"
import { Forbidden } from "../access/Problem.ts"

const digests = Schema.Array(Schema.String)

/** A line of the file that `inlet erasure ledger` writes and `inlet restore --ledger` reads. */
export const LedgerLine = Schema.Struct({
  environment_id: WorkspaceId,
  position: Sequence.annotate({ description: "the log position of the operation" }),
  at: IsoTime,
  action: ErasureRecord.fields.action,
  subjects: Schema.NonEmptyArray(Schema.String).annotate({
    description:
      "digests of the keys of the person, and of the visitors and merged people who belonged to them",
  }),
  identifiers: digests.annotate({ description: "digests of the person's identifiers" }),
  addresses: digests.annotate({ description: "digests of the person's email address" }),
  next_key: SubjectKey,
  counts: Schema.optionalKey(ErasedCounts),
  key_id: Schema.String.annotate({
    description: "names the digest key, so that the ledger of another installation is not applied",
  }),
}).annotate({
  identifier: "ErasureLedgerLine",
  description: "a record of the erasure ledger: who was deleted or suppressed, by keyed digests only",
})
export type LedgerLine = typeof LedgerLine.Type

const keyIdDigits = 16

/** Returns the name of the key with which an installation computes digests. */
export const digestKeyId = (digest: Digest["Service"]): string =>
  digest.of("erasure ledger").slice(0, keyIdDigits)

export const ledgerLine = (
  { action, addresses, at, counts, identifiers, nextKey, position, subjects, workspace }: ErasureRecord,
  keyId: string,
): LedgerLine => ({
  environment_id: workspace,
  position,
  at: toIso(at),
  action,
  subjects,
  identifiers,
  addresses,
  next_key: nextKey,
  ...(counts !== undefined && { counts }),
  key_id: keyId,
})

export const recordInLine = (line: LedgerLine): ErasureRecord => ({
  workspace: line.environment_id,
  position: line.position,
  at: Date.parse(line.at),
  action: line.action,
  subjects: line.subjects,
  identifiers: line.identifiers,
  addresses: line.addresses,
  nextKey: line.next_key,
  ...(line.counts !== undefined && { counts: line.counts }),
})

const counts = Schema.NullOr(ErasedCounts).annotate({
  description:
    "what the profile had that is erased, apart from its rows elsewhere; null if there was no profile",
})

const rows = ErasedRows.annotate({
  identifier: "ErasedRows",
  description:
    "what was erased in the log, in deliveries and in the answers of webhook receivers, each counted where it was: `events` are gone, `entries` are other entries about the person and reports on deliveries to them, which have lost their content, `mentions` are parts about the person in entries about others, `deliveries` are places in deliveries that named them or their address, `answers` are excerpts of what receivers answered; `from` and `to` are the positions of the first and the last entry",
})

/** A file of a lake that had rows of the person, and the one that has replaced it. */
const RewrittenFile = Schema.Struct({
  table: LakeTable,
  from: Sequence,
  to: Sequence,
  path: Schema.String,
  sha256: Schema.String,
  new_path: Schema.String,
  new_sha256: Schema.String,
}).annotate({
  identifier: "RewrittenLakeFile",
  description: "a file of a lake that had rows of the person, and the one without them that has replaced it",
})

/** The text that a receipt signs, as JSON. It holds no personal data. */
export const ErasureReceipt = Schema.Struct({
  receipt: Schema.Literal("inlet-erasure-1"),
  erasure_id: Schema.String,
  operation_id: Schema.String,
  environment_id: WorkspaceId,
  action: ErasureRecord.fields.action,
  at: IsoTime,
  position: Sequence,
  subjects: digests,
  identifiers: digests,
  addresses: digests,
  key_id: Schema.String,
  counts: Schema.optionalKey(counts),
  rows: Schema.optionalKey(rows),
  pages: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ searched: Schema.Int, overwritten: Schema.Int })),
  ).annotate({
    description:
      "the pages of the database file that were searched for bytes of removed rows after the erasure, and those that had some left; null if the store does not overwrite them",
  }),
  overwritten: Schema.Boolean.annotate({
    description: "whether the bytes of the removed rows were overwritten, and not only removed",
  }),
  lake_files: Schema.optionalKey(Schema.Array(RewrittenFile)).annotate({
    description: `the files of the lake that were written again without the person, at most ${lakeRewritesMax}`,
  }),
  backups: Schema.optionalKey(
    Schema.Array(Schema.Struct({ file: Schema.String, created_at: Schema.String, bytes: Schema.Int })),
  ).annotate({
    description:
      "the backups of the data directory that were begun before, and may hold the person; `inlet backup` notes them",
  }),
  untold_forwards: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "the forwards that had still to tell their receivers, by name",
  }),
  sealed_at: IsoTime,
  not_covered: Schema.Array(Schema.String).annotate({
    description: "where copies may be that this erasure did not reach",
  }),
}).annotate({ identifier: "ErasureReceipt", description: "what a sealed erasure has done" })
export type ErasureReceipt = typeof ErasureReceipt.Type

/** How far an erasure has come. */
export const ErasureState = Schema.Literals(["hidden", "removed", "overwritten", "sealed"])
export type ErasureState = typeof ErasureState.Type

export const ErasureDocument = Schema.Struct({
  erasure_id: Schema.String,
  operation_id: Schema.String,
  action: ErasureRecord.fields.action,
  at: IsoTime,
  position: Sequence.annotate({
    description: "the log position before which everything about the person is erased",
  }),
  state: ErasureState.annotate({
    description:
      "`hidden` from every reader, `removed` from all rows, `overwritten` in the file of the embedded store, `sealed` with a signed receipt",
  }),
  identifiers: Schema.Int.annotate({ description: "the number of identifiers that the person had" }),
  subjects: Schema.Int.annotate({
    description:
      "the number of keys in the log that were erased: of the person, merged people, identified visitors, and of events by identifiers that a merge moved",
  }),
  waits_for_lake: Schema.Boolean.annotate({
    description:
      "whether the receipt is not sealed before the files of the lake are written again without the person",
  }),
  untold_forwards: Schema.Array(Schema.String).annotate({
    description: "the forwards that have still to tell their receivers, by name",
  }),
  counts,
  rows: Schema.NullOr(rows).annotate({
    description: "what was erased in other rows than the profile; null while the state is `hidden`",
  }),
  not_covered: Schema.Array(Schema.String),
  receipt: Schema.NullOr(ErasureReceipt),
  signed: Schema.NullOr(Schema.Struct({ text: Schema.String, signature: Schema.String })).annotate({
    description: "the bytes of the receipt as they were signed, and their Ed25519 signature in base64",
  }),
}).annotate({ identifier: "Erasure", description: "the erasure of a person, and its receipt" })
export type ErasureDocument = typeof ErasureDocument.Type

/** Returns the id of an erasure in its workspace. */
export const erasureIdText = ({ at, position }: ErasurePlace): string => `er${at}-${position}`

const idPattern = /^er([1-9]\d{0,14})-([1-9]\d{0,14})$/

/** Returns the place that an id names, or undefined if it is no id of an erasure. */
export const erasurePlaceIn = (text: string): ErasurePlace | undefined => {
  const [, at, position] = idPattern.exec(text) ?? []
  return at === undefined ? undefined : { at: Number(at), position: Sequence.make(Number(position)) }
}

export class ErasuresGroup extends HttpApiGroup.make("erasures")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/erasures", {
      params: { w: WorkspaceId },
      query: pageQuery(ErasureCursor),
      success: Page(ErasureDocument, ErasureCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("get", "/workspaces/:w/erasures/:erasure_id", {
      params: { w: WorkspaceId, erasure_id: PathId },
      success: ErasureDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("key", "/erasure-key", {
      success: Schema.Struct({
        algorithm: Schema.Literal("Ed25519"),
        key_id: Schema.String,
        pem: Schema.String,
      }).annotate({
        identifier: "ErasureKey",
        description:
          "the public key of receipts, which is also at `/management/v1/erasure-key.pem` without a token",
      }),
    }).annotate(Requirement, readsOwn),
    HttpApiEndpoint.get("ledger", "/erasure-ledger", {
      success: HttpApiSchema.StreamNdjson({ schema: Schema.Union([LedgerLine, ExportEnd, ExportBroken]) }),
      error: Forbidden,
    }).annotate(Requirement, administersAll("export.erasure_ledger")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Erasures" })) {}
