import { Context, Effect, Layer } from "effect"
import type { AuditRecord } from "@inlethq/core/audit/AuditRecord"
import type { ApiKey } from "@inlethq/core/workspace/Credentials"
import type { ErasedRows } from "@inlethq/core/ledger/ErasedRows"
import type { ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import type { SignedReceipt } from "@inlethq/core/ports/ErasureLedger"
import type { DestinationHour } from "@inlethq/core/ports/DestinationHours"
import type { Dismissal } from "@inlethq/core/ports/Dismissals"
import type { LakeErasure, LakeFile, LakeRewrite, ReplacedFile } from "@inlethq/core/ports/LakeFiles"
import type { ImportJob, NamedImportError } from "@inlethq/core/ports/ImportJobs"
import type { ClaimedCursor } from "@inlethq/core/ports/LogCursors"
import type { CauseRow, ShapedTypeRow } from "@inlethq/core/ports/LogSummaries"
import { Digest, digestsOf } from "@inlethq/core/ports/Digest"
import { Sequence, SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { UploadPart } from "@inlethq/core/ports/Upload"
import { makeWorkingSet, type WorkingSet } from "@inlethq/core/fold/WorkingSet"
import type { NamedToken } from "@inlethq/core/workspace/NamedToken"
import type { Alert } from "@inlethq/core/alert/Alert"
import type { SavedView } from "@inlethq/core/workspace/SavedView"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { MemoryAccess, type DataImage, type Island, type WebhookRecords } from "./MemoryImage.ts"

/** A cursor. It is cleared until the next claim. */
export interface MemoryCursor extends ClaimedCursor {
  readonly cleared?: true
}

/** The files of a lake, and what they still have to follow. */
export interface MemoryLake {
  readonly files: Map<string, LakeFile>
  readonly replaced: Map<string, ReplacedFile>
  readonly erasures: Map<Sequence, LakeErasure>
  readonly rewrites: Map<Sequence, Map<string, LakeRewrite>>
}

/** An import, with the errors that are kept of it. */
export interface MemoryImport {
  job: ImportJob
  errors: ReadonlyArray<NamedImportError>
}

/** What the entries of a log have in common, by name and by cause. */
export interface MemorySummaries {
  readonly types: Map<string, ShapedTypeRow>
  readonly causes: Map<string, CauseRow>
}

/** The contents of the memory store. */
export class MemoryState extends Context.Service<
  MemoryState,
  {
    readonly islands: Map<WorkspaceId, Island>
    /** Returns the data of a workspace, which are empty on the first use. */
    readonly islandOf: (workspace: WorkspaceId) => Island
    readonly workspaces: Map<WorkspaceId, Workspace>
    readonly keys: Map<string, ApiKey>
    /** Named management tokens, by id. */
    readonly tokens: Map<string, NamedToken>
    /** The audit log, in the order of positions. */
    readonly audit: Array<AuditRecord>
    /** The records of the erasure ledger, in the order of their commits. */
    readonly erasures: Array<ErasureRecord>
    /** The sealed receipts of erasures, by workspace and place. */
    readonly receipts: Map<string, SignedReceipt>
    /** What each erasure has erased, by workspace and place. */
    readonly erased: Map<string, ErasedRows>
    /** The dismissed pairs of people of each workspace. */
    readonly dismissed: Map<WorkspaceId, Array<Dismissal>>
    /** The alerts of each workspace. */
    readonly alerts: Map<WorkspaceId, ReadonlyArray<Alert>>
    /** The saved views of each workspace. */
    readonly views: Map<WorkspaceId, ReadonlyArray<SavedView>>
    /** How the destinations of each workspace did, hour by hour. */
    readonly hours: Map<WorkspaceId, ReadonlyArray<DestinationHour>>
    /** Registered parts of uploads, by workspace and name. */
    readonly uploads: Map<string, UploadPart>
    /** The deleted workspaces, with the time of the deletion, or null once they are erased. */
    readonly deleted: Map<WorkspaceId, EpochMillis | null>
    /** The webhooks and their records, by workspace and id. */
    readonly webhooks: Map<string, WebhookRecords>
    /** How far the readers of each log have come, by workspace and destination. */
    readonly cursors: Map<string, MemoryCursor>
    /** The files of each lake. */
    readonly lakes: Map<WorkspaceId, MemoryLake>
    /** The imports of all workspaces, by workspace and id. */
    readonly imports: Map<string, MemoryImport>
    readonly summaries: Map<WorkspaceId, MemorySummaries>
  }
>()("@inlethq/storage-memory/MemoryState") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const digest = yield* Digest
      const { dataOpened, initial } = yield* MemoryAccess
      const { audit, deleted, erasures, islands, keys, tokens, uploads, workspaces } = copied(
        initial?.data ?? noData,
      )
      dataOpened(() => copied({ audit, deleted, erasures, islands, keys, tokens, uploads, workspaces }))
      return MemoryState.of({
        islands,
        islandOf: (workspace) => {
          const known = islands.get(workspace)
          if (known !== undefined) return known
          const island = emptyIsland(digest, workspace)
          islands.set(workspace, island)
          return island
        },
        workspaces,
        keys,
        tokens,
        audit,
        erasures,
        uploads,
        deleted,
        webhooks: new Map(),
        cursors: new Map(),
        lakes: new Map(),
        imports: new Map(),
        summaries: new Map(),
        receipts: new Map(),
        erased: new Map(),
        dismissed: new Map(),
        alerts: new Map(),
        views: new Map(),
        hours: new Map(),
      })
    }),
  )
}

