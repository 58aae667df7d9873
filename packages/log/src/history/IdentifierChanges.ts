import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { isMergeKind, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Effect } from "effect"
import { eventOfUnknown } from "./IdentifierWalk.ts"

/** The entries that are read at once. */
const entriesPerPage = 200

/** The most entries that one call of `follow` reads. */
const followedEntriesMax = 5000

/** The most people whose last change is remembered. Beyond it, those that changed first are forgotten. */
const changedMax = 20_000

/**
 * Returns whether a person has had the same identifiers ever since a log position. False if it is not known. Of somebody whom an entry
 * creates it says nothing about the time before that.
 */
export type HaveStayed = (key: SubjectKey, position: number) => boolean

/** Follows the log of a workspace, and remembers where people last got other identifiers. */
export class IdentifierChanges {
  /** The first of the last changes is the one of the lowest position. */
  private readonly last = new Map<SubjectKey, Sequence>()
  private begin = Infinity
  /** All changes after this position are known, up to `to`. */
  private from = Infinity
  private to = 0

  /** Reads on to the end of a snapshot, in order to know of changes after `begin`. Knows nothing while more entries are left. */
  readonly follow = Effect.fnUntraced(
    { self: this },
    function* (
      this: IdentifierChanges,
      snapshot: Snapshot,
      workspace: WorkspaceId,
      begin: number,
    ): Effect.fn.Return<HaveStayed, StoreUnavailable> {
      if (begin < this.begin) {
        this.last.clear()
        this.begin = begin
        this.from = begin
        this.to = begin
      }
      for (let read = 0; read < followedEntriesMax; read += entriesPerPage) {
        const page: Page<ActivityRecord, Sequence> = yield* snapshot.activity(workspace, noFilter, {
          after: this.to < 1 ? null : Sequence.make(this.to),
          limit: entriesPerPage,
          order: "asc",
        })
        for (const { entry } of page.items) this.note(entry)
        if (page.next === null) return this.haveStayed
      }
      return nothingKnown
    },
  )

  private readonly haveStayed: HaveStayed = (key, position) =>
    position >= this.from && (this.last.get(key) ?? 0) <= position

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

/** Returns whom an entry gives other identifiers. Those whom it only creates had none before. */
const renamedIn = ({ kind, overwritten, rule }: ActivityEntry): ReadonlyArray<SubjectKey> => {
  const onlyCreates = rule !== eventOfUnknown && !isMergeKind(kind)
  return overwritten.flatMap(({ before, subject }) => {
    if (before === null) return onlyCreates ? [] : [subject]
    const { anonymousIds, attached, email, id } = before
    const isRenamed = id !== undefined || email !== undefined || anonymousIds !== undefined
    return [...(isRenamed ? [subject] : []), ...(attached?.added ?? [])]
  })
}
