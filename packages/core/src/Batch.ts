import type { ActivityEntry } from "./log/ActivityEntry.ts"
import type { Change } from "./Change.ts"
import type { Command } from "./Command.ts"
import { decide, evolve } from "./Transition.ts"
import type { WorkingSet } from "./WorkingSet.ts"

/** A decided batch: what changed, the state after it, and one entry a command, in their order. */
export interface Decided {
  readonly seen: WorkingSet
  readonly changes: ReadonlyArray<Change>
  readonly entries: ReadonlyArray<ActivityEntry>
}

/** Decides commands in order, each against what those before it left. How a batch is split changes nothing. */
export const decideAll = (seen: WorkingSet, commands: Iterable<Command>): Decided => {
  const changes: Array<Change> = []
  const first = seen.written.entries.length
  for (const command of commands) {
    for (const change of decide(seen, command)) {
      evolve(seen, change)
      changes.push(change)
    }
  }
  return { seen, changes, entries: seen.written.entries.slice(first) }
}
