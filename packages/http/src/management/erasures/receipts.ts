import {
  digestKeyId,
  erasureIdText,
  ErasureReceipt,
  type ErasureDocument,
  type ErasureState,
} from "@inlethq/contract/transfer/Erasures"
import type { ErasedRows } from "@inlethq/core/ledger/ErasedRows"
import { subjectDigest, type ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import {
  erasingMax,
  type ErasureLedger,
  type ErasureMedium,
  type OverwrittenPages,
} from "@inlethq/core/ports/ErasureLedger"
import { lakeCursor, type LakeFiles, type LakeRewrite } from "@inlethq/core/ports/LakeFiles"
import type { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import type { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { operationIdText, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Schema } from "effect"
import type { KnownBackup } from "./knownBackups.ts"

type Ledger = ErasureLedger["Service"]

const everywhere = [
  "backups that were made before: inlet restore --ledger erases the person when they are restored",
  "what webhooks, forwards, Kafka and exports have already given to other systems",
  "saved views of the console whose filter names the person: look for them in GET …/views and delete them",
  "files of a lake that was stopped or moved, and earlier versions that a bucket keeps of removed objects",
]

/** Where copies may be that an erasure does not reach, by where the store keeps its data. */
const notCovered: Readonly<Record<ErasureMedium, ReadonlyArray<string>>> = {
  "scrubbed files": [...everywhere, "snapshots of the file system, and blocks that the disk replaced itself"],
  files: [
    ...everywhere,
    "old copies in unused parts of the database file, because INLET_SCRUB is off",
    "snapshots of the file system, and blocks that the disk replaced itself",
  ],
  postgresql: [
    ...everywhere,
    "dead rows of PostgreSQL until it vacuums and reuses their space",
    "the write-ahead log of PostgreSQL, its archive and its replicas",
  ],
  memory: [...everywhere, "pages of memory that the system wrote to its swap space"],
}

/**
 * Returns a function that says how far the erasure of a record has come, for records that were read before the call. It
 * reads once which rows of the workspace are left.
 */
export const stateReader = Effect.fnUntraced(function* (
  ledger: Ledger,
  digest: Digest["Service"],
  workspace: WorkspaceId,
): Effect.fn.Return<(record: ErasureRecord) => Exclude<ErasureState, "sealed">, StoreUnavailable> {
  const keys = yield* ledger.erasing(workspace)
  const isOverwritten = yield* ledger.isOverwritten
  const own = digestsOf(digest, workspace)
  const left = new Set(keys.map((key) => subjectDigest(own, key)))
  return ({ subjects }) => {
    if (keys.length === erasingMax || subjects.some((subject) => left.has(subject))) return "hidden"
    return isOverwritten ? "overwritten" : "removed"
  }
})

/**
 * Returns a function that says whether files of the lake of a workspace have, or may get, rows that one of these records
 * erased. Its receipt waits for them.
 */
export const lakeReader = Effect.fnUntraced(function* (
  cursors: LogCursors["Service"],
  lake: LakeFiles["Service"],
  { id: workspace, lake: settings }: Workspace,
  records: ReadonlyArray<ErasureRecord>,
): Effect.fn.Return<(record: ErasureRecord) => boolean, StoreUnavailable> {
  const positions = records.map(({ position }) => position)
  const range = { from: Math.min(...positions), to: Math.max(...positions) }
  const readTo = (yield* cursors.position(lakeCursor(workspace))) ?? 0
  const waiting = records.length === 0 ? [] : yield* lake.erasures(workspace, range)
  const due = new Set(waiting.map(({ position }) => position))
  return ({ position }) => due.has(position) || (settings !== null && readTo < position)
})

/** Returns whether nothing more happens to an erasure in this state, so that its receipt can be sealed. */
export const isFinal = ({ medium }: Ledger, state: ErasureState): boolean =>
  state === "overwritten" || (state === "removed" && medium !== "scrubbed files")

const encodeReceipt = Schema.encodeSync(Schema.fromJsonString(ErasureReceipt))
const decodeReceipt = Schema.decodeUnknownSync(Schema.fromJsonString(ErasureReceipt))

/** What an erasure has erased in rows and pages. */
interface ErasedIn {
  readonly rows: ErasedRows
  readonly pages: OverwrittenPages | null
  /** The names of forwards that have still to tell their receivers. */
  readonly untold: ReadonlyArray<string>
}

/** Returns a function that names the forwards of a workspace which have still to tell their receivers of a record. */
export const untoldReader = Effect.fnUntraced(function* (
  store: ForwardStore["Service"],
  workspace: WorkspaceId,
): Effect.fn.Return<
  (record: ErasureRecord) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>,
  StoreUnavailable
> {
  const forwards = yield* store.forwards(workspace)
  if (forwards.length === 0) return () => Effect.succeed([])
  const names = new Map(forwards.map(({ forwardId, name }) => [forwardId, name]))
  return ({ position }) =>
    Effect.map(store.untold(workspace, position), (ids) => ids.flatMap((id) => names.get(id) ?? []))
})

/** Reads what the erasure of a record has erased. It must be finished, otherwise there is more to come. */
export const erasedBy = Effect.fnUntraced(function* (
  ledger: Ledger,
  record: ErasureRecord,
): Effect.fn.Return<Omit<ErasedIn, "untold">, StoreUnavailable> {
  return { rows: yield* ledger.erased(record.workspace, record), pages: yield* ledger.overwriting }
})

/** Returns the text of the receipt of a finished erasure. */
export const receiptText = (
  { medium }: Ledger,
  digest: Digest["Service"],
  record: ErasureRecord,
  { pages, rows, untold }: ErasedIn,
  rewrites: ReadonlyArray<LakeRewrite>,
  backups: ReadonlyArray<KnownBackup>,
  now: EpochMillis,
): string =>
  encodeReceipt({
    receipt: "inlet-erasure-1",
    ...labels(record),
    environment_id: record.workspace,
    subjects: record.subjects,
    identifiers: record.identifiers,
    addresses: record.addresses,
    key_id: digestKeyId(digest),
    counts: record.counts ?? null,
    rows,
    pages,
    overwritten: medium === "scrubbed files",
    lake_files: rewrites.map(({ newPath, newSha256, ...before }) => ({
      ...before,
      new_path: newPath,
      new_sha256: newSha256,
    })),
    backups,
    ...(untold.length > 0 && { untold_forwards: untold }),
    sealed_at: toIso(now),
    not_covered: notCovered[medium],
  })

const labels = (record: ErasureRecord) => ({
  erasure_id: erasureIdText(record),
  operation_id: operationIdText(record.workspace, record.position, null),
  action: record.action,
  at: toIso(record.at),
  position: record.position,
})

/** Returns the document of an erasure. */
export const erasureDocument = Effect.fnUntraced(function* (
  ledger: Ledger,
  stateOf: (record: ErasureRecord) => ErasureState,
  waitsForLake: (record: ErasureRecord) => boolean,
  untoldOf: (record: ErasureRecord) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>,
  record: ErasureRecord,
): Effect.fn.Return<ErasureDocument, StoreUnavailable> {
  const signed = yield* ledger.receipt(record.workspace, record)
  const receipt = signed === null ? null : decodeReceipt(signed.text)
  const state = signed === null ? stateOf(record) : "sealed"
  return {
    ...labels(record),
    state,
    identifiers: record.identifiers.length,
    subjects: record.subjects.length,
    waits_for_lake: signed === null && waitsForLake(record),
    untold_forwards: yield* untoldOf(record),
    counts: record.counts ?? null,
    rows: state === "hidden" ? null : yield* ledger.erased(record.workspace, record),
    not_covered: receipt?.not_covered ?? notCovered[ledger.medium],
    receipt,
    signed,
  }
})
