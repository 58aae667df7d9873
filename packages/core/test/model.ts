import type { Command, DeletePerson, IdentifyPerson, RecordEvent } from "../src/Command.ts"
import type { Reference } from "../src/Identifier.ts"
import type { Outcome } from "../src/Outcome.ts"
import { assignAll, inheritAll, type ModelAttribute } from "./modelAttributes.ts"

/*
 * What the contract promises about people and events, in the plainest way there is: arrays that are searched from the
 * front. It shares no code with what it checks.
 */

const hour = 60 * 60 * 1000
const day = 24 * hour

export type ModelKind = "id" | "email" | "anonymous_id"

export interface ModelPerson {
  key: number
  workspace: number
  id: string | null
  email: string | null
  anonymousIds: Array<string>
  attributes: Array<ModelAttribute>
  createdAt: number
  updatedAt: number
}

/** What arrived for an anonymous id that nobody carries. */
export interface ModelVisitor {
  workspace: number
  anonymousId: string
  attributes: Array<ModelAttribute>
  /** When the anonymous id was last named. */
  namedAt: number
}

export interface ModelEvent {
  /** The index of the command. */
  step: number
  workspace: number
  name: string
  at: number
  receivedAt: number
  /** What the event named while nobody carried it. */
  named: { kind: ModelKind; value: string } | null
  owner: number | null
  processedAt: number | null
}

export interface Model {
  people: Array<ModelPerson>
  visitors: Array<ModelVisitor>
  events: Array<ModelEvent>
  claimed: Array<{ workspace: number; key: string }>
  steps: number
}

export const emptyModel = (): Model => ({ people: [], visitors: [], events: [], claimed: [], steps: 0 })

/**
 * Takes one command, and says what became of it. `freshKey` is the key that a person gets who is created by it, since
 * the contract leaves to the implementation which numbers it gives.
 */
export const applyToModel = (model: Model, command: Command, freshKey: number): Outcome => {
  const step = model.steps
  model.steps += 1
  if (command._tag === "RejectOperation") return "rejected"
  const workspace: number = command.workspace.id
  const key = command.deduplicationKey
  if (key !== null) {
    if (model.claimed.some((one) => one.workspace === workspace && one.key === key)) return "duplicate"
    model.claimed.push({ workspace, key })
  }
  switch (command._tag) {
    case "IdentifyPerson":
      return identify(model, command, freshKey)
    case "DeletePerson":
      return remove(model, command)
    case "RecordEvent":
      return record(model, command, step)
  }
}

/** Events of the past 72 hours trigger, counted when they came to be somebody's. */
export const isModelEligible = (event: ModelEvent): boolean =>
  event.processedAt !== null && event.at <= event.processedAt && event.processedAt - event.at <= 72 * hour

// Who is named

const isSame = (kind: ModelKind, one: string, other: string): boolean =>
  kind === "email" ? one.toLowerCase() === other.toLowerCase() : one === other

const valuesOf = (person: ModelPerson, kind: ModelKind): Array<string> => {
  if (kind === "anonymous_id") return person.anonymousIds
  const value = person[kind]
  return value === null ? [] : [value]
}

const carrier = (model: Model, workspace: number, kind: ModelKind, value: string): ModelPerson | null =>
  model.people.find(
    (person) =>
      person.workspace === workspace && valuesOf(person, kind).some((one) => isSame(kind, one, value)),
  ) ?? null

type Named =
  | { is: "svc_id"; person: ModelPerson | null }
  | { is: "identifier"; kind: ModelKind; value: string; person: ModelPerson | null }

const whoIs = (model: Model, workspace: number, reference: Reference): Named => {
  switch (reference._tag) {
    case "BySvcId":
      return {
        is: "svc_id",
        person: model.people.find((p) => p.workspace === workspace && p.key === reference.key) ?? null,
      }
    case "ByIdentifier": {
      const { kind, value } = reference
      return { is: "identifier", kind, value, person: carrier(model, workspace, kind, value) }
    }
    case "ByBareText": {
      const person = carrier(model, workspace, "id", reference.value)
      return person === null
        ? whoIs(model, workspace, reference.otherwise)
        : { is: "identifier", kind: "id", value: reference.value, person }
    }
  }
}

// Identify

