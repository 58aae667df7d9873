import type { Digest } from "@inlethq/core/ports/Digest"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Equal, Fiber, Schema, type Scope } from "effect"
import { progressName } from "./copyProgress.ts"
import { copyTexts } from "./copyTexts.ts"
import { nameSomebodyElse, newerErasures } from "./newerErasures.ts"
import type { CopiedTable, CopyPlan, TransferSource, TransferTarget } from "./Transfer.ts"
import {
  firstCursor,
  installationTables,
  transferTables,
  type RowOwner,
  type TransferTable,
  type TransferTableName,
} from "../columns/transferTables.ts"

/** A copy cannot begin or continue until an operator acts. Nothing was changed. */
export class CopyRefused extends Schema.TaggedError<CopyRefused>()("CopyRefused", {
  problem: Schema.String,
}) {
  override get message() {
    return this.problem
  }
}

/**
 * The number of rows that were copied so far, and the expected total. Counts only the rows of the two largest tables.
 */
export interface CopyProgress {
  readonly subjects: number
  readonly entries: number
  readonly total: number
}

export interface CopyRequest {
  readonly source: TransferSource
  readonly target: TransferTarget
  /** The phrases by which messages refer to the source and the target, such as `the data directory .inlet`. */
  readonly names: { readonly source: string; readonly target: string }
  /** The SHA-256, in hex, of the key with which the source computes the digests of suppressed identifiers. */
  readonly sourceDigest: string
  /** Computes the digests of the source. */
  readonly digest: Digest["Service"]
  /** The workspace to copy; null for all. */
  readonly only: WorkspaceId | null
  /** Saves the secrets of the installation in an empty target. Runs before the first row is written, and again when a copy resumes. */
  readonly saveSecrets: Effect.Effect<void, StoreUnavailable | CopyRefused>
  /**
   * Fails unless the source and the target compute the same digests of suppressed identifiers. Runs only if the target
   * already has other workspaces.
   */
  readonly expectSameDigests: Effect.Effect<void, StoreUnavailable | CopyRefused>
  readonly report: (progress: CopyProgress) => Effect.Effect<void>
}

/** The result of copying a store. */
export interface Copied extends CopyProgress {
  readonly workspaces: number
  /** Whether an earlier, interrupted copy had already written some rows. */
  readonly isResumed: boolean
  /** The number of records of the target's erasure ledger that were newer than the source, and were repeated in the copy. */
  readonly erased: number
}

/**
 * Copies all data of a store into an empty store, or one of its workspaces into a store that does not have that workspace.
 * Keys and positions stay the same. Whoever was erased in the target after the source was made is erased in the copy too, before
 * servers can open it. A copy that was interrupted continues where it stopped.
 */
export const copyStore = (
  request: CopyRequest,
): Effect.Effect<Copied, StoreUnavailable | CopyRefused, Scope.Scope> =>
  Effect.gen(function* () {
    const { target } = request
    const workspaces = yield* workspacesOf(request)
    const plan = yield* planOf(request, workspaces)
    const copied = yield* beginOrResume(request, plan)
    const isResumed = copied.size > 0
    const progress = progressReporter(request, plan, copied)
    for (const workspace of workspaces) {
      for (const table of workspaceTables) yield* copyTable(request, workspace, table, copied, progress)
      while (yield* target.derive(workspace)) {
        // `derive` builds one bounded part of the indexes and other derived data, and returns false if nothing is left
        // to build.
      }
    }
    for (const table of request.only === null ? installationTables : []) {
      for (const owner of yield* request.source.owners(table)) {
        yield* copyTable(request, owner, table, copied, progress)
      }
    }
    const erased = yield* eraseNewer(request, workspaces)
    yield* target.finish
    return { ...progress.current(), workspaces: workspaces.length, isResumed, erased }
  })

const eraseNewer = Effect.fnUntraced(function* (
  { digest, source, target }: CopyRequest,
  workspaces: ReadonlyArray<WorkspaceId>,
): Effect.fn.Return<number, StoreUnavailable> {
  let erased = 0
  for (const workspace of workspaces) {
    const { records } = yield* newerErasures(source, target, workspace)
    if (records.length > 0) erased += yield* target.eraseAgain(workspace, records, digest)
  }
  return erased
})

const workspacesOf = ({
  names,
  only,
  source,
}: CopyRequest): Effect.Effect<ReadonlyArray<WorkspaceId>, StoreUnavailable | CopyRefused> =>
  Effect.gen(function* () {
    const all = yield* source.workspaces
    if (all.length === 0)
      return yield* new CopyRefused({ problem: copyTexts.empty({ source: names.source }) })
    if (only === null) return all
    if (all.includes(only)) return [only]
    const problem = copyTexts.noSuchWorkspace({ workspace: only, source: names.source })
    return yield* new CopyRefused({ problem })
  })

const workspaceTables = transferTables.filter((table) => !installationTables.includes(table))

const heads = transferTables.find(({ name }) => name === "heads")

const planOf = (
  { source, sourceDigest }: CopyRequest,
  workspaces: ReadonlyArray<WorkspaceId>,
): Effect.Effect<Omit<CopyPlan, "isAdded">, StoreUnavailable> =>
  Effect.zipWith(
    Effect.forEach(workspaces, (workspace) =>
      Effect.gen(function* () {
        const page = heads === undefined ? undefined : yield* source.read(heads, workspace, [])
        const [nextKey = 1, nextSequence = 1] = page?.rows[0] ?? []
        return { workspace, nextKey: Number(nextKey), nextSequence: Number(nextSequence) }
      }),
    ),
    source.lastDeleted,
    (found, lastDeleted) => ({ source: sourceDigest, lastDeleted, heads: found }),
  )

