import {
  actsOn,
  type Command,
  type IdentifyPerson,
  type SuppressPerson,
  type UnsuppressPerson,
} from "../Command.ts"
import { identifierText, type Identifier } from "../Identifier.ts"
import type { Person } from "../person/Person.ts"
import { resolve } from "../Resolution.ts"
import { dropped, effective, Effects, ignoredAs, type Verdict } from "../Verdict.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { suppressedAs, suppressedText, type Suppressed } from "./suppressedAs.ts"
import { dropReasons } from "../faults.ts"

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
  const effects = new Effects(seen, command.faults)
  const known = target._tag === "Somebody" ? target.person : target.visitor
  const group = known?.key ?? effects.newKey()
  if (known !== null) {
    effects.changes.push({ _tag: "SubjectDeleted", key: known.key, before: seen.nextSequence })
  }
  effects.changes.push({ _tag: "IdentifiersSuppressed", group, workspace, identifiers: [first, ...others] })
  return effective("applied", effects.faults, { rule: suppressing, subject: group, changes: effects.changes })
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

/** Why a command is ignored: it names somebody who is suppressed. Undefined where it names nobody who is. */
export const ignored = (seen: WorkingSet, command: Command): Verdict | undefined => {
  if (seen.suppressed.size === 0 && seen.suppressedGroups.size === 0) return undefined
  const suppressed = suppressedBy(seen, command)
  if (suppressed === undefined) return undefined
  const name = command._tag === "RecordEvent" ? command.name : null
  return ignoredAs(suppressed.text === null ? null : seen.digest(suppressed.text), name)
}

const suppressedBy = (seen: WorkingSet, command: Command): Suppressed | undefined => {
  if (command._tag === "UnsuppressPerson") return undefined
  const workspace = command.workspace.id
  for (const reference of actsOn(command)) {
    const suppressed = suppressedAs(seen, workspace, reference)
    if (suppressed !== undefined) return suppressed
  }
  return command._tag === "IdentifyPerson" ? suppressedBeside(seen, command) : undefined
}

/** What an identify names beside whom it addresses. */
const suppressedBeside = (seen: WorkingSet, command: IdentifyPerson): Suppressed | undefined => {
  for (const kind of ["id", "email"] as const) {
    const value = command[kind]
    const text = value === null ? null : identifierText(command.workspace.id, kind, value)
    const suppressed = text === null ? undefined : suppressedText(seen, text)
    if (suppressed !== undefined) return suppressed
  }
  return undefined
}

const namesOf = ({ email, id }: Person): ReadonlyArray<Identifier> => [
  ...(id === null ? [] : [{ kind: "id", value: id } as const]),
  ...(email === null ? [] : [{ kind: "email", value: email } as const]),
]
