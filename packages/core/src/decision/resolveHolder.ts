import type { Envelope } from "../fold/Envelope.ts"
import { identifierText, type Identifier, type Reference, type SubjectKey } from "../values/Identifier.ts"
import type { FieldChange } from "../log/Outcome.ts"
import { resolvePerson } from "./resolvePerson.ts"
import { type Holder, unlessExpired } from "../state/Subject.ts"
import type { DecisionDraft } from "./DecisionDraft.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

/**
 * A person or a visitor that a command acts on. `holder` is the state before the command, or null if the command
 * creates the person or visitor.
 */
export interface ResolvedHolder {
  readonly key: SubjectKey
  readonly holder: Holder | null
  readonly outcome: "applied" | "created" | "pending"
  /** The identifier with which the command creates the person, or null if the command creates no person. */
  readonly createdBy: Identifier | null
}

/**
 * Resolves a reference to a person or a visitor. If an identifier is unknown, creates the person as an identify call
 * would (contract §6). Returns null for an unknown `svc_id`.
 */
export const resolveHolder = (
  state: WorkingSet,
  { at: setAt, receivedAt: at }: Pick<Envelope, "at" | "receivedAt">,
  reference: Reference,
  draft: DecisionDraft,
): ResolvedHolder | null => {
  const found = resolvePerson(state, reference)
  switch (found._tag) {
    case "UnknownSvcId":
      return null
    case "KnownPerson":
      return { key: found.person.key, holder: found.person, outcome: "applied", createdBy: null }
    case "UnknownIdentifier": {
      const { identifier, visitor } = found
      const text = identifierText(identifier.kind, identifier.value)
      const isAnonymous = identifier.kind === "anonymous_id"
      const outcome = isAnonymous ? "pending" : "created"
      const made = draft.createdKey(text)
      if (made !== undefined) {
        return {
          key: made,
          holder: isAnonymous ? unlessExpired(visitor, at) : null,
          outcome,
          createdBy: null,
        }
      }
      const key = visitor?.key ?? draft.newKey()
      draft.noteCreated(text, key)
      if (isAnonymous) {
        draft.changes.push({ _tag: "VisitorSeen", key, knownAs: visitor?.knownAs ?? identifier, at })
        return { key, holder: unlessExpired(visitor, at), outcome, createdBy: null }
      }
      draft.changes.push(
        { _tag: "PersonCreated", key, at },
        { _tag: "IdentifierAssigned", key, identifier, at, setAt },
      )
      // Earlier events with this identifier may have added devices to the visitor. The person that replaces the visitor
      // receives these devices.
      return { key, holder: visitor, outcome, createdBy: identifier }
    }
  }
}

/** Adds the identifier of a created person to the field changes of a log entry. */
export const noteCreatedBy = (
  { createdBy }: Pick<ResolvedHolder, "createdBy">,
  fields: Array<FieldChange>,
): void => {
  if (createdBy !== null) fields.push({ path: createdBy.kind, from: null, to: createdBy.value })
}

/**
 * Resolves a reference to a person or an anonymous visitor, for operations that remove something. Returns null if the
 * person is unknown, or the visitor is unknown or expired.
 */
export const findHolder = (
  state: WorkingSet,
  { receivedAt }: Pick<Envelope, "receivedAt">,
  reference: Reference,
): Holder | null => {
  const found = resolvePerson(state, reference)
  switch (found._tag) {
    case "UnknownSvcId":
      return null
    case "KnownPerson":
      return found.person
    case "UnknownIdentifier":
      return found.identifier.kind === "anonymous_id" ? unlessExpired(found.visitor, receivedAt) : null
  }
}
