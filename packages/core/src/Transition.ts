import type { ActivityEntry } from "./Activity.ts"
import { noAttributes, put } from "./Attributes.ts"
import type { Change } from "./Change.ts"
import { kindOf, type Command } from "./Command.ts"
import { record } from "./event/transitions.ts"
import {
  deduplicationText,
  identifierText,
  nextAfter,
  type Identifier,
  type WorkspaceId,
} from "./Identifier.ts"
import { changed, empty, type Person } from "./person/Person.ts"
import { identify, remove } from "./person/transitions.ts"
import { resolve } from "./Resolution.ts"
import { isForgotten, type Subject } from "./Subject.ts"
import { duplicate, rejected, type Verdict } from "./Verdict.ts"
import type { Visitor } from "./visitor/Visitor.ts"
import type { WorkingSet } from "./WorkingSet.ts"

/** Decides a command: what it changes, in order, the record of the operation last. Total; reads and never writes. */
export const decide = (seen: WorkingSet, command: Command): ReadonlyArray<Change> => {
  const verdict = isDuplicate(seen, command) ? secondArrival(seen, command) : judge(seen, command)
  return [...verdict.changes, { _tag: "OperationRecorded", entry: entryOf(seen, command, verdict) }]
}

/** A second arrival is about whom the first was about, so that it goes when they do. */
const secondArrival = (seen: WorkingSet, command: Command): Verdict => {
  const name = command._tag === "RecordEvent" ? command.name : null
  if (command._tag === "RejectOperation" || command.target === null) return duplicate(null, name)
  const found = resolve(seen, command.workspace.id, command.target)
  switch (found._tag) {
    case "Somebody":
      return duplicate(found.person.key, name)
    case "Nobody":
      return duplicate(found.visitor?.key ?? null, name)
    case "UnknownSvcId":
      return duplicate(null, name)
  }
}

const judge = (seen: WorkingSet, command: Command): Verdict => {
  switch (command._tag) {
    case "IdentifyPerson":
      return identify(seen, command)
    case "DeletePerson":
      return remove(seen, command)
    case "RecordEvent":
      return record(seen, command)
    case "RejectOperation":
      return rejected(command.faults)
  }
}

/** Brings a working set forward by one change, in place. Total: a change about nobody has no effect. */
export const evolve = (seen: WorkingSet, change: Change): void => {
  switch (change._tag) {
    case "PersonCreated":
      if (change.key >= seen.nextKey) seen.nextKey = nextAfter(change.key)
      return write(seen, empty(change.key, change.workspace, change.at))
    case "IdentifierTaken":
      return onPerson(seen, change.key, (person) =>
        takeIdentifier(seen, person, change.identifier, change.at),
      )
    case "AttributesAssigned": {
      const subject = seen.subjects.get(change.key)
      if (subject?._tag !== "Person" && subject?._tag !== "Visitor") return
      const fields = { attributes: put(subject.attributes, change.entries), updatedAt: change.at }
      return write(seen, subject._tag === "Person" ? changed(subject, fields) : { ...subject, ...fields })
    }
    case "VisitorSeen": {
      const known = seen.subjects.get(change.key)
      if (known?._tag === "Visitor") {
        const attributes = isForgotten(known, change.at) ? noAttributes : known.attributes
        bind(seen, known.workspace, known.knownAs, known.key)
        return write(seen, { ...known, attributes, updatedAt: change.at })
      }
      if (change.key >= seen.nextKey) seen.nextKey = nextAfter(change.key)
      bind(seen, change.workspace, change.knownAs, change.key)
      return write(seen, visitorOf(change))
    }
    case "VisitorAttached":
      return onPerson(seen, change.owner, (person) => {
        const { at, key, owner, since } = change
        write(seen, { _tag: "Attached", key, workspace: person.workspace, owner, at, since })
        write(seen, changed(person, { attached: [...person.attached, { key, at, since }] }))
      })
    case "SubjectDeleted": {
      const subject = seen.subjects.get(change.key)
      if (subject?._tag !== "Person" && subject?._tag !== "Visitor") return
      const { key, workspace } = subject
      for (const identifier of identifiersOf(subject)) release(seen, workspace, identifier)
      const keys =
        subject._tag === "Person" ? [key, ...subject.attached.map((attachment) => attachment.key)] : [key]
      for (const gone of keys) write(seen, { _tag: "Erased", key: gone, workspace, before: change.before })
      return
    }
    case "OperationRecorded": {
      const { entry } = change
      seen.nextSequence = nextAfter(entry.sequence)
      if (entry.claimsId && entry.id !== null) seen.claimed.add(deduplicationText(entry.workspace, entry.id))
      seen.written.entries.push(entry)
      return
    }
  }
}

