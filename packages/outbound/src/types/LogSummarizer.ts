import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { CauseRow, ShapedTypeRow } from "@inlethq/core/ports/LogSummaries"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { SubjectKey, type Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { WorkspaceSummaries, type SummaryChanges } from "@inlethq/log/types/WorkspaceSummaries"
import { Clock, Effect, Result } from "effect"
import { openWorkspacesMax } from "./summaryLimits.ts"

/** Tells the summaries apart that readers of one workspace have in memory one after the other. */
export interface ReaderKey {
  readonly workspace: WorkspaceId
  /** The token with which the cursor was claimed. */
  readonly token: number
}

/** Stored summaries that a reader begins with. */
export interface ToLoad extends ReaderKey {
  readonly types: ReadonlyArray<ShapedTypeRow>
  readonly causes: ReadonlyArray<CauseRow>
}

/** A part of the log to summarize. */
export interface ToSummarize extends ReaderKey {
  readonly after: Sequence | null
  readonly pagesMax: number
}

/** What was summarized. */
export interface Summarized {
  /** The position up to which the log was read. */
  readonly to: Sequence | null
  readonly caughtUp: boolean
  readonly entries: number
  readonly firstAt: EpochMillis | null
  /** The number of names and causes that are not stored as they are now. */
  readonly changes: number
  readonly ms: number
  /** Why the log could not be read further, or null. */
  readonly unavailable: { readonly operation: string; readonly cause: string } | null
}

/** Says that summaries are not in memory any more, so the reader has to begin again with what is stored. */
const lostSummaries = "the summaries are not in memory"

/** Summarizes logs, in whichever thread it runs. */
export class LogSummarizer {
  private readonly open = new Map<string, WorkspaceSummaries>()

  /** Begins with the first rows of a workspace, or adds further ones. */
  load({ causes, types, ...key }: ToLoad): null {
    const summaries = this.open.get(nameOf(key)) ?? new WorkspaceSummaries()
    this.open.delete(nameOf(key))
    this.open.set(nameOf(key), summaries)
    const [oldest] = this.open.size > openWorkspacesMax ? this.open.keys() : []
    if (oldest !== undefined) this.open.delete(oldest)
    summaries.load(types, causes)
    return null
  }

  /** Summarizes entries until the log ends or `pagesMax` pages are read. */
  summarize(
    catalog: Catalog["Service"],
    { after, pagesMax, ...key }: ToSummarize,
  ): Effect.Effect<Summarized> {
    return Effect.gen({ self: this }, function* () {
      const summaries = this.of(key)
      const startedAt = yield* nowMs
      let to = after
      let entries = 0
      let firstAt: EpochMillis | null = null
      let unavailable: StoreUnavailable | null = null
      let caughtUp = false
      for (let pages = 0; pages < pagesMax && !caughtUp; pages++) {
        const read = yield* Effect.result(catalog.follow(key.workspace, noFilter, to))
        if (Result.isFailure(read)) {
          unavailable = read.failure
          break
        }
        const { items, readTo } = read.success
        for (const record of items) summaries.add(record)
        entries += items.length
        firstAt ??= items[0]?.entry.receivedAt ?? null
        to = readTo ?? to
        caughtUp = read.success.caughtUp
      }
      const forgotten = yield* Effect.result(this.forget(catalog, key, summaries))
      if (Result.isFailure(forgotten)) unavailable ??= forgotten.failure
      return {
        to,
        caughtUp: caughtUp && unavailable === null,
        entries,
        firstAt,
        changes: summaries.changes,
        ms: (yield* nowMs) - startedAt,
        unavailable:
          unavailable === null
            ? null
            : { operation: unavailable.operation, cause: String(unavailable.cause) },
      }
    })
  }

  /** Returns what is not stored as it is now. Whoever does not store it has to begin again. */
  takeChanges(key: ReaderKey): SummaryChanges {
    return this.of(key).takeChanges()
  }

  close(key: ReaderKey): null {
    this.open.delete(nameOf(key))
    return null
  }

  private of(key: ReaderKey): WorkspaceSummaries {
    const summaries = this.open.get(nameOf(key))
    if (summaries === undefined) throw new Error(lostSummaries)
    this.open.delete(nameOf(key))
    this.open.set(nameOf(key), summaries)
    return summaries
  }

  /** Forgets keys that nobody has sent but people who are gone. */
  private forget(
    catalog: Catalog["Service"],
    { workspace }: ReaderKey,
    summaries: WorkspaceSummaries,
  ): Effect.Effect<void, StoreUnavailable> {
    const { doubtful } = summaries
    if (doubtful === null) return Effect.void
    const keys = new Set(Array.from(doubtful, (key) => SubjectKey.make(key)))
    return Effect.map(keys.size === 0 ? Effect.succeed(keys) : catalog.goneAmong(workspace, keys), (gone) =>
      summaries.forget(gone),
    )
  }
}

const nameOf = ({ token, workspace }: ReaderKey): string => `${workspace}:${token}`

const nowMs: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)