/** Returns the progress of an interrupted copy, or begins a new copy. */
const beginOrResume = (
  request: CopyRequest,
  plan: Omit<CopyPlan, "isAdded">,
): Effect.Effect<ReadonlyMap<string, CopiedTable>, StoreUnavailable | CopyRefused> =>
  Effect.gen(function* () {
    const { names, saveSecrets, target } = request
    const state = yield* target.state
    switch (state._tag) {
      case "Occupied":
        yield* expectRoom(request, state.workspaces)
        yield* expectSameCourse(request, plan)
        yield* target.begin({ ...plan, isAdded: true })
        return new Map<string, CopiedTable>()
      case "Unfinished": {
        const { isAdded } = state.plan
        if (!Equal.equals(state.plan, { ...plan, isAdded })) {
          const text = isAdded ? copyTexts.otherAddition : copyTexts.otherCopy
          return yield* new CopyRefused({ problem: text({ target: names.target }) })
        }
        if (!isAdded) yield* saveSecrets
        return state.progress
      }
      case "Empty":
        yield* expectSameCourse(request, plan)
        yield* saveSecrets
        yield* target.begin({ ...plan, isAdded: false })
        return new Map<string, CopiedTable>()
    }
  })

/**
 * Checks that data can be copied into a store that already has workspaces. Only a single workspace can be copied into
 * such a store, and the store must not have this workspace yet.
 */
const expectRoom = (
  { expectSameDigests, names, only }: CopyRequest,
  workspaces: ReadonlyArray<number>,
): Effect.Effect<void, StoreUnavailable | CopyRefused> => {
  const { target } = names
  if (only === null) return Effect.fail(new CopyRefused({ problem: copyTexts.occupied({ target }) }))
  if (!workspaces.includes(only)) return expectSameDigests
  return Effect.fail(new CopyRefused({ problem: copyTexts.workspaceExists({ target, workspace: only }) }))
}

/**
 * Checks that the newer records of the target's erasure ledger can speak of the data of the source. A key in them can be
 * another person's if the source has gone on without these erasures. This is so if the source has records that the target
 * does not have, or has used their positions. A source that has gone on less is told apart only by the identifiers of
 * whoever has the key.
 */
const expectSameCourse = Effect.fnUntraced(function* (
  { digest, names, source, target }: CopyRequest,
  { heads: found }: Pick<CopyPlan, "heads">,
): Effect.fn.Return<void, StoreUnavailable | CopyRefused> {
  for (const { nextSequence, workspace } of found) {
    const id = WorkspaceId.make(workspace)
    const { isDivided, records } = yield* newerErasures(source, target, id)
    if (records.length === 0) continue
    const isReused = isDivided || records.some(({ position }) => position < nextSequence)
    if (isReused || (yield* nameSomebodyElse(source, id, records, digest))) {
      return yield* new CopyRefused({ problem: copyTexts.otherCourse({ ...names, workspace }) })
    }
  }
})

interface Reporter {
  add(table: TransferTableName, rows: number): Effect.Effect<void>
  current(): CopyProgress
}

const progressReporter = (
  { report }: CopyRequest,
  plan: Pick<CopyPlan, "heads">,
  copied: ReadonlyMap<string, CopiedTable>,
): Reporter => {
  const rowsOf = (wanted: TransferTableName) =>
    [...copied].reduce((sum, [name, { rows }]) => sum + (name.endsWith(`:${wanted}`) ? rows : 0), 0)
  const total = plan.heads.reduce((sum, { nextKey, nextSequence }) => sum + nextKey + nextSequence - 2, 0)
  let progress: CopyProgress = { subjects: rowsOf("subjects"), entries: rowsOf("activity"), total }
  return {
    current: () => progress,
    add: (table, rows) =>
      Effect.suspend(() => {
        if (table === "subjects") progress = { ...progress, subjects: progress.subjects + rows }
        else if (table === "activity") progress = { ...progress, entries: progress.entries + rows }
        return report(progress)
      }),
  }
}

/** Copies a table of a workspace or of the installation page by page. Reads the next page while it writes a page. */
const copyTable = (
  { source, target }: CopyRequest,
  workspace: RowOwner,
  table: TransferTable,
  copied: ReadonlyMap<string, CopiedTable>,
  progress: Reporter,
): Effect.Effect<void, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const earlier = copied.get(progressName(workspace, table.name))
    if (earlier?.isDone === true) return
    let cursor = earlier?.cursor ?? firstCursor(table)
    let rows = earlier?.rows ?? 0
    let reading = yield* Effect.forkScoped(source.read(table, workspace, cursor))
    for (;;) {
      const page = yield* Fiber.join(reading)
      const isDone = page.rows.length === 0 || table.keyColumns === 0
      if (page.rows.length > 0) cursor = page.cursor
      rows += page.rows.length
      if (!isDone) reading = yield* Effect.forkScoped(source.read(table, workspace, cursor))
      yield* target.write(table, workspace, page.rows, { cursor, rows, isDone })
      yield* progress.add(table.name, page.rows.length)
      if (isDone) return
    }
  })
