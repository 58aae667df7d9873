import type { Command } from "@inlethq/core/Command"
import type { DeletePerson, IdentifyPerson } from "@inlethq/core/person/commands"
import type { RecordEvent } from "@inlethq/core/event/commands"
import type { Reference } from "@inlethq/core/values/Identifier"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { assignAll, inheritHolder, nothingHeld, personRoom } from "./modelAttributes.ts"
import { applyDeviceChange } from "./modelHolder.ts"
import { changeObjects } from "./modelRelationships.ts"
import {
  personByIdentifier,
  day,
  removeVisitor,
  isSame,
  isWaitingFor,
  knownVisitor,
  ensureVisitor,
  resolveReference,
  type FreshKeys,
  type Model,
  type ModelEvent,
  type ModelKind,
  type ModelPerson,
  type ModelVisitor,
} from "./modelState.ts"

export const identify = (model: Model, command: IdentifyPerson, fresh: FreshKeys): Outcome => {
  const named = resolveReference(model, command.target)
  // Track API §2.1 rule 5: the request names the person by svc_id.
  if (named.is === "svc_id") {
    if (named.person === null) return "dropped"
    const { anonymousId, email, id } = command
    return update(model, command, fresh, named.person, {
      by: "svc_id",
      addressedBy: "svc_id",
      id,
      email,
      anonymousId,
      failures: 0,
    })
  }
  return named.kind === "anonymous_id"
    ? identifyAnonymous(model, command, fresh, named.value)
    : identifyBy(model, command, fresh, named.kind, named.value)
}

/** Applies rules 1 to 4 of Track API §2.1 for a request with an id or an email. */
const identifyBy = (
  model: Model,
  command: IdentifyPerson,
  fresh: FreshKeys,
  kind: "id" | "email",
  value: string,
): Outcome => {
  const { anonymousId } = command
  const otherKind = kind === "id" ? "email" : "id"
  const sameKindInBody = command[kind]
  const other = command[otherKind]
  // If the body has a different identifier of the same kind, the identifier in the path is used, and the identifier in
  // the body counts as a failure.
  const failures = sameKindInBody !== null && !isSame(kind, sameKindInBody, value) ? 1 : 0
  const byPath = personByIdentifier(model, kind, value)
  const byBody = other === null ? null : personByIdentifier(model, otherKind, other)

  // Track API §2.1 rules 2 and 4: a person has the identifier in the path.
  if (byPath !== null)
    return update(model, command, fresh, byPath, {
      by: kind,
      addressedBy: kind,
      id: otherKind === "id" ? other : null,
      email: otherKind === "email" ? other : null,
      anonymousId,
      failures,
    })

  // Track API §2.1 rule 3: the body names a person who has no identifier of the path's kind. This person gets the
  // identifier in the path.
  if (byBody !== null && byBody[kind] === null)
    return update(model, command, fresh, byBody, {
      by: otherKind,
      addressedBy: kind,
      id: kind === "id" ? value : null,
      email: kind === "email" ? value : null,
      anonymousId,
      failures,
    })

  // Track API §2.1 rule 1: nobody has the identifier in the path, so the request creates a person, unless it may only
  // update people. An identifier in the body that another person has is left out.
  if (command.updateOnly) return "dropped"
  const person = newPerson(model, command, fresh.person(kind, value))
  const given = byBody === null ? other : null
  const outcome = update(model, command, fresh, person, {
    by: kind,
    addressedBy: kind,
    id: kind === "id" ? value : given,
    email: kind === "email" ? value : given,
    anonymousId,
    failures: failures + (byBody === null ? 0 : 1),
  })
  return outcome === "applied" ? "created" : outcome
}

/** Applies a request that names only a visitor. Its data is stored under the anonymous id and creates no person. */
const identifyAnonymous = (
  model: Model,
  command: IdentifyPerson,
  fresh: FreshKeys,
  anonymousId: string,
): Outcome => {
  const { assignments, at, relationships } = command
  const person = personByIdentifier(model, "anonymous_id", anonymousId)
  if (person !== null)
    return update(model, command, fresh, person, {
      by: "anonymous_id",
      addressedBy: "anonymous_id",
      id: null,
      email: null,
      anonymousId: null,
      failures: 0,
    })
  if (command.updateOnly) return "dropped"
  const visitor = ensureVisitor(model, command, anonymousId)
  assignAll(visitor.attributes, assignments, at, personRoom(command.workspace))
  if (relationships !== null)
    changeObjects(model, command, fresh, visitor, relationships.action, relationships.entries)
  applyDeviceChange(model, command, visitor, command.device)
  return "pending"
}

