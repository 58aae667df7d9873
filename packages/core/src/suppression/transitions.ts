import type { Command, SuppressPerson, UnsuppressPerson } from "../Command.ts"
import { identifierText, type Identifier, type Reference } from "../Identifier.ts"
import type { Person } from "../person/Person.ts"
import { resolve } from "../Resolution.ts"
import { dropped, effective, Effects, ignoredAs, type Verdict } from "../Verdict.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { suppressedAs, suppressedText, type Suppressed } from "./suppressedAs.ts"

const rule = "track-api §3"

/** Removes a person and takes the identifiers that led to it no more, also where nobody carries them (contract §6). */
export const suppress = (seen: WorkingSet, command: SuppressPerson): Verdict => {
  const workspace = command.workspace.id
  const target = resolve(seen, workspace, command.target)
  if (target._tag === "UnknownSvcId") return dropped("unknown svc_id", rule)
  const [first, ...others] = target._tag === "Somebody" ? namesOf(target.person) : [target.identifier]
  if (first === undefined || first.kind === "anonymous_id") {
    return dropped("only an id or an email can be suppressed", rule)
  }
  const effects = new Effects(seen, command.faults)
  const known = target._tag === "Somebody" ? target.person : target.visitor
  const group = known?.key ?? effects.newKey()
  if (known !== null) {
    effects.changes.push({ _tag: "SubjectDeleted", key: known.key, before: seen.nextSequence })
  }
  effects.changes.push({ _tag: "IdentifiersSuppressed", group, workspace, identifiers: [first, ...others] })
  return effective("applied", effects.faults, { rule, subject: group, changes: effects.changes })
}

/** Takes the identifiers again that were suppressed together; no profile comes back (track-api §3). */
export const unsuppress = (seen: WorkingSet, command: UnsuppressPerson): Verdict => {
  const suppressed = suppressedAs(seen, command.workspace.id, command.target)
  if (suppressed === undefined) return dropped("nobody is suppressed by this identifier", rule)
  const { group } = suppressed
  return effective("applied", command.faults, {
    rule,
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
  const workspace = command.workspace.id
  const by = (reference: Reference | null) =>
    reference === null ? undefined : suppressedAs(seen, workspace, reference)
  const beside = (kind: "id" | "email", value: string | null) =>
    value === null ? undefined : suppressedText(seen, identifierText(workspace, kind, value))
  switch (command._tag) {
    case "IdentifyPerson":
      return by(command.target) ?? beside("id", command.id) ?? beside("email", command.email)
    case "DeletePerson":
    case "SuppressPerson":
    case "RecordEvent":
    case "AddDevice":
    case "DeleteDevice":
    case "ChangeRelationships":
      return by(command.target)
    case "MergePeople":
      return by(command.primary) ?? by(command.secondary)
    case "AliasPerson":
      return by(command.target) ?? by(command.previous)
    case "UnsuppressPerson":
    case "IdentifyObject":
    case "DeleteObject":
    case "ChangeObjectRelationships":
    case "SubmitForm":
    case "ChangeMembership":
    case "ReportMetric":
    case "UnsubscribeByDelivery":
    case "CreateSegment":
    case "DeleteSegment":
    case "MapForm":
    case "RegisterDelivery":
    case "RejectOperation":
    case "ReportExcess":
      return undefined
  }
}

const namesOf = ({ email, id }: Person): ReadonlyArray<Identifier> => [
  ...(id === null ? [] : [{ kind: "id", value: id } as const]),
  ...(email === null ? [] : [{ kind: "email", value: email } as const]),
]
