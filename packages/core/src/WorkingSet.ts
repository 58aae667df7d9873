import type { ActivityEntry } from "./Activity.ts"
import type { Command } from "./Command.ts"
import {
  deduplicationText,
  identifierText,
  type Identifier,
  type IdentifierKind,
  type Reference,
  type Sequence,
  type SubjectKey,
  type WorkspaceId,
} from "./Identifier.ts"
import type { Subject } from "./Subject.ts"

/**
 * The part of the state that a batch is decided against: loaded whole before the first command, brought forward by
 * `evolve` and written back at the end. It is a draft with one owner, the fold, so `evolve` writes into it in place.
 */
export interface WorkingSet {
  /** The next subject key and the next position in the log. */
  nextKey: SubjectKey
  nextSequence: Sequence
  /** Who carries an identifier, by `identifierText`. */
  readonly identifiers: Map<string, SubjectKey>
  readonly subjects: Map<SubjectKey, Subject>
  /** Deduplication keys in use, by `deduplicationText`. */
  readonly claimed: Set<string>
  /** What `evolve` has written: all that a store has to save. */
  readonly written: {
    readonly identifiers: Set<string>
    readonly subjects: Set<SubjectKey>
    readonly entries: Array<ActivityEntry>
  }
}

export const make = (
  nextKey: SubjectKey,
  nextSequence: Sequence,
  loaded?: Partial<Pick<WorkingSet, "identifiers" | "subjects" | "claimed">>,
): WorkingSet => ({
  nextKey,
  nextSequence,
  identifiers: loaded?.identifiers ?? new Map<string, SubjectKey>(),
  subjects: loaded?.subjects ?? new Map<SubjectKey, Subject>(),
  claimed: loaded?.claimed ?? new Set<string>(),
  written: { identifiers: new Set(), subjects: new Set(), entries: [] },
})

/** What a batch has to see: everything its commands name. */
export interface Needs {
  readonly identifiers: ReadonlySet<string>
  readonly subjects: ReadonlySet<SubjectKey>
  readonly deduplication: ReadonlySet<string>
}

export const needsOf = (commands: ReadonlyArray<Command>): Needs => {
  const needs = {
    identifiers: new Set<string>(),
    subjects: new Set<SubjectKey>(),
    deduplication: new Set<string>(),
  }
  for (const command of commands) {
    const workspace = command.workspace.id
    if (command.deduplicationKey !== null) {
      needs.deduplication.add(deduplicationText(workspace, command.deduplicationKey))
    }
    switch (command._tag) {
      case "IdentifyPerson":
        follow(needs, workspace, command.target)
        name(needs, workspace, "id", command.id)
        name(needs, workspace, "email", command.email)
        name(needs, workspace, "anonymous_id", command.anonymousId)
        break
      case "DeletePerson":
      case "RecordEvent":
        if (command.target !== null) follow(needs, workspace, command.target)
        break
      case "RejectOperation":
        break
    }
  }
  return needs
}

/** Needs while they are being collected. */
interface Collected {
  readonly identifiers: Set<string>
  readonly subjects: Set<SubjectKey>
}

const follow = (needs: Collected, workspace: WorkspaceId, reference: Reference): void => {
  switch (reference._tag) {
    case "BySvcId":
      if (reference.key !== null) needs.subjects.add(reference.key)
      return
    case "ByIdentifier":
      return name(needs, workspace, reference.kind, reference.value)
    case "ByBareText":
      name(needs, workspace, "id", reference.value)
      return follow(needs, workspace, reference.otherwise)
  }
}

const name = (needs: Collected, workspace: WorkspaceId, kind: IdentifierKind, value: string | null): void => {
  if (value !== null) needs.identifiers.add(identifierText(workspace, kind, value))
}

/** The person or visitor who carries an identifier; undefined where nobody does. */
export const carrier = (
  seen: WorkingSet,
  workspace: WorkspaceId,
  identifier: Identifier,
): Subject | undefined => {
  const key = seen.identifiers.get(identifierText(workspace, identifier.kind, identifier.value))
  return key === undefined ? undefined : seen.subjects.get(key)
}
