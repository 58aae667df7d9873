import { decideAll } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { clearWritten, makeWorkingSet, type WorkingSet } from "@inlethq/core/fold/WorkingSet"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { lookupTextsOf } from "@inlethq/core/state/lookupTexts"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"

/** Deduplication keys that a trial remembers. Beyond them, the oldest are forgotten in both of its worlds. */
const claimsMax = 100_000

/** What a world begins with. Its people come as they are needed. */
export type WorldStart = Pick<WorkingSet, "nextKey" | "nextSequence" | "digest">

/** The part of a workspace that a trial has come to, as it became by one way of deciding. */
export class TrialWorld {
  readonly workspace: Workspace
  readonly state: WorkingSet
  /** Whoever is in this world as it was decided or read, also if there is nobody any more. Those used last are at the end. */
  readonly known = new Set<SubjectKey>()

  constructor(workspace: Workspace, { digest, nextKey, nextSequence }: WorldStart) {
    this.workspace = workspace
    this.state = makeWorkingSet(workspace.id, nextKey, nextSequence, digest, { keepsChanges: false })
  }

  /** Puts a subject as it was into the world, or notes that there was none. */
  put(key: SubjectKey, subject: Subject | null): void {
    this.known.add(key)
    if (subject === null) return
    this.state.subjects.set(key, subject)
    for (const text of lookupTextsOf(subject)) {
      if (!this.state.identifiers.has(text)) this.state.identifiers.set(text, key)
    }
  }

  /** Forgets a subject, which is read again when it is needed. */
  forget(key: SubjectKey): void {
    const { identifiers, subjects } = this.state
    const subject = subjects.get(key)
    this.known.delete(key)
    subjects.delete(key)
    for (const text of subject === undefined ? [] : lookupTextsOf(subject)) {
      if (identifiers.get(text) === key) identifiers.delete(text)
    }
  }

  /** Notes that a subject was deleted. */
  drop(key: SubjectKey): void {
    this.forget(key)
    this.known.add(key)
  }

  touch(key: SubjectKey): void {
    if (this.known.delete(key)) this.known.add(key)
  }

  /** Decides a command. Returns its entry, and the keys of the subjects that it wrote. */
  decide(command: Command): {
    readonly entry: ActivityEntry | null
    readonly written: ReadonlySet<SubjectKey>
  } {
    const { entries, state } = decideAll(this.state, [command])
    const written = new Set(state.written.subjects)
    for (const key of written) this.known.add(key)
    forgetWritten(state)
    return { entry: entries[0] ?? null, written }
  }
}

/** Forgets what only a store needs, and the oldest deduplication keys. */
const forgetWritten = (state: WorkingSet): void => {
  clearWritten(state)
  for (const id of state.claimed.keys()) {
    if (state.claimed.size <= claimsMax) break
    state.claimed.delete(id)
  }
}

/** Sets where the log is, so that both worlds give the same keys to the people whom an operation creates. */
export const moveTo = (
  { state }: TrialWorld,
  { nextKey, sequence }: { readonly sequence: Sequence; readonly nextKey: SubjectKey },
): void => {
  state.nextSequence = sequence
  state.nextKey = nextKey
}