/** The identifiers that lead to a subject. */
export const identifiersOf = (subject: Person | Visitor): ReadonlyArray<Identifier> => {
  if (subject._tag === "Visitor") return [subject.knownAs]
  const identifiers: Array<Identifier> = subject.anonymousIds.map((value) => ({
    kind: "anonymous_id",
    value,
  }))
  if (subject.id !== null) identifiers.push({ kind: "id", value: subject.id })
  if (subject.email !== null) identifiers.push({ kind: "email", value: subject.email })
  return identifiers
}

const takeIdentifier = (
  seen: WorkingSet,
  person: Person,
  identifier: Identifier,
  updatedAt: number,
): void => {
  bind(seen, person.workspace, identifier, person.key)
  const { kind, value } = identifier
  switch (kind) {
    case "anonymous_id":
      return write(seen, changed(person, { anonymousIds: [...person.anonymousIds, value], updatedAt }))
    case "id":
    case "email": {
      const before = person[kind]
      if (
        before !== null &&
        identifierText(person.workspace, kind, before) !== identifierText(person.workspace, kind, value)
      ) {
        release(seen, person.workspace, { kind, value: before })
      }
      return write(
        seen,
        changed(person, kind === "id" ? { id: value, updatedAt } : { email: value, updatedAt }),
      )
    }
  }
}

const visitorOf = (change: Extract<Change, { _tag: "VisitorSeen" }>): Visitor => ({
  _tag: "Visitor",
  key: change.key,
  workspace: change.workspace,
  knownAs: change.knownAs,
  attributes: new Map(),
  createdAt: change.at,
  updatedAt: change.at,
})

const onPerson = (seen: WorkingSet, key: Subject["key"], f: (person: Person) => void): void => {
  const subject = seen.subjects.get(key)
  if (subject?._tag === "Person") f(subject)
}

const write = (seen: WorkingSet, subject: Subject): void => {
  seen.subjects.set(subject.key, subject)
  seen.written.subjects.add(subject.key)
}

const bind = (
  seen: WorkingSet,
  workspace: WorkspaceId,
  { kind, value }: Identifier,
  key: Subject["key"],
): void => {
  const text = identifierText(workspace, kind, value)
  seen.identifiers.set(text, key)
  seen.written.identifiers.add(text)
}

const release = (seen: WorkingSet, workspace: WorkspaceId, { kind, value }: Identifier): void => {
  const text = identifierText(workspace, kind, value)
  seen.identifiers.delete(text)
  seen.written.identifiers.add(text)
}

const isDuplicate = (seen: WorkingSet, command: Command): boolean =>
  command.deduplicationKey !== null &&
  command._tag !== "RejectOperation" &&
  seen.claimed.has(deduplicationText(command.workspace.id, command.deduplicationKey))

/** What was refused leaves its deduplication key free: the same call may be put right. */
const claims = (outcome: Verdict["outcome"]): boolean => {
  switch (outcome) {
    case "applied":
    case "created":
    case "partial":
    case "pending":
    case "dropped":
    case "ignored":
      return true
    case "duplicate":
    case "rejected":
      return false
  }
}

const hasAnonymousId = (command: Command) =>
  command._tag === "RecordEvent" || command._tag === "IdentifyPerson"

const isKeptFor = ({ outcome, subject }: Verdict) => subject !== null || outcome === "pending"

const entryOf = (seen: WorkingSet, command: Command, verdict: Verdict): ActivityEntry => ({
  sequence: seen.nextSequence,
  workspace: command.workspace.id,
  subject: verdict.subject,
  kind: kindOf(command),
  name: verdict.name,
  source: command.source,
  at: command.at,
  receivedAt: command.receivedAt,
  processedAt: verdict.outcome === "pending" ? null : command.receivedAt,
  outcome: verdict.outcome,
  id: command.deduplicationKey,
  claimsId: command.deduplicationKey !== null && claims(verdict.outcome),
  batchIndex: command.batchIndex,
  originalTimestamp: command.originalTimestamp,
  // What is about nobody would outlive whoever it names.
  anonymousId: hasAnonymousId(command) && isKeptFor(verdict) ? command.anonymousId : null,
  reason: verdict.reason,
  rule: verdict.rule,
  data: verdict.data,
  changes: verdict.fields,
})
