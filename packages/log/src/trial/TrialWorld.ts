import { decideAll } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { makeWorkingSet, type WorkingSet } from "@inlethq/core/fold/WorkingSet"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Subject } from "@inlethq/core/state/Subject"
import {
  deliveryText,
  deviceText,
  formText,
  identifierText,
  objectText,
  type Sequence,
  type SubjectKey,
} from "@inlethq/core/values/Identifier"
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
    for (const text of textsOf(subject)) {
      if (!this.state.identifiers.has(text)) this.state.identifiers.set(text, key)
    }
  }

  /** Forgets a subject, which is read again when it is needed. */
  forget(key: SubjectKey): void {
    const { identifiers, subjects } = this.state
    const subject = subjects.get(key)
    this.known.delete(key)
    subjects.delete(key)
    for (const text of subject === undefined ? [] : textsOf(subject)) {
      if (identifiers.get(text) === key) identifiers.delete(text)
    }
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
    clear(state)
    return { entry: entries[0] ?? null, written }
  }
}

/** Returns the lookup texts that lead to a subject. */
const textsOf = (subject: Subject): ReadonlyArray<string> => {
  switch (subject._tag) {
    case "Person":
      return [
        ...(subject.id === null ? [] : [identifierText("id", subject.id)]),
        ...(subject.email === null ? [] : [identifierText("email", subject.email)]),
        ...subject.anonymousIds.map((id) => identifierText("anonymous_id", id)),
        ...Array.from(subject.devices.keys(), deviceText),
      ]
    case "Visitor":
      return [
        identifierText(subject.knownAs.kind, subject.knownAs.value),
        ...Array.from(subject.devices.keys(), deviceText),
      ]
    case "DataObject":
      return [objectText(subject.typeId, subject.objectId)]
    case "Delivery":
      return [deliveryText(subject.deliveryId)]
    case "Form":
      return [formText(subject.formId)]
    case "Attached":
    case "Erased":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
      return []
  }
}

/** Forgets what only a store needs. */
const clear = ({ claimed, merges, written }: WorkingSet): void => {
  written.identifiers.clear()
  written.names.clear()
  written.subjects.clear()
  written.links.clear()
  written.suppressed.clear()
  written.lifted.clear()
  written.reassigned.clear()
  written.addresses.clear()
  written.leafStates.clear()
  written.erasedIdentifiers.clear()
  written.erasures.length = 0
  written.suppressedDigests.clear()
  written.entries.length = 0
  written.copies = new WeakMap()
  merges.clear()
  for (const id of claimed.keys()) {
    if (claimed.size <= claimsMax) break
    claimed.delete(id)
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
