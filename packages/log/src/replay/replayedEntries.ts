import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import { provenanceOf } from "@inlethq/core/log/ActivityEntry"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { mergeIn, unmergedIn } from "@inlethq/core/person/mergeReceipt"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { toIso } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Option, Stream } from "effect"
import { entitiesOfEntry } from "../call/entitiesOfEntry.ts"
import { isGone, NamesReader } from "../call/NamesReader.ts"
import { callProvenanceDocument } from "@inlethq/contract/activity/CallProvenance"
import { replayKey, type ReplayedEntry } from "@inlethq/contract/transfer/ReplayedEntry"

/** The number of entries in one read from the store. */
const entriesPerRead = 200

/** The part of a log that is replayed: the positions from `from` to `to`, both included. */
export interface ReplayRange {
  readonly from: Sequence
  readonly to: Sequence | null
}

/** Reads the entries of a range in order, each as the operations that it records. */
export const replayedEntries = (
  snapshot: Snapshot,
  workspace: Workspace,
  { from, to }: ReplayRange,
  isWanted: (record: ActivityRecord) => boolean,
): Stream.Stream<ReadonlyArray<ReplayedEntry>, StoreUnavailable> => {
  const reader = new Reader(snapshot, workspace)
  const start = from === 1 ? null : Sequence.make(from - 1)
  const end = to === null ? {} : { end: Sequence.make(to + 1) }
  return Stream.paginate(start, (after) =>
    Effect.gen(function* () {
      const { items, next } = yield* snapshot.activity(workspace.id, noFilter, {
        limit: entriesPerRead,
        after,
        order: "asc",
        ...end,
      })
      const entries: Array<ReplayedEntry> = []
      for (const record of items) {
        if (isWanted(record)) entries.push(yield* reader.read(record))
        reader.pass(record)
      }
      return [[entries], next === null ? Option.none() : Option.some(next)]
    }),
  )
}

/** Reads entries with the names that they had then. */
class Reader {
  private readonly snapshot: Snapshot
  private readonly workspace: Workspace
  private readonly names: NamesReader

  constructor(snapshot: Snapshot, workspace: Workspace) {
    this.snapshot = snapshot
    this.workspace = workspace
    this.names = new NamesReader(snapshot, workspace)
  }

  pass(record: ActivityRecord): void {
    this.names.passed(record)
  }

  readonly read = Effect.fnUntraced(
    { self: this },
    function* (this: Reader, record: ActivityRecord): Effect.fn.Return<ReplayedEntry, StoreUnavailable> {
      const { entry } = record
      const names = yield* this.names.namesFor(record)
      const mergeKey = yield* this.mergeKey(record)
      const found = entitiesOfEntry(entry, isGone(record), { ...names, mergeKey })
      const key = replayKey(this.workspace.id, entry.sequence)
      const provenance = isGone(record) ? {} : callProvenanceDocument(provenanceOf(entry))
      const times = { at: toIso(entry.at), received_at: toIso(entry.receivedAt) }
      const common = { position: entry.sequence, received_at: times.received_at, kind: entry.kind }
      return typeof found === "string"
        ? { ...common, left_out: found, entities: [] }
        : {
            ...common,
            left_out: null,
            entities: found.map((draft, i) => ({
              ...times,
              ...draft,
              ...provenance,
              key: i === 0 ? key : `${key}:${i}`,
            })),
          }
    },
  )

  /** Returns the key of what replayed the merge that an entry undoes, or null if the entry undoes none. */
  private readonly mergeKey = Effect.fnUntraced(
    { self: this },
    function* (this: Reader, { entry }: ActivityRecord): Effect.fn.Return<string | null, StoreUnavailable> {
      const secondary = unmergedIn(entry.data, this.workspace.id)
      if (secondary === undefined) return null
      let after: Sequence | null = entry.sequence
      do {
        const page: Page<ActivityRecord, Sequence> = yield* this.snapshot.activity(
          this.workspace.id,
          { ...noFilter, kind: "merge" },
          { after, limit: entriesPerRead, order: "desc" },
        )
        const merge = page.items.find((record) => mergeIn(record.entry)?.secondary === secondary)
        if (merge !== undefined) return replayKey(this.workspace.id, merge.entry.sequence)
        after = page.next
      } while (after !== null)
      return null
    },
  )
}
