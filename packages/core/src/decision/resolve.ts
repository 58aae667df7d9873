import { carrier, type WorkingSet } from "../WorkingSet.ts"
import type { Identifier, IdentifierKind, Reference, WorkspaceId } from "../values/Identifier.ts"
import type { Person } from "../state/Person.ts"
import type { Visitor } from "../state/Visitor.ts"

/** Whom a reference means: a person, nobody yet (perhaps a visitor known by it), or a `svc_id` that nobody has. */
export type Resolution =
  | { readonly _tag: "Somebody"; readonly person: Person; readonly by: IdentifierKind | "svc_id" }
  | { readonly _tag: "Nobody"; readonly identifier: Identifier; readonly visitor: Visitor | null }
  | { readonly _tag: "UnknownSvcId" }

/** Finds whom a reference means in a workspace (contract §6). */
export const resolve = (seen: WorkingSet, workspace: WorkspaceId, reference: Reference): Resolution => {
  switch (reference._tag) {
    case "BySvcId": {
      const subject = reference.key === null ? undefined : seen.subjects.get(reference.key)
      return subject?._tag === "Person" && subject.workspace === workspace
        ? { _tag: "Somebody", person: subject, by: "svc_id" }
        : { _tag: "UnknownSvcId" }
    }
    case "ByIdentifier": {
      const subject = carrier(seen, workspace, reference)
      if (subject?._tag === "Person") return { _tag: "Somebody", person: subject, by: reference.kind }
      return {
        _tag: "Nobody",
        identifier: { kind: reference.kind, value: reference.value },
        visitor: subject?._tag === "Visitor" ? subject : null,
      }
    }
    case "ByBareText": {
      const subject = carrier(seen, workspace, { kind: "id", value: reference.value })
      return subject?._tag === "Person"
        ? { _tag: "Somebody", person: subject, by: "id" }
        : resolve(seen, workspace, reference.otherwise)
    }
  }
}
