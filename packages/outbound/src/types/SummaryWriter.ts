import { Catalog } from "@inlethq/core/catalog/Catalog"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import {
  LogSummaries,
  type CauseRow,
  type ShapedTypeRow,
  type TypeName,
} from "@inlethq/core/ports/LogSummaries"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Page } from "@inlethq/core/values/Page"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import type { SummaryChanges } from "@inlethq/log/types/WorkspaceSummaries"
import { Effect } from "effect"
import { CursorLost } from "../follower/Destination.ts"
import { monotonicMs } from "../lake/monotonicMs.ts"
import type { ReaderKey, Summarized } from "./LogSummarizer.ts"
import {
  busyPagesMax,
  busyShare,
  changedRowsMax,
  pagesMax,
  storedCharactersMax,
  storedMsMin,
  storedRestFactor,
  storedRowsMax,
} from "./summaryLimits.ts"
import { SummaryThread } from "./SummaryThread.ts"

/** Summarizes the log of one workspace, and stores the summaries with the position up to which they are. */
export class SummaryWriter {
  /** Every entry up to this position is in the stored summaries. */
  committed: Sequence | null
  /** The receipt time of the oldest entry that is in none, or null if none is known. */
  oldestReceivedAt: EpochMillis | null = null
  private readonly key: ReaderKey
  /** Every entry up to this position is in the summaries in memory, or null if they are not there. */
  private readTo: { readonly position: Sequence | null } | null = null
  private changes = 0
  private storeAt = -Infinity
  private restMs = 0
  /** Whether nothing is known that is not stored. The thread is asked only once the log has more, so that none starts for nothing. */
  private isIdle = true

  constructor(key: ReaderKey, committed: Sequence | null) {
    this.key = key
    this.committed = committed
  }

  /** Waits until more of the log should be read, so that a backlog leaves most of the machine to the commits that run. */
  readonly rest: Effect.Effect<void> = Effect.suspend(() => {
    const { restMs } = this
    this.restMs = 0
    return restMs > 0 ? Effect.sleep(restMs) : Effect.void
  })

  /** Summarizes the next entries, and stores the summaries if it is time. Returns whether nothing is left to do. */
  get next() {
    return Effect.gen({ self: this }, function* () {
      if (this.isIdle && (yield* this.newest) === this.committed) return true
      const position = (this.readTo ?? (yield* this.load)).position
      const read = yield* this.summarize(position)
      this.readTo = { position: read.to }
      this.changes = read.changes
      this.isIdle = read.caughtUp && read.entries === 0
      this.oldestReceivedAt ??= read.firstAt
      const isStored = yield* this.storeIfDue(read)
      if (read.unavailable !== null) return yield* Effect.fail(new StoreUnavailable(read.unavailable))
      return read.caughtUp && isStored
    }).pipe(Effect.onError(() => this.abort))
  }

  /** Forgets what is not stored. */
  get abort() {
    return Effect.gen({ self: this }, function* () {
      this.readTo = null
      this.changes = 0
      yield* SummaryThread.use(({ close }) => close(this.key))
    })
  }

  private get newest() {
    return Catalog.use((catalog) => newestSequence(catalog, this.key.workspace))
  }

  private get load() {
    return Effect.gen({ self: this }, function* () {
      const store = yield* LogSummaries
      const thread = yield* SummaryThread
      const { workspace } = this.key
      yield* thread.close(this.key)
      yield* thread.load({ ...this.key, types: [], causes: [] })
      let after: TypeName | null = null
      do {
        const page: Page<ShapedTypeRow, TypeName> = yield* store.shapedTypes(workspace, after)
        yield* thread.load({ ...this.key, types: page.items, causes: [] })
        after = page.next
      } while (after !== null)
      let cause: string | null = null
      do {
        const page: Page<CauseRow, string> = yield* store.causes(workspace, cause)
        yield* thread.load({ ...this.key, types: [], causes: page.items })
        cause = page.next
      } while (cause !== null)
      return { position: this.committed }
    })
  }

  private summarize(after: Sequence | null) {
    return Effect.gen({ self: this }, function* () {
      const { isCommitting } = yield* Turns
      const { summarize } = yield* SummaryThread
      const pages = (yield* isCommitting) ? busyPagesMax : pagesMax
      const asked = { ...this.key, after, pagesMax: pages }
      const read: Summarized = yield* ThreadCatalog.use(({ reading }) => reading(summarize(asked)))
      this.restMs = (yield* isCommitting) ? read.ms * (1 / busyShare - 1) : 0
      return read
    })
  }

  /** Returns whether everything that was read is stored. */
  private storeIfDue({ caughtUp, to }: Summarized) {
    return Effect.gen({ self: this }, function* () {
      if (to === null || to === this.committed) return true
      const now = yield* monotonicMs
      if (now < this.storeAt && this.changes < changedRowsMax) {
        if (caughtUp) this.restMs = Math.max(this.restMs, this.storeAt - now)
        return false
      }
      yield* this.store(to)
      const took = (yield* monotonicMs) - now
      this.storeAt = now + Math.max(storedMsMin, took * storedRestFactor)
      return true
    })
  }

  private store(to: Sequence) {
    return Effect.gen({ self: this }, function* () {
      const changes = yield* SummaryThread.use(({ takeChanges }) => takeChanges(this.key))
      const { commit } = yield* LogSummaries
      for (const part of partsOf(changes)) {
        const isSaved = yield* commit({ ...this.key, ...part, to: part.isLast ? to : null })
        if (!isSaved) return yield* new CursorLost()
        yield* Effect.yieldNow
      }
      this.committed = to
      this.changes = 0
      this.oldestReceivedAt = null
    })
  }
}

interface Part extends SummaryChanges {
  readonly isLast: boolean
}

/** Divides rows, so that no transaction holds up the commits of calls for long. */
function* partsOf({ types, ...rest }: SummaryChanges): Generator<Part> {
  let part: Array<ShapedTypeRow> = []
  let characters = 0
  for (const row of types) {
    const length = row.doc.length + row.shape.length
    if (part.length >= storedRowsMax || (part.length > 0 && characters + length > storedCharactersMax)) {
      yield { types: part, causes: [], forgottenCauses: [], hasForgotten: rest.hasForgotten, isLast: false }
      part = []
      characters = 0
    }
    part.push(row)
    characters += length
  }
  yield { types: part, ...rest, isLast: true }
}