const newPerson = (model: Model, command: Command, key: number): ModelPerson => {
  const person: ModelPerson = {
    key,
    id: null,
    email: null,
    setAt: { id: null, email: null },
    anonymousIds: [],
    ...nothingHeld(),
    segments: [],
    createdAt: command.receivedAt,
    updatedAt: command.receivedAt,
  }
  model.people.push(person)
  return person
}

/** The result of resolving a reference to a person or visitor who has, or receives, devices and relationships. */
export type HolderFor =
  | { is: "person"; person: ModelPerson; created: boolean }
  | { is: "visitor"; visitor: ModelVisitor }
  | { is: "unknown" }

/** Resolves a reference to a person or a visitor, and creates an unknown person as an identify does. */
export const resolveHolder = (
  model: Model,
  command: Command,
  fresh: FreshKeys,
  reference: Reference,
): HolderFor => {
  const named = resolveReference(model, reference)
  if (named.person !== null) return { is: "person", person: named.person, created: false }
  if (named.is === "svc_id") return { is: "unknown" }
  const { kind, value } = named
  if (kind === "anonymous_id") return { is: "visitor", visitor: ensureVisitor(model, command, value) }
  const person = newPerson(model, command, fresh.person(kind, value))
  setIdentifier(model, command, person, kind, value, kind, kind)
  return { is: "person", person, created: true }
}

/**
 * Returns the person or visitor that a reference names. Unlike `resolveHolder`, this function creates nothing. Commands
 * that remove data use it.
 */
export const holderOf = (model: Model, command: Command, reference: Reference): HolderFor => {
  const named = resolveReference(model, reference)
  if (named.person !== null) return { is: "person", person: named.person, created: false }
  if (named.is === "svc_id" || named.kind !== "anonymous_id") return { is: "unknown" }
  const visitor = knownVisitor(model, command, named.value)
  return visitor === null ? { is: "unknown" } : { is: "visitor", visitor }
}

interface Given {
  /** The kind of the identifier by which the person was found. */
  by: ModelKind | "svc_id"
  /**
   * The kind of the identifier in the path. Differs from `by` if an identifier in the body resolved to the person
   * (Track API §2.1 rule 3).
   */
  addressedBy: ModelKind | "svc_id"
  id: string | null
  email: string | null
  anonymousId: string | null
  failures: number
}

/** Updates a person, and sets the time of the last update if a value changed. */
const update = (
  model: Model,
  command: IdentifyPerson,
  fresh: FreshKeys,
  person: ModelPerson,
  given: Given,
): Outcome => {
  const { assignments, at, relationships } = command
  let failures = command.faults.length + given.failures
  for (const kind of ["id", "email"] as const) {
    const value = given[kind]
    if (value !== null)
      failures += setIdentifier(model, command, person, kind, value, given.by, given.addressedBy)
  }
  if (command.removeEmail) failures += removeEmail(command, person, given.addressedBy)
  const assigned = assignAll(person.attributes, assignments, at, personRoom(command.workspace))
  failures += assigned.leftOut
  if (assigned.wrote) person.updatedAt = command.receivedAt
  const relate = (action: "add" | "delete") => {
    if (relationships?.action !== action) return
    const changed = changeObjects(model, command, fresh, person, action, relationships.entries)
    failures += changed.failures
    if (changed.wrote) person.updatedAt = command.receivedAt
  }
  // Relationships are added before the visitor's data are attached, so that attributes in the request win over
  // attributes of the visitor. Relationships are removed after the visitor's data are attached, so that the request can
  // also remove relationships of the visitor.
  relate("add")
  if (given.anonymousId !== null) failures += attach(model, command, person, given.anonymousId)
  relate("delete")
  failures += applyDeviceChange(model, command, person, command.device)
  return failures > 0 ? "partial" : "applied"
}

/** Assigns an identifier to a person. Returns 1 if the identifier is refused, otherwise 0. */
const setIdentifier = (
  model: Model,
  command: Command,
  person: ModelPerson,
  kind: "id" | "email",
  value: string,
  by: ModelKind | "svc_id",
  addressedBy: ModelKind | "svc_id",
): number => {
  const owner = personByIdentifier(model, kind, value)
  if (owner !== null && owner !== person) return 1
  const current = person[kind]
  if (current !== null) {
    // Emails that differ only in upper and lower case are the same email. Only a request by svc_id replaces the stored
    // spelling.
    const isSpelling = isSame(kind, current, value)
    const mayChange =
      by === "svc_id" || (kind === "email" && by === "id" && command.workspace.emailUpdateById)
    if (current === value || (isSpelling && by !== "svc_id")) {
      if (mayChange) person.setAt[kind] = Math.max(command.at, person.setAt[kind] ?? command.at)
      return 0
    }
    if (!mayChange) return 1
  }
  if (kind !== addressedBy && isLate(command, person.setAt[kind])) return 1
  person[kind] = value
  person.setAt[kind] = command.at
  person.updatedAt = command.receivedAt
  for (const event of model.events) if (isWaitingFor(event, kind, value)) associate(event, person, command)
  return 0
}

