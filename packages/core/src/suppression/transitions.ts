import type { SuppressPerson, UnsuppressPerson } from "./commands.ts"
import { recordErasure, recordRelease, recordSuppression } from "../erasure/transitions.ts"
import { identifierText, nextAfter, type Identifier, type Reference } from "../values/Identifier.ts"
import type { Person } from "../state/Person.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import { dropped, acceptedErasing, ignoredAs, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { findSuppression, findSuppressionOfText, type Suppression } from "../decision/findSuppression.ts"
import { dropTexts } from "../log/operationTexts.ts"

const suppressing = "track-api §3 exists suppress"
const unsuppressing = "track-api §3 unsuppress"

/**
 * Deletes the person and suppresses their identifiers. Later requests with these identifiers are ignored. An identifier
 * can be suppressed even if no person has it (contract §6).
 */
export const suppressPerson = (state: WorkingSet, command: SuppressPerson): Verdict => {
  const target = resolvePerson(state, command.target)
  if (target._tag === "UnknownSvcId") return dropped(dropTexts.unknownSvcId(), suppressing)
  const [first, ...others] =
    target._tag === "KnownPerson" ? suppressibleIdentifiers(target.person) : [target.identifier]
  if (first === undefined || first.kind === "anonymous_id") {
    return dropped(dropTexts.notSuppressible(), suppressing)
  }
  const draft = new DecisionDraft(state, command.faults)
  const known = target._tag === "KnownPerson" ? target.person : target.visitor
  const group = known?.key ?? draft.newKey()
  const before = state.nextSequence
  draft.changes.push(
    known === null
      ? { _tag: "IdentifiersErased", identifiers: [first], before }
      : { _tag: "SubjectDeleted", key: known.key, before },
  )
  draft.changes.push({ _tag: "IdentifiersSuppressed", group, identifiers: [first, ...others] })
  draft.changes.push(
    known === null
      ? recordSuppression(state, command, group, first, nextAfter(group))
      : recordErasure(state, command, "suppress", known),
  )
  return acceptedErasing(draft.faults, { rule: suppressing, subject: group, changes: draft.changes })
}

/**
 * Releases a suppression group, so that requests with its identifiers are no longer ignored. The deleted profile is not
 * restored (track-api §3).
 */
export const unsuppressPerson = (state: WorkingSet, command: UnsuppressPerson): Verdict => {
  const suppressed = findSuppression(state, command.target)
  if (suppressed === undefined) return dropped(dropTexts.notSuppressed(), unsuppressing)
  const { group } = suppressed
  return acceptedErasing(command.faults, {
    rule: unsuppressing,
    subject: group,
    changes: [
      { _tag: "SuppressionLifted", group },
      recordRelease(state, command, group, namedBy(command.target)),
    ],
  })
}

/** The stored suppression has digests only, so what the call named is all that anybody can be told. */
const namedBy = (reference: Reference): ReadonlyArray<Identifier> => {
  switch (reference._tag) {
    case "BySvcId":
      return []
    case "ByIdentifier":
      return [{ kind: reference.kind, value: reference.value }]
    case "ByBareText":
      return namedBy(reference.otherwise)
  }
}

/** The people and identifiers that a command names. If one of them is suppressed, the command is ignored. */
export interface NamedIdentifiers {
  /** The people that the command acts on. */
  readonly references: ReadonlyArray<Reference>
  /** The identifiers in the request, except those in `references`. */
  readonly identifiers: ReadonlyArray<Identifier>
  /** The name of the event if the command records an event; null for other commands. */
  readonly name: string | null
}

/** Returns the verdict on a command that names a suppressed person. Returns undefined for any other command. */
export const ignoreIfSuppressed = (state: WorkingSet, named: () => NamedIdentifiers): Verdict | undefined => {
  if (state.suppressed.size === 0 && state.suppressedGroups.size === 0) return undefined
  const { identifiers, name, references } = named()
  const suppressed =
    firstOf(references, (reference) => findSuppression(state, reference)) ??
    firstOf(identifiers, ({ kind, value }) => findSuppressionOfText(state, identifierText(kind, value)))
  if (suppressed === undefined) return undefined
  return ignoredAs(suppressed.text === null ? null : state.digest(suppressed.text), name)
}

const firstOf = <A>(items: ReadonlyArray<A>, find: (item: A) => Suppression | undefined) => {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

const suppressibleIdentifiers = ({ email, id }: Person): ReadonlyArray<Identifier> => [
  ...(id === null ? [] : [{ kind: "id", value: id } as const]),
  ...(email === null ? [] : [{ kind: "email", value: email } as const]),
]