const identify = (model: Model, command: IdentifyPerson, freshKey: number): Outcome => {
  const named = whoIs(model, command.workspace.id, command.target)
  // rule 5
  if (named.is === "svc_id") {
    if (named.person === null) return "dropped"
    return update(model, command, named.person, {
      by: "svc_id",
      id: command.id,
      email: command.email,
      anonymousId: command.anonymousId,
      failures: 0,
    })
  }
  if (named.kind === "anonymous_id") return identifyAnonymous(model, command, named.value, named.person)
  return identifyBy(model, command, named.kind, named.value, freshKey)
}

/** Rules 1 to 4, for a request that leads with an id or an email. */
const identifyBy = (
  model: Model,
  command: IdentifyPerson,
  kind: "id" | "email",
  value: string,
  freshKey: number,
): Outcome => {
  const { anonymousId } = command
  const workspace = command.workspace.id
  const otherKind = kind === "id" ? "email" : "id"
  const sameKindInBody = command[kind]
  const other = command[otherKind]
  // path and body of the same kind that differ: the path wins
  const failures = sameKindInBody !== null && !isSame(kind, sameKindInBody, value) ? 1 : 0
  const byPath = carrier(model, workspace, kind, value)
  const byBody = other === null ? null : carrier(model, workspace, otherKind, other)

  // rules 2 and 4
  if (byPath !== null)
    return update(model, command, byPath, {
      by: kind,
      id: otherKind === "id" ? other : null,
      email: otherKind === "email" ? other : null,
      anonymousId,
      failures,
    })

  // rule 3: only somebody who has no identifier of the path's kind receives it
  if (byBody !== null && byBody[kind] === null)
    return update(model, command, byBody, {
      by: otherKind,
      id: kind === "id" ? value : null,
      email: kind === "email" ? value : null,
      anonymousId,
      failures,
    })

  // rule 1; where the body's identifier is somebody else's, without it
  if (command.updateOnly) return "dropped"
  const person: ModelPerson = {
    key: freshKey,
    workspace,
    id: null,
    email: null,
    anonymousIds: [],
    attributes: [],
    createdAt: command.receivedAt,
    updatedAt: command.receivedAt,
  }
  model.people.push(person)
  const given = byBody === null ? other : null
  const outcome = update(model, command, person, {
    by: kind,
    id: kind === "id" ? value : given,
    email: kind === "email" ? value : given,
    anonymousId,
    failures: failures + (byBody === null ? 0 : 1),
  })
  return outcome === "applied" ? "created" : outcome
}

/**
 * What names nobody but a visitor is kept under the anonymous id, and creates no person. Such a request holds no other
 * identifier: with an id or an email it leads with that.
 */
const identifyAnonymous = (
  model: Model,
  command: IdentifyPerson,
  anonymousId: string,
  person: ModelPerson | null,
): Outcome => {
  if (person !== null)
    return update(model, command, person, {
      by: "anonymous_id",
      id: null,
      email: null,
      anonymousId: null,
      failures: 0,
    })
  if (command.updateOnly) return "dropped"
  assignAll(nameVisitor(model, command, anonymousId).attributes, command, [])
  return "pending"
}

/** The visitor known by an anonymous id; what is kept under it goes when 30 days pass without a word of it. */
const nameVisitor = (
  model: Model,
  command: IdentifyPerson | RecordEvent,
  anonymousId: string,
): ModelVisitor => {
  const workspace = command.workspace.id
  let visitor = model.visitors.find((v) => v.workspace === workspace && v.anonymousId === anonymousId)
  if (visitor === undefined) {
    visitor = { workspace, anonymousId, attributes: [], namedAt: command.receivedAt }
    model.visitors.push(visitor)
  }
  if (visitor.namedAt < command.receivedAt - 30 * day) visitor.attributes = []
  visitor.namedAt = command.receivedAt
  return visitor
}

interface Given {
  by: ModelKind | "svc_id"
  id: string | null
  email: string | null
  anonymousId: string | null
  failures: number
}

/** Updates a person; what it wrote, if anything, dates the profile. */
const update = (model: Model, command: IdentifyPerson, person: ModelPerson, given: Given): Outcome => {
  const written: Array<string> = []
  let failures = command.faults.length + given.failures
  for (const kind of ["id", "email"] as const) {
    const value = given[kind]
    if (value !== null) failures += setIdentifier(model, command, person, kind, value, given.by, written)
  }
  failures += assignAll(person.attributes, command, written)
  if (given.anonymousId !== null) failures += attach(model, command, person, given.anonymousId, written)
  if (written.length > 0) person.updatedAt = command.receivedAt
  return failures > 0 ? "partial" : "applied"
}

