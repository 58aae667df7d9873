import { subjectByIdentifier, type WorkingSet } from "../fold/WorkingSet.ts"
import type { Identifier, IdentifierKind, Reference } from "../values/Identifier.ts"
import type { Person } from "../state/Person.ts"
import type { Visitor } from "../state/Visitor.ts"

/**
 * The result of resolving a reference: a person, an identifier that no person has (with the visitor known by that
 * identifier, if any), or an unknown `svc_id`.
 */
export type Resolution =
  | { readonly _tag: "KnownPerson"; readonly person: Person; readonly by: IdentifierKind | "svc_id" }
  | { readonly _tag: "UnknownIdentifier"; readonly identifier: Identifier; readonly visitor: Visitor | null }
  | { readonly _tag: "UnknownSvcId" }

/** Resolves a reference to a person or a visitor (contract §6). */
export const resolvePerson = (state: WorkingSet, reference: Reference): Resolution => {
  switch (reference._tag) {
    case "BySvcId": {
      const subject = reference.key === null ? undefined : state.subjects.get(reference.key)
      return subject?._tag === "Person"
        ? { _tag: "KnownPerson", person: subject, by: "svc_id" }
        : { _tag: "UnknownSvcId" }
    }
    case "ByIdentifier": {
      const subject = subjectByIdentifier(state, reference)
      if (subject?._tag === "Person") return { _tag: "KnownPerson", person: subject, by: reference.kind }
      return {
        _tag: "UnknownIdentifier",
        identifier: { kind: reference.kind, value: reference.value },
        visitor: subject?._tag === "Visitor" ? subject : null,
      }
    }
    case "ByBareText": {
      const subject = subjectByIdentifier(state, { kind: "id", value: reference.value })
      return subject?._tag === "Person"
        ? { _tag: "KnownPerson", person: subject, by: "id" }
        : resolvePerson(state, reference.otherwise)
    }
  }
}
