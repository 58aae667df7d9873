import type { SuppressPerson, UnsuppressPerson } from "./commands.ts"
import { identifierText, type Identifier, type Reference, type WorkspaceId } from "../values/Identifier.ts"
import type { Person } from "../state/Person.ts"
import { resolve } from "../decision/resolve.ts"
import { dropped, effective, ignoredAs, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { suppressedAs, suppressedText, type Suppressed } from "./suppressedAs.ts"
import { dropReasons } from "../log/faults.ts"

const suppressing = "track-api §3 exists suppress"
const unsuppressing = "track-api §3 unsuppress"

/** Removes a person and takes the identifiers that led to it no more, also where nobody carries them (contract §6). */
export const suppress = (seen: WorkingSet, command: SuppressPerson): Verdict => {
  const workspace = command.workspace.id
  const target = resolve(seen, workspace, command.target)
  if (target._tag === "UnknownSvcId") return dropped(dropReasons.unknownSvcId(), suppressing)
  const [first, ...others] = target._tag === "Somebody" ? namesOf(target.person) : [target.identifier]
  if (first === undefined || first.kind === "anonymous_id") {
    return dropped(dropReasons.notSuppressible(), suppressing)
  }
  const draft = new DecisionDraft(seen, command.faults)
  const known = target._tag === "Somebody" ? target.person : target.visitor
  const group = known?.key ?? draft.newKey()
  if (known !== null) {
    draft.changes.push({ _tag: "SubjectDeleted", key: known.key, before: seen.nextSequence })
  }
  draft.changes.push({ _tag: "IdentifiersSuppressed", group, workspace, identifiers: [first, ...others] })
  return effective("applied", draft.faults, { rule: suppressing, subject: group, changes: draft.changes })
}

/** Takes the identifiers again that were suppressed together; no profile comes back (track-api §3). */
export const unsuppress = (seen: WorkingSet, command: UnsuppressPerson): Verdict => {
  const suppressed = suppressedAs(seen, command.workspace.id, command.target)
  if (suppressed === undefined) return dropped(dropReasons.notSuppressed(), unsuppressing)
  const { group } = suppressed
  return effective("applied", command.faults, {
    rule: unsuppressing,
    subject: group,
    changes: [{ _tag: "SuppressionLifted", group }],
  })
}

/** The people and identifiers that a command names, as far as a suppression of them matters. */
export interface Named {
  readonly workspace: WorkspaceId
  /** The people that the command acts on. */
  readonly references: ReadonlyArray<Reference>
  /** Further identifiers in the request. */
  readonly identifiers: ReadonlyArray<Identifier>
  /** The name of an event; null for other commands. */
  readonly name: string | null
}

/** Returns the verdict on a command that names a suppressed person, or undefined if none of them is suppressed. */
export const ignored = (seen: WorkingSet, named: () => Named): Verdict | undefined => {
  if (seen.suppressed.size === 0 && seen.suppressedGroups.size === 0) return undefined
  const { identifiers, name, references, workspace } = named()
  const suppressed =
    firstOf(references, (reference) => suppressedAs(seen, workspace, reference)) ??
    firstOf(identifiers, ({ kind, value }) => suppressedText(seen, identifierText(workspace, kind, value)))
  if (suppressed === undefined) return undefined
  return ignoredAs(suppressed.text === null ? null : seen.digest(suppressed.text), name)
}

const firstOf = <A>(items: ReadonlyArray<A>, find: (item: A) => Suppressed | undefined) => {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

const namesOf = ({ email, id }: Person): ReadonlyArray<Identifier> => [
  ...(id === null ? [] : [{ kind: "id", value: id } as const]),
  ...(email === null ? [] : [{ kind: "email", value: email } as const]),
]