/** Gives a person an identifier, or says that this failed. */
const setIdentifier = (
  model: Model,
  command: IdentifyPerson,
  person: ModelPerson,
  kind: "id" | "email",
  value: string,
  by: ModelKind | "svc_id",
  written: Array<string>,
): number => {
  const owner = carrier(model, person.workspace, kind, value)
  if (owner !== null && owner !== person) return 1
  const current = person[kind]
  if (current !== null) {
    // an email in another case is the same; only by svc_id is it written anew
    const isSpelling = isSame(kind, current, value)
    if (current === value || (isSpelling && by !== "svc_id")) return 0
    const mayChange =
      by === "svc_id" || (kind === "email" && by === "id" && command.workspace.emailUpdateById)
    if (!mayChange) return 1
  }
  person[kind] = value
  written.push(kind)
  for (const event of model.events)
    if (isWaitingFor(event, person.workspace, kind, value)) associate(event, person, command)
  return 0
}

const isWaitingFor = (event: ModelEvent, workspace: number, kind: ModelKind, value: string): boolean =>
  event.workspace === workspace &&
  event.owner === null &&
  event.named !== null &&
  event.named.kind === kind &&
  isSame(kind, event.named.value, value)

const associate = (event: ModelEvent, person: ModelPerson, command: IdentifyPerson) => {
  event.owner = person.key
  event.processedAt = command.receivedAt
}

/** Attaches an anonymous id with what is kept under it, or says that this failed. */
const attach = (
  model: Model,
  command: IdentifyPerson,
  person: ModelPerson,
  anonymousId: string,
  written: Array<string>,
): number => {
  const owner = carrier(model, person.workspace, "anonymous_id", anonymousId)
  if (owner === person) return 0
  if (owner !== null) return 1
  person.anonymousIds.push(anonymousId)
  written.push("anonymous_id")
  const since = command.receivedAt - 30 * day
  if (command.workspace.eventMerging)
    for (const event of model.events)
      if (isWaitingFor(event, person.workspace, "anonymous_id", anonymousId) && event.receivedAt >= since)
        associate(event, person, command)
  const visitor = model.visitors.find(
    (v) => v.workspace === person.workspace && v.anonymousId === anonymousId,
  )
  if (visitor === undefined) return 0
  model.visitors = model.visitors.filter((v) => v !== visitor)
  return visitor.namedAt < since ? 0 : inheritAll(person.attributes, visitor.attributes, command)
}

// Delete

/**
 * Takes the person away with all that hangs on it: its events, and what came under the anonymous ids it carries. What
 * only waits for a person goes likewise.
 */
const remove = (model: Model, command: DeletePerson): Outcome => {
  const named = whoIs(model, command.workspace.id, command.target)
  const workspace = command.workspace.id
  const { person } = named
  if (person !== null) {
    model.people = model.people.filter((one) => one !== person)
    model.events = model.events.filter((event) => event.owner !== person.key)
    for (const value of person.anonymousIds) removeWaiting(model, workspace, "anonymous_id", value)
  } else if (named.is === "svc_id" || !removeWaiting(model, workspace, named.kind, named.value)) {
    return "dropped"
  }
  return command.faults.length > 0 ? "partial" : "applied"
}

/** Takes away what is kept for an identifier, and says whether there was anything. */
const removeWaiting = (model: Model, workspace: number, kind: ModelKind, value: string): boolean => {
  const before = model.events.length + model.visitors.length
  model.events = model.events.filter((event) => !isWaitingFor(event, workspace, kind, value))
  if (kind === "anonymous_id")
    model.visitors = model.visitors.filter((v) => v.workspace !== workspace || v.anonymousId !== value)
  return model.events.length + model.visitors.length < before
}

// Events

const record = (model: Model, command: RecordEvent, step: number): Outcome => {
  const workspace = command.workspace.id
  const named = command.target === null ? null : whoIs(model, workspace, command.target)
  // nobody has the svc_id, and nobody ever will
  if (named?.is === "svc_id" && named.person === null) return "dropped"
  const owner = named?.person ?? null
  if (owner === null && named?.is === "identifier" && named.kind === "anonymous_id")
    nameVisitor(model, command, named.value)
  model.events.push({
    step,
    workspace,
    name: command.name,
    at: command.at,
    receivedAt: command.receivedAt,
    named: named?.is === "identifier" ? { kind: named.kind, value: named.value } : null,
    owner: owner === null ? null : owner.key,
    processedAt: owner === null ? null : command.receivedAt,
  })
  if (owner === null) return "pending"
  return command.faults.length > 0 ? "partial" : "applied"
}
