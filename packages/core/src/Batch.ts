import type { ActivityEntry } from "./log/ActivityEntry.ts"
import type { Change, ChangeOf } from "./Change.ts"
import type { Command } from "./Command.ts"
import { OverwrittenDraft } from "./decision/OverwrittenDraft.ts"
import { followRules } from "./membership/followRules.ts"
import { noRules } from "./rule/RuleIndex.ts"
import { toEnd, type Slices } from "./Slices.ts"
import { decide, evolve } from "./Transition.ts"
import type { WorkingSet } from "./WorkingSet.ts"

/** The result of deciding a batch of commands: the state after it, and one log entry for each command, in their order. */
export interface DecidedBatch {
  readonly state: WorkingSet
  /** The changes in the order of the commands. Empty unless the state keeps them (`keepsChanges`). */
  readonly changes: ReadonlyArray<Change>
  readonly entries: ReadonlyArray<ActivityEntry>
}

/** The largest number of commands that are decided in one slice. Deciding them takes a few milliseconds. */
const commandsPerSlice = 500

/**
 * Decides commands in order. Yields after every `commandsPerSlice` commands. Each command sees the state that results
 * from the commands before it. Splitting the commands into several batches gives the same result. Throws if a command
 * and the state belong to different workspaces.
 */
export function* decideInSlices(state: WorkingSet, commands: Iterable<Command>): Slices<DecidedBatch> {
  const changes: Array<Change> = []
  const first = state.written.entries.length
  const apply = applier(state, new OverwrittenDraft(state), changes)
  let count = 0
  for (const command of commands) {
    if (command.workspace.id !== state.workspace) throw new RangeError(strayCommand(state, command))
    const size = isLarge(command) ? commandsPerSlice : 1
    if (count > 0 && count + size > commandsPerSlice) {
      yield
      count = 0
    }
    count += size
    const decided = decide(state, command)
    if (state.rules !== noRules || state.leafStates.size > 0) followRules(state, decided, apply)
    else for (const change of decided) apply(change)
  }
  return { state, changes, entries: state.written.entries.slice(first) }
}

/** Returns whether a command takes as long as a slice of others. */
const isLarge = ({ _tag }: Command): boolean => _tag === "WalkPeople" || _tag === "ReadHistory"

/**
 * Applies a change, and adds it to `changes` if the state keeps them. Adds to the entry of a command what the command
 * overwrote.
 */
const applier =
  (state: WorkingSet, overwritten: OverwrittenDraft, changes: Array<Change>) =>
  (change: Change): void => {
    overwritten.note(change)
    const made = change._tag === "OperationRecorded" ? withOverwritten(change, overwritten) : change
    evolve(state, made)
    if (state.keepsChanges) changes.push(made)
  }

const withOverwritten = (
  change: ChangeOf<"OperationRecorded">,
  overwritten: OverwrittenDraft,
): ChangeOf<"OperationRecorded"> => {
  const entry = overwritten.record(change.entry)
  return entry === change.entry ? change : { ...change, entry }
}

/** Does the same as `decideInSlices`, but runs to the end without yielding. */
export const decideAll = (state: WorkingSet, commands: Iterable<Command>): DecidedBatch =>
  toEnd(decideInSlices(state, commands))

const strayCommand = ({ workspace }: WorkingSet, command: Command): string =>
  `a batch of workspace ${workspace} cannot contain a command of workspace ${command.workspace.id}`