/** Returns whether the identifier was set or removed by an update that is newer than this command. */
const isLate = ({ at }: Command, setAt: number | null): boolean => setAt !== null && at < setAt

/** Removes the email of a person who has an id and is addressed by id or svc_id. Returns 1 if that failed. */
const removeEmail = (
  command: IdentifyPerson,
  person: ModelPerson,
  addressedBy: Given["addressedBy"],
): number => {
  if (person.email === null) return 0
  if (person.id === null || (addressedBy !== "id" && addressedBy !== "svc_id")) return 1
  if (isLate(command, person.setAt.email)) return 1
  person.email = null
  person.setAt.email = command.at
  person.updatedAt = command.receivedAt
  return 0
}

const associate = (event: ModelEvent, person: ModelPerson, command: Command) => {
  event.owner = person.key
  event.processedAt = command.receivedAt
}

/**
 * Assigns an anonymous id to a person, and moves the data of the visitor with this anonymous id to the person. Returns
 * the number of attributes that were left out, or 1 if another person has the anonymous id.
 */
const attach = (model: Model, command: Command, person: ModelPerson, anonymousId: string): number => {
  const owner = personByIdentifier(model, "anonymous_id", anonymousId)
  if (owner === person) return 0
  if (owner !== null) return 1
  const visitor = knownVisitor(model, command, anonymousId)
  removeVisitor(model, anonymousId)
  person.anonymousIds.push(anonymousId)
  person.updatedAt = command.receivedAt
  const since = command.receivedAt - 30 * day
  if (command.workspace.eventMerging)
    for (const event of model.events)
      if (isWaitingFor(event, "anonymous_id", anonymousId) && event.receivedAt >= since)
        associate(event, person, command)
  return visitor === null ? 0 : inheritHolder(person, visitor, command.workspace, "by time")
}

/**
 * Deletes a person with their events and the data of their anonymous ids. If no person has the identifier, deletes its
 * pending events.
 */
export const remove = (model: Model, command: DeletePerson): Outcome => {
  const named = resolveReference(model, command.target)
  if (named.person !== null) removePerson(model, named.person)
  else if (named.is === "svc_id") return "dropped"
  else if (!removeWaiting(model, named.kind, named.value)) return "dropped"
  return command.faults.length > 0 ? "partial" : "applied"
}

export const removePerson = (model: Model, person: ModelPerson): void => {
  model.people = model.people.filter((one) => one !== person)
  model.events = model.events.filter((event) => event.owner !== person.key)
  for (const value of person.anonymousIds) removeWaiting(model, "anonymous_id", value)
}

/**
 * Removes the pending events of an identifier. For an anonymous id, also removes the visitor. Returns whether anything
 * was removed.
 */
export const removeWaiting = (model: Model, kind: ModelKind, value: string): boolean => {
  const before = model.events.length + model.visitors.length
  model.events = model.events.filter((event) => !isWaitingFor(event, kind, value))
  if (kind === "anonymous_id") removeVisitor(model, value)
  return model.events.length + model.visitors.length < before
}

export const record = (model: Model, command: RecordEvent, step: number): Outcome => {
  const named = command.target === null ? null : resolveReference(model, command.target)
  // An unknown svc_id is never assigned later, so the event is dropped.
  if (named?.is === "svc_id" && named.person === null) return "dropped"
  const owner = named?.person ?? null
  let failures = command.faults.length
  if (owner !== null) failures += applyDeviceChange(model, command, owner, command.device)
  else if (named?.is === "identifier" && named.kind === "anonymous_id")
    applyDeviceChange(model, command, ensureVisitor(model, command, named.value), command.device)
  model.events.push({
    step,
    name: command.name,
    at: command.at,
    receivedAt: command.receivedAt,
    named: named?.is === "identifier" ? { kind: named.kind, value: named.value } : null,
    owner: owner === null ? null : owner.key,
    processedAt: owner === null ? null : command.receivedAt,
    merged: false,
  })
  if (owner === null) return "pending"
  return failures > 0 ? "partial" : "applied"
}
