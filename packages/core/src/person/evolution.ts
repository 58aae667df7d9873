import type { ChangeOf } from "../fold/Change.ts"
import {
  bindText,
  identifiersOf,
  noteErasedIdentifiers,
  releaseSubject,
  releaseText,
  putSubject,
  putErased,
  replacePerson,
} from "../decision/updateWorkingSet.ts"
import { deleteRules } from "../decision/changeRules.ts"
import { addressesOf } from "../decision/erasure.ts"
import {
  freedText,
  goneText,
  identifierText,
  keyText,
  nextAfter,
  replacedText,
  SubjectKey,
  type Sequence,
} from "../values/Identifier.ts"
import { hasRule } from "../state/Segment.ts"
import type { Attached, Subject } from "../state/Subject.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { patchPerson, emptyPerson, withFormer, type Attachment, type Person } from "../state/Person.ts"

export const onPersonCreated = (state: WorkingSet, { at, key }: ChangeOf<"PersonCreated">): void => {
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  const visitor = state.subjects.get(key)
  const person = emptyPerson(key, state.workspace, at)
  if (visitor?._tag !== "Visitor") return putSubject(state, person)
  const { devices, relationships } = visitor
  putSubject(state, patchPerson(person, { devices, relationships }))
}

export const onIdentifierAssigned = (state: WorkingSet, change: ChangeOf<"IdentifierAssigned">): void => {
  const person = state.subjects.get(change.key)
  if (person?._tag !== "Person") return
  const { at: updatedAt, identifier, setAt } = change
  const { kind, value } = identifier
  bindText(state, identifierText(kind, value), person.key)
  switch (kind) {
    case "anonymous_id":
      return putSubject(
        state,
        patchPerson(person, { anonymousIds: [...person.anonymousIds, value], updatedAt }),
      )
    case "id":
    case "email": {
      const freed = person[kind] === null ? null : identifierText(kind, person[kind])
      const isOther = freed !== null && freed !== identifierText(kind, value)
      const former = isOther ? noteReplaced(state, person, freed, updatedAt) : person.former
      return putSubject(
        state,
        patchPerson(
          person,
          kind === "id"
            ? { id: value, idAt: setAt, former, updatedAt }
            : { email: value, emailAt: setAt, former, updatedAt },
        ),
      )
    }
  }
}

/** A person confirmed an identifier that they have, or lost their email. */
export const onOwnIdentifier = (
  state: WorkingSet,
  change: ChangeOf<"EmailRemoved" | "IdentifierConfirmed">,
): void =>
  change._tag === "EmailRemoved" ? onEmailRemoved(state, change) : onIdentifierConfirmed(state, change)

const onEmailRemoved = (state: WorkingSet, { at, key, setAt }: ChangeOf<"EmailRemoved">): void => {
  const person = state.subjects.get(key)
  if (person?._tag !== "Person" || person.email === null) return
  const former = noteReplaced(state, person, identifierText("email", person.email), at)
  putSubject(state, patchPerson(person, { email: null, emailAt: setAt, former, updatedAt: at }))
}

/** Frees an identifier that a person has no more. Returns the former identifiers of the person. */
const noteReplaced = (state: WorkingSet, { former }: Person, freed: string, at: number): Person["former"] => {
  const identifier = state.digest(freed)
  releaseText(state, freed)
  notePosition(state, replacedText(identifier), state.nextSequence)
  return withFormer(former, { at, identifier })
}

const onIdentifierConfirmed = (
  state: WorkingSet,
  { key, kind, setAt }: ChangeOf<"IdentifierConfirmed">,
): void => {
  const person = state.subjects.get(key)
  if (person?._tag !== "Person") return
  putSubject(state, patchPerson(person, kind === "id" ? { idAt: setAt } : { emailAt: setAt }))
}

/** A visitor or a merged person belongs to a person from now on, or no longer. */
export const onOwnerChanged = (
  state: WorkingSet,
  change: ChangeOf<
    "VisitorAttached" | "PersonAbsorbed" | "MovedNameUsed" | "OriginsNoted" | "PeopleSeparated"
  >,
): void => {
  switch (change._tag) {
    case "VisitorAttached":
      return onVisitorAttached(state, change)
    case "PersonAbsorbed":
      return onPersonAbsorbed(state, change)
    case "MovedNameUsed":
      return onMovedNameUsed(state, change)
    case "OriginsNoted":
      return onOriginsNoted(state, change)
    case "PeopleSeparated":
      return onPeopleSeparated(state, change)
  }
  change satisfies never
}

