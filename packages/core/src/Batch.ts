import type { ActivityEntry } from "./log/ActivityEntry.ts"
import type { Change } from "./Change.ts"
import type { Command } from "./Command.ts"
import { decide, evolve } from "./Transition.ts"
import type { WorkingSet } from "./WorkingSet.ts"

/** A decided batch: what changed, the state after it, and one entry a command, in their order. */
export interface DecidedBatch {
  readonly state: WorkingSet
  readonly changes: ReadonlyArray<Change>
  readonly entries: ReadonlyArray<ActivityEntry>
}

/** Decides commands in order, each against what those before it left. How a batch is split changes nothing. */
export const decideAll = (state: WorkingSet, commands: Iterable<Command>): DecidedBatch => {
  const changes: Array<Change> = []
  const first = state.written.entries.length
  for (const command of commands) {
    for (const change of decide(state, command)) {
      evolve(state, change)
      changes.push(change)
    }
  }
  return { state, changes, entries: state.written.entries.slice(first) }
}
