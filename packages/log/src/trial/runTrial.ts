import { noFilter } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Clock, Effect } from "effect"
import { NamesReader } from "../call/NamesReader.ts"
import { PastSubjects } from "./PastSubjects.ts"
import type { Trial } from "./Trial.ts"

/** The entries that are read at once. */
const entriesPerRead = 200

/** The entries after which a trial takes a new view of the store, so that the store can free what was replaced. */
const entriesPerView = 50_000

/** While commits are running, a trial pauses for this many times as long as it has worked. */
const busyRestFactor = 9

interface Running {
  readonly trial: Trial
  readonly workspace: Workspace
  readonly passed: (entry: ActivityEntry) => void
}

/** The positions that a trial decides, both included. */
export interface TrialRange {
  readonly from: Sequence
  readonly to: Sequence
}

/** Decides a part of a log again, and passes on each entry. Can be interrupted between two entries, and goes on where its tally says. */
export const runTrial = Effect.fnUntraced(function* (
  trial: Trial,
  workspace: Workspace,
  { from, to }: TrialRange,
  passed: (entry: ActivityEntry) => void,
): Effect.fn.Return<void, StoreUnavailable, Snapshots> {
  let after: Sequence | null = from === 1 ? null : Sequence.make(from - 1)
  while ((after ?? 0) < to && !trial.isFull) {
    after = yield* Effect.scoped(viewed({ trial, workspace, passed }, after, to))
  }
})

/** Decides the entries of one view. Returns the position up to which nothing is left. */
const viewed = Effect.fnUntraced(function* (
  { passed, trial, workspace }: Running,
  start: Sequence | null,
  to: Sequence,
) {
  const snapshot = yield* Snapshots.use((snapshots) => snapshots.open(workspace.id))
  const turns = yield* Turns
  const source = {
    turns,
    names: new NamesReader(snapshot, workspace),
    past: new PastSubjects(snapshot, workspace.id),
  }
  const end = Sequence.make(to + 1)
  let after = start
  for (let read = 0; read < entriesPerView; read += entriesPerRead) {
    const began = yield* Clock.currentTimeMillis
    const page = yield* snapshot.activity(workspace.id, noFilter, {
      limit: entriesPerRead,
      after,
      order: "asc",
      end,
    })
    for (const record of page.items) {
      yield* trial.step(source, record)
      passed(record.entry)
      if (trial.isFull) return record.entry.sequence
    }
    if (page.next === null) return to
    after = page.next
    const ms = (yield* Clock.currentTimeMillis) - began
    if (yield* turns.isCommitting) yield* Effect.sleep(ms * busyRestFactor)
  }
  return after
})