const onVisitorAttached = (state: WorkingSet, change: ChangeOf<"VisitorAttached">): void => {
  const owner = state.subjects.get(change.owner)
  const visitor = state.subjects.get(change.key)
  if (owner?._tag !== "Person" || visitor?._tag !== "Visitor") return
  const { at, key, since } = change
  releaseSubject(state, visitor)
  attachAll(state, owner, [{ key, at, since, merged: false }])
}

/** Attaches the absorbed person of a merge to the surviving person, who then owns the whole history of both. */
const onPersonAbsorbed = (state: WorkingSet, change: ChangeOf<"PersonAbsorbed">): void => {
  const owner = state.subjects.get(change.owner)
  const person = state.subjects.get(change.key)
  if (owner?._tag !== "Person" || person?._tag !== "Person") return
  const { attached, createdAt, former, key } = person
  releaseSubject(state, person)
  const freed = freedBy(owner, person).map((text) => state.digest(text))
  // Remembers who had them, because a deletion may name one (contract §6 *delete of a merged person*).
  for (const digest of freed) bindText(state, freedText(digest), person.key)
  if (freed.length > 0) state.mayHaveFormer = true
  const names = new Set(change.moved?.names ?? [])
  const further = attached.map((one) => absorbed(one, change.merge, names))
  // An identifier that moves on is still that of whoever had it first, so that an event by it can go back to them.
  for (const { moved } of further) for (const name of moved?.names ?? []) names.delete(name)
  // A merge always changes `updatedAt` of the primary, even if the primary receives no data from the secondary.
  attachAll(state, patchPerson(owner, { updatedAt: change.at }), [
    {
      key,
      at: createdAt,
      since: 0,
      merged: true,
      merge: change.merge,
      ...(freed.length > 0 && { freed: { at: change.at, identifiers: freed } }),
      ...(former.length > 0 && { former }),
      ...(names.size > 0 && { moved: { merge: change.merge, names: [...names] } }),
    },
    ...further,
  ])
}

/** Returns an attachment after the merge of the person who had it. `names` are digests of the identifiers that it moves. */
const absorbed = (
  { at, former, freed, key, merge, moved, onward, since, via }: Attachment,
  by: Sequence,
  names: ReadonlySet<string>,
): Attachment => {
  const moving = moved?.names.filter((name) => names.has(name)) ?? []
  return {
    key,
    at,
    since,
    merged: true,
    ...(merge !== undefined && { merge, onward: [...(onward ?? []), by] }),
    ...(freed !== undefined && { freed }),
    ...(former !== undefined && { former }),
    ...(moving.length > 0 && { moved: { merge: by, names: moving } }),
    ...(via !== undefined && { via }),
  }
}

const onOriginsNoted = (state: WorkingSet, { key, origins }: ChangeOf<"OriginsNoted">): void => {
  const person = state.subjects.get(key)
  if (person?._tag === "Person") putSubject(state, patchPerson(person, { origins }))
}

const onMovedNameUsed = (
  state: WorkingSet,
  { at, key, merge, owner, secondary }: ChangeOf<"MovedNameUsed">,
): void => {
  const person = state.subjects.get(owner)
  if (person?._tag !== "Person") return
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  const via = { primary: owner, secondary, merge }
  attachAll(state, person, [{ key, at, since: 0, merged: false, via }])
}

/**
 * Returns the lookup texts of the identifiers that a merge frees. They lead to the merged person by their digest, and stay when the
 * merge is undone or the person erased: then they lead to nobody who is merged, and are never read as more.
 */
const freedBy = (owner: Person, { email, id }: Person): ReadonlyArray<string> => [
  ...(owner.id !== null && id !== null ? [identifierText("id", id)] : []),
  ...(owner.email !== null && email !== null ? [identifierText("email", email)] : []),
]

