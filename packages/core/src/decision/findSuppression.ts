import { identifierText, type Reference, type SubjectKey } from "../values/Identifier.ts"
import { subjectByIdentifier, type WorkingSet } from "../fold/WorkingSet.ts"

/**
 * A suppression group that a request names. `text` is the lookup text of the suppressed identifier in the request, or
 * null if the request names the group by `svc_id`.
 */
export interface Suppression {
  readonly text: string | null
  readonly group: SubjectKey
}

/**
 * Returns the group of suppressed identifiers that a reference names, or undefined if the reference names no suppressed
 * person.
 */
export const findSuppression = (state: WorkingSet, reference: Reference): Suppression | undefined => {
  switch (reference._tag) {
    case "BySvcId": {
      const { key } = reference
      return key !== null && state.suppressedGroups.has(key) ? { text: null, group: key } : undefined
    }
    case "ByIdentifier":
      return findSuppressionOfText(state, identifierText(reference.kind, reference.value))
    case "ByBareText": {
      const id = { kind: "id", value: reference.value } as const
      if (subjectByIdentifier(state, id)?._tag === "Person") return undefined
      return (
        findSuppressionOfText(state, identifierText(id.kind, id.value)) ??
        findSuppression(state, reference.otherwise)
      )
    }
  }
}

export const findSuppressionOfText = (state: WorkingSet, text: string): Suppression | undefined => {
  const group = state.suppressed.get(text)
  return group === undefined ? undefined : { text, group }
}