const noData: DataImage = {
  islands: new Map(),
  workspaces: new Map(),
  keys: new Map(),
  tokens: new Map(),
  audit: [],
  erasures: [],
  uploads: new Map(),
  deleted: new Map(),
}

/**
 * Copies the maps and lists of a store, but not the values in them. The copy shares the values with the original, because
 * commits replace values and never change them in place.
 */
const copied = ({ audit, deleted, erasures, islands, keys, tokens, uploads, workspaces }: DataImage) => ({
  islands: new Map(
    Array.from(
      islands,
      ([workspace, { everything, log, prunedTo, segmentSizes, senderIds, senders, suppressedDigests }]) => [
        workspace,
        {
          everything: copyOfWorkingSet(everything),
          log: new Map(log),
          prunedTo,
          senders: new Map(senders),
          senderIds: new Map(senderIds),
          suppressedDigests: new Map(suppressedDigests),
          segmentSizes: new Map(segmentSizes),
        },
      ],
    ),
  ),
  workspaces: new Map(workspaces),
  keys: new Map(keys),
  tokens: new Map(tokens),
  audit: [...audit],
  erasures: [...erasures],
  uploads: new Map(uploads),
  deleted: new Map(deleted),
})

const copyOfWorkingSet = (set: WorkingSet): WorkingSet =>
  makeWorkingSet(set.workspace, set.nextKey, set.nextSequence, set.digest, {
    records: set.records,
    identifiers: new Map(set.identifiers),
    subjects: new Map(set.subjects),
    latestReceipt: set.latestReceipt,
    claimed: new Map(set.claimed),
    erasedAddresses: new Map(set.erasedAddresses),
    suppressed: new Map(set.suppressed),
    suppressedGroups: new Set(set.suppressedGroups),
    rules: set.rules,
    rulesVersion: set.rulesVersion,
    leafStates: new Map(set.leafStates),
  })

const emptyIsland = (digest: Digest["Service"], workspace: WorkspaceId): Island => ({
  everything: makeWorkingSet(workspace, SubjectKey.make(1), Sequence.make(1), digestsOf(digest, workspace)),
  log: new Map(),
  prunedTo: 0,
  senders: new Map(),
  senderIds: new Map(),
  suppressedDigests: new Map(),
  segmentSizes: new Map(),
})