/** Remembers at which position an id or email became free, because a later call may name whoever had it. */
const notePosition = (state: WorkingSet, text: string, position: Sequence): void => {
  bindText(state, text, SubjectKey.make(position))
  state.mayHaveFormer = true
}

/** Remembers when a person was deleted, because a later call may name them by `svc_id`. */
const noteGoneKey = (state: WorkingSet, key: SubjectKey, before: Sequence): void =>
  notePosition(state, goneText(state.digest(keyText(key))), before)

/** Remembers when somebody was deleted, and when their id and email became free. */
const noteGone = (state: WorkingSet, subject: Subject, before: Sequence): void => {
  if (subject._tag !== "Person" && subject._tag !== "Visitor") return
  if (subject._tag === "Person") {
    noteGoneKey(state, subject.key, before)
    for (const { key, merge } of subject.attached) if (merge !== undefined) noteGoneKey(state, key, before)
  }
  for (const { kind, value } of identifiersOf(subject)) {
    if (kind === "anonymous_id") continue
    notePosition(state, goneText(state.digest(identifierText(kind, value))), before)
  }
}

/** Gives the two people of a merge that is undone what each has afterwards. */
const onPeopleSeparated = (state: WorkingSet, { primary, secondary }: ChangeOf<"PeopleSeparated">): void => {
  const before = state.subjects.get(primary.key)
  if (before?._tag !== "Person" || state.subjects.get(secondary.key)?._tag !== "Attached") return
  replacePerson(state, before, primary)
  replacePerson(state, null, secondary)
  for (const attachment of secondary.attached) {
    putSubject(state, attachedSubject(state, secondary.key, attachment))
  }
}

export const onSubjectDeleted = (state: WorkingSet, { before, key }: ChangeOf<"SubjectDeleted">): void => {
  const subject = state.subjects.get(key)
  switch (subject?._tag) {
    case "Person":
    case "Visitor":
    case "DataObject":
    case "Segment": {
      const { workspace } = subject
      releaseSubject(state, subject)
      noteGone(state, subject, before)
      noteErasedIdentifiers(state, subject, before)
      const addresses = addressesOf(state.digest, subject)
      putErased(state, {
        _tag: "Erased",
        key,
        workspace,
        before,
        addresses,
        ...(subject._tag === "DataObject" && { keepsLog: true }),
      })
      if (subject._tag === "Segment" && hasRule(subject)) deleteRules(state, subject, before)
      for (const gone of attachedTo(subject)) {
        putSubject(state, { _tag: "Erased", key: gone, workspace, before, addresses: [] })
      }
      return
    }
    case "Attached":
      return eraseAttached(state, subject, before)
    case "Erased":
    case "Delivery":
    case "Form":
    case "SegmentMembers":
    case "RuleBuild":
    case undefined:
      return
  }
  subject satisfies undefined
}

/** Erases a visitor or merged person alone. Their owner stays, without what was recorded about them. */
const eraseAttached = (
  state: WorkingSet,
  { key, merge, owner, workspace }: Attached,
  before: Sequence,
): void => {
  if (merge !== undefined) noteGoneKey(state, key, before)
  const person = state.subjects.get(owner)
  if (person?._tag === "Person") {
    putSubject(state, patchPerson(person, { attached: person.attached.filter((one) => one.key !== key) }))
  }
  putSubject(state, { _tag: "Erased", key, workspace, before, addresses: [] })
}

const attachedTo = (subject: Subject): ReadonlyArray<SubjectKey> =>
  subject._tag === "Person" ? subject.attached.map(({ key }) => key) : []

const attachedSubject = (
  { workspace }: WorkingSet,
  owner: SubjectKey,
  { at, key, merge, merged, since }: Attachment,
): Attached => ({
  _tag: "Attached",
  key,
  workspace,
  owner,
  at,
  since,
  merged,
  ...(merge !== undefined && { merge }),
})

const attachAll = (state: WorkingSet, owner: Person, attachments: ReadonlyArray<Attachment>): void => {
  for (const attachment of attachments) putSubject(state, attachedSubject(state, owner.key, attachment))
  putSubject(state, patchPerson(owner, { attached: [...owner.attached, ...attachments] }))
}
