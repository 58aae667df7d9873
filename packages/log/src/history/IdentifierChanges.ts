import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Effect, Semaphore } from "effect"

/** The entries that are read at once. */
const entriesPerPage = 200

/** The most entries that one call of `follow` reads. */
const followedEntriesMax = 5000

/** The most people whose last change is remembered. Beyond it, those that changed first are forgotten. */
const changedMax = 50_000

/** Returns whether a person has had the same identifiers ever since a log position. False if it is not known. */
export type HaveStayed = (key: SubjectKey, position: number) => boolean

/** Follows the log of a workspace, and remembers where people last got other identifiers. */
export class IdentifierChanges {
  /** The first of the last changes is the one of the lowest position. */
  private readonly last = new Map<SubjectKey, Sequence>()
  private begin = Infinity
  /** All changes after this position are known, up to `to`. */
  private from = Infinity
  private to = 0
  /** Counts how often it began anew, because what was known before is not known then. */
  private beginnings = 0
  private readonly one = Semaphore.makeUnsafe(1)

  /**
   * Reads on to the end of a snapshot, in order to know of changes after `begin`. Knows nothing while more entries are left. Does not
   * read again for a position that is far before what it has read.
   */
  follow(
    snapshot: Pick<Snapshot, "activity">,
    workspace: WorkspaceId,
    begin: number,
  ): Effect.Effect<HaveStayed, StoreUnavailable> {
    return this.one.withPermits(1)(this.readOn(snapshot, workspace, begin))
  }

  private readonly readOn = Effect.fnUntraced(
    { self: this },
    function* (
      this: IdentifierChanges,
      snapshot: Pick<Snapshot, "activity">,
      workspace: WorkspaceId,
      begin: number,
    ): Effect.fn.Return<HaveStayed, StoreUnavailable> {
      const isNear = this.to - begin <= followedEntriesMax
      if (begin > this.to || (begin < this.begin && isNear)) this.beginAt(begin)
      for (let read = 0; read < followedEntriesMax; read += entriesPerPage) {
        const page: Page<ActivityRecord, Sequence> = yield* snapshot.activity(workspace, noFilter, {
          after: this.to < 1 ? null : Sequence.make(this.to),
          limit: entriesPerPage,
          order: "asc",
        })
        for (const { entry } of page.items) this.note(entry)
        if (page.next === null) return this.known()
      }
      return nothingKnown
    },
  )

  private beginAt(position: number): void {
    this.last.clear()
    this.begin = position
    this.from = position
    this.to = position
    this.beginnings++
  }

  private known(): HaveStayed {
    const { beginnings } = this
    return (key, position) =>
      beginnings === this.beginnings && position >= this.from && (this.last.get(key) ?? 0) <= position
  }

  private note(entry: ActivityEntry): void {
    const { sequence } = entry
    if (sequence <= this.to) return
    for (const key of renamedIn(entry)) {
      this.last.delete(key)
      this.last.set(key, sequence)
    }
    for (const [key, position] of this.last) {
      if (this.last.size <= changedMax) break
      this.last.delete(key)
      this.from = Math.max(this.from, position)
    }
    this.to = sequence
  }
}

export const nothingKnown: HaveStayed = () => false

/** Returns whom an entry gives other identifiers. Whoever it creates can have been a visitor of the same key before. */
const renamedIn = ({ overwritten }: ActivityEntry): ReadonlyArray<SubjectKey> =>
  overwritten.flatMap(({ before, subject }) => {
    if (before === null) return [subject]
    const { anonymousIds, attached, email, id } = before
    const isRenamed = id !== undefined || email !== undefined || anonymousIds !== undefined
    return [...(isRenamed ? [subject] : []), ...(attached?.added ?? [])]
  })
