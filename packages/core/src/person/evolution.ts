import type { ChangeOf } from "../Change.ts"
import { bind, letGo, release, write, writeErased } from "../decision/workingSetWrites.ts"
import { addressesOf } from "../decision/erasure.ts"
import { identifierText, nextAfter, type SubjectKey } from "../values/Identifier.ts"
import type { Subject } from "../state/Subject.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { changed, empty, type Attachment, type Person } from "../state/Person.ts"

export const onCreated = (seen: WorkingSet, { at, key, workspace }: ChangeOf<"PersonCreated">): void => {
  if (key >= seen.nextKey) seen.nextKey = nextAfter(key)
  const visitor = seen.subjects.get(key)
  const person = empty(key, workspace, at)
  if (visitor?._tag !== "Visitor") return write(seen, person)
  const { devices, relationships } = visitor
  write(seen, changed(person, { devices, relationships }))
}

export const onIdentifierTaken = (seen: WorkingSet, change: ChangeOf<"IdentifierTaken">): void => {
  const person = seen.subjects.get(change.key)
  if (person?._tag !== "Person") return
  const { at: updatedAt, identifier, setAt } = change
  const { kind, value } = identifier
  bind(seen, identifierText(person.workspace, kind, value), person.key)
  switch (kind) {
    case "anonymous_id":
      return write(seen, changed(person, { anonymousIds: [...person.anonymousIds, value], updatedAt }))
    case "id":
    case "email": {
      const before = person[kind]
      if (before !== null) {
        const freed = identifierText(person.workspace, kind, before)
        if (freed !== identifierText(person.workspace, kind, value)) release(seen, freed)
      }
      return write(
        seen,
        changed(
          person,
          kind === "id" ? { id: value, idAt: setAt, updatedAt } : { email: value, emailAt: setAt, updatedAt },
        ),
      )
    }
  }
}

export const onEmailRemoved = (seen: WorkingSet, { at, key, setAt }: ChangeOf<"EmailRemoved">): void => {
  const person = seen.subjects.get(key)
  if (person?._tag !== "Person" || person.email === null) return
  release(seen, identifierText(person.workspace, "email", person.email))
  write(seen, changed(person, { email: null, emailAt: setAt, updatedAt: at }))
}

export const onIdentifierConfirmed = (
  seen: WorkingSet,
  { key, kind, setAt }: ChangeOf<"IdentifierConfirmed">,
): void => {
  const person = seen.subjects.get(key)
  if (person?._tag !== "Person") return
  write(seen, changed(person, kind === "id" ? { idAt: setAt } : { emailAt: setAt }))
}

export const onAttached = (seen: WorkingSet, change: ChangeOf<"VisitorAttached">): void => {
  const owner = seen.subjects.get(change.owner)
  const visitor = seen.subjects.get(change.key)
  if (owner?._tag !== "Person" || visitor?._tag !== "Visitor") return
  const { at, key, since } = change
  letGo(seen, visitor)
  takeOver(seen, owner, [{ key, at, since, merged: false }])
}

/** Whoever is absorbed is since its profile was created what its owner is now. */
export const onAbsorbed = (seen: WorkingSet, change: ChangeOf<"PersonAbsorbed">): void => {
  const owner = seen.subjects.get(change.owner)
  const person = seen.subjects.get(change.key)
  if (owner?._tag !== "Person" || person?._tag !== "Person") return
  const { attached, createdAt, key } = person
  letGo(seen, person)
  // Whatever there is to move, a merge is news of its primary.
  takeOver(seen, changed(owner, { updatedAt: change.at }), [
    { key, at: createdAt, since: 0, merged: true },
    ...attached.map((attachment) => ({ ...attachment, merged: true })),
  ])
}

export const onDeleted = (seen: WorkingSet, { before, key }: ChangeOf<"SubjectDeleted">): void => {
  const subject = seen.subjects.get(key)
  switch (subject?._tag) {
    case "Person":
    case "Visitor":
    case "DataObject":
    case "Segment": {
      const { workspace } = subject
      letGo(seen, subject)
      const addresses = addressesOf(seen.digest, subject)
      writeErased(seen, { _tag: "Erased", key, workspace, before, addresses })
      for (const gone of attachedTo(subject)) {
        write(seen, { _tag: "Erased", key: gone, workspace, before, addresses: [] })
      }
      return
    }
    case "Attached":
    case "Erased":
    case "Delivery":
    case "Form":
    case undefined:
      return
  }
}

const attachedTo = (subject: Subject): ReadonlyArray<SubjectKey> =>
  subject._tag === "Person" ? subject.attached.map(({ key }) => key) : []

const takeOver = (seen: WorkingSet, owner: Person, attachments: ReadonlyArray<Attachment>): void => {
  const { workspace } = owner
  for (const attachment of attachments) {
    write(seen, { _tag: "Attached", workspace, owner: owner.key, ...attachment })
  }
  write(seen, changed(owner, { attached: [...owner.attached, ...attachments] }))
}
