import { identifierText, type Reference, type SubjectKey, type WorkspaceId } from "../values/Identifier.ts"
import { carrier, type WorkingSet } from "../WorkingSet.ts"

/** A suppressed identifier that a request names: its text where it is named by one, and what it was suppressed with. */
export interface Suppressed {
  readonly text: string | null
  readonly group: SubjectKey
}

/** What a reference names that is suppressed; undefined where nothing is. */
export const suppressedAs = (
  seen: WorkingSet,
  workspace: WorkspaceId,
  reference: Reference,
): Suppressed | undefined => {
  switch (reference._tag) {
    case "BySvcId": {
      const { key } = reference
      return key !== null && seen.suppressedGroups.get(key) === workspace
        ? { text: null, group: key }
        : undefined
    }
    case "ByIdentifier":
      return suppressedText(seen, identifierText(workspace, reference.kind, reference.value))
    case "ByBareText": {
      const id = { kind: "id", value: reference.value } as const
      if (carrier(seen, workspace, id)?._tag === "Person") return undefined
      return (
        suppressedText(seen, identifierText(workspace, id.kind, id.value)) ??
        suppressedAs(seen, workspace, reference.otherwise)
      )
    }
  }
}

export const suppressedText = (seen: WorkingSet, text: string): Suppressed | undefined => {
  const group = seen.suppressed.get(text)
  return group === undefined ? undefined : { text, group }
}
