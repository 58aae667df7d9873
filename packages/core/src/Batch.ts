import type { ActivityEntry } from "./log/ActivityEntry.ts"
import type { Change, ChangeOf } from "./fold/Change.ts"
import type { Command } from "./Command.ts"
import { OverwrittenDraft } from "./decision/OverwrittenDraft.ts"
import { freeingEntry, freeingUnmerge } from "./person/freed.ts"
import type { UnmergePeople } from "./person/commands.ts"
import { followRules } from "./membership/followRules.ts"
import { noRules } from "./rule/RuleIndex.ts"
import { toEnd, type Slices } from "./Slices.ts"
import { decide, evolve } from "./Transition.ts"
import type { WorkingSet } from "./fold/WorkingSet.ts"

/**
 * The result of deciding a batch of commands: the state after it, and one log entry for each command, in their order. The log
 * also has entries of merges that deletions undid (`state.written.entries`).
 */
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
 * from the commands before it. Splitting the commands into several batches gives the same result, unless it splits the items of
 * one request. Throws if a command and the state belong to different workspaces.
 */
export function* decideInSlices(state: WorkingSet, commands: Iterable<Command>): Slices<DecidedBatch> {
  const changes: Array<Change> = []
  const entries: Array<ActivityEntry> = []
  const overwritten = new OverwrittenDraft(state)
  const apply = applier(state, overwritten, changes)
  const follow = (decided: ReadonlyArray<Change>, make: Apply = apply) => {
    if (state.rules !== noRules || state.leafStates.size > 0) followRules(state, decided, make)
    else for (const change of decided) make(change)
  }
  const freeing = new FreeingMerges(state, overwritten, apply)
  let count = 0
  let item: number | null = null
  for (const command of commands) {
    if (command.workspace.id !== state.workspace) throw new RangeError(strayCommand(state, command))
    const size = isLarge(command) ? commandsPerSlice : 1
    if (count > 0 && count + size > commandsPerSlice) {
      yield
      count = 0
    }
    count += size
    if (command.batchIndex === null || item === null || command.batchIndex <= item) freeing.record()
    item = command.batchIndex
    const unmerge = freeingUnmerge(state, command)
    const effects = unmerge === null ? noEffects : freeing.undo(unmerge, follow)
    follow(withEffects(decide(state, command), effects))
    const entry = state.written.entries.at(-1)
    if (entry !== undefined) entries.push(entry)
  }
  freeing.record()
  return { state, changes, entries }
}

/**
 * The merges that deletions undo. Their entries come after those of the request, so that the position of the first item and the
 * index of an item tell its position.
 */
class FreeingMerges {
  private readonly state: WorkingSet
  private readonly overwritten: OverwrittenDraft
  private readonly apply: Apply
  private readonly waiting: Array<ChangeOf<"OperationRecorded">> = []

  constructor(state: WorkingSet, overwritten: OverwrittenDraft, apply: Apply) {
    this.state = state
    this.overwritten = overwritten
    this.apply = apply
  }

  /**
   * Undoes a merge for the deletion that is decided next. A merge that cannot be undone stays, and leaves no entry. Returns the
   * effects of rules, which the entry of the deletion records, because other items can follow before the entry of the merge.
   */
  undo(
    unmerge: UnmergePeople,
    follow: (decided: ReadonlyArray<Change>, make: Apply) => void,
  ): ActivityEntry["effects"] {
    const decided = decide(this.state, unmerge)
    if (decided.length === 1) return noEffects
    const deletion = this.state.nextSequence
    let effects = noEffects
    follow(decided, (change) => {
      if (change._tag === "OperationRecorded") {
        effects = change.entry.effects
        const entry = freeingEntry(this.overwritten.record(change.entry), deletion)
        for (const noted of this.overwritten.takeNoted()) this.apply(noted)
        this.waiting.push({ ...change, entry })
      } else this.apply(change)
    })
    return effects
  }

  /** Records the merges that the deletions of a request have undone. */
  record(): void {
    for (const change of this.waiting.splice(0)) {
      const { latestReceipt, nextSequence: sequence } = this.state
      const receivedAt = Math.max(change.entry.receivedAt, latestReceipt ?? 0)
      this.apply({ ...change, entry: { ...change.entry, sequence, receivedAt } })
    }
  }
}

type Apply = (change: Change) => void

const noEffects: ActivityEntry["effects"] = []

/** Adds effects to the entry of a decided command. */
const withEffects = (
  decided: ReadonlyArray<Change>,
  effects: ActivityEntry["effects"],
): ReadonlyArray<Change> =>
  effects.length === 0
    ? decided
    : decided.map((change) =>
        change._tag === "OperationRecorded" ? { ...change, entry: { ...change.entry, effects } } : change,
      )

/** Returns whether a command takes as long as a slice of others. */
const isLarge = ({ _tag }: Command): boolean => _tag === "WalkPeople" || _tag === "ReadHistory"

/**
 * Applies a change, and adds it to `changes` if the state keeps them. Adds to the entry of a command what the command
 * overwrote.
 */
const applier = (state: WorkingSet, overwritten: OverwrittenDraft, changes: Array<Change>): Apply => {
  const make = (change: Change): void => {
    evolve(state, change)
    if (state.keepsChanges) changes.push(change)
  }
  return (change) => {
    overwritten.note(change)
    if (change._tag !== "OperationRecorded") return make(change)
    const recorded = withOverwritten(change, overwritten)
    for (const noted of overwritten.takeNoted()) make(noted)
    make(recorded)
  }
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
