import { activityDocument } from "@inlethq/log/documents/activityDocument"
import type { RequestedActivity } from "@inlethq/log/reading/filteredActivity"
import { replayedEntries, type ReplayRange } from "@inlethq/log/replay/replayedEntries"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Stream } from "effect"
import { written, type ExportSource, type Piece } from "./exportLines.ts"

/** Exports the entries of a range as the operations that they record. */
export const replayLines = (
  source: ExportSource,
  workspace: Workspace,
  range: ReplayRange,
  requested: RequestedActivity,
): Stream.Stream<Piece, StoreUnavailable> => {
  const isWanted = (record: ActivityRecord) =>
    matchesStored(requested, record) &&
    (requested.matches === null || requested.matches(activityDocument(record, source.brand)))
  return replayedEntries(source.snapshot, workspace, range, isWanted).pipe(
    Stream.mapEffect((entries) => written(source.turns, entries, (entry) => entry)),
  )
}

/** Checks what the store checks when it reads a list. */
const matchesStored = ({ stored }: RequestedActivity, { entry }: ActivityRecord): boolean =>
  (stored.kind === null || stored.kind === entry.kind) &&
  (stored.outcome === null || stored.outcome === entry.outcome) &&
  (stored.name === null || stored.name === entry.name)
