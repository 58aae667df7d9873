import type { Command } from "@inlethq/core/Command"
import type { SuppressPerson, UnsuppressPerson } from "@inlethq/core/suppression/commands"
import type { Reference } from "@inlethq/core/values/Identifier"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { removePerson, removeWaiting } from "./modelPeople.ts"
import {
  personByIdentifier,
  isSame,
  resolveReference,
  type Model,
  type ModelKind,
  type ModelSuppression,
} from "./modelState.ts"

const suppressionOf = (model: Model, kind: ModelKind, value: string): ModelSuppression | null =>
  model.suppressions.find((one) =>
    one.identifiers.some((identifier) => identifier.kind === kind && isSame(kind, identifier.value, value)),
  ) ?? null

/** Returns the suppression of the identifier or the `svc_id` in a reference, or null if neither is suppressed. */
const suppressionNamed = (model: Model, reference: Reference): ModelSuppression | null => {
  switch (reference._tag) {
    case "BySvcId":
      return model.suppressions.find((one) => one.person !== null && one.person === reference.key) ?? null
    case "ByIdentifier":
      return suppressionOf(model, reference.kind, reference.value)
    case "ByBareText":
      // If a person has this text as `id`, the reference names that person, who is not suppressed (contract §6).
      if (personByIdentifier(model, "id", reference.value) !== null) return null
      return suppressionOf(model, "id", reference.value) ?? suppressionNamed(model, reference.otherwise)
  }
}

export const namesSuppressed = (model: Model, reference: Reference): boolean =>
  suppressionNamed(model, reference) !== null

/** Returns whether a command names a suppressed person, so that it has no effect. */
export const isIgnored = (model: Model, command: Command): boolean => {
  const names = (reference: Reference) => namesSuppressed(model, reference)
  const holds = (kind: ModelKind, value: string | null) =>
    value !== null && suppressionOf(model, kind, value) !== null
  switch (command._tag) {
    case "IdentifyPerson":
      return names(command.target) || holds("id", command.id) || holds("email", command.email)
    case "DeletePerson":
    case "SuppressPerson":
    case "AddDevice":
    case "DeleteDevice":
    case "ChangeRelationships":
      return names(command.target)
    case "RecordEvent":
      return command.target !== null && names(command.target)
    case "AliasPerson":
      return names(command.target) || names(command.previous)
    case "MergePeople":
      return names(command.primary) || names(command.secondary)
    default:
      return false
  }
}

/** Deletes a person and suppresses their identifiers, or suppresses an identifier that no person has. */
export const suppress = (model: Model, command: SuppressPerson): Outcome => {
  const named = resolveReference(model, command.target)
  const { person } = named
  if (person !== null) {
    removePerson(model, person)
    model.suppressions.push({
      person: person.key,
      identifiers: (["id", "email"] as const).flatMap((kind) => {
        const value = person[kind]
        return value === null ? [] : [{ kind, value }]
      }),
    })
  } else if (named.is === "svc_id" || named.kind === "anonymous_id") {
    // Neither a svc_id nor an anonymous id can be suppressed, and no person exists that could be deleted.
    return "dropped"
  } else {
    const { kind, value } = named
    removeWaiting(model, kind, value)
    model.suppressions.push({ person: null, identifiers: [{ kind, value }] })
  }
  return command.faults.length > 0 ? "partial" : "applied"
}

/** Releases all identifiers of a suppression. */
export const unsuppress = (model: Model, command: UnsuppressPerson): Outcome => {
  const suppression = suppressionNamed(model, command.target)
  if (suppression === null) return "dropped"
  model.suppressions = model.suppressions.filter((one) => one !== suppression)
  return command.faults.length > 0 ? "partial" : "applied"
}
