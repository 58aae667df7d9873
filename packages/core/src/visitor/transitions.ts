import type { Change } from "../fold/Change.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { Holder } from "../state/Subject.ts"
import type { Visitor } from "../state/Visitor.ts"
import type { Identifier, SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/** An identifier that no person has, and the visitor known by that identifier, if any. */
export interface UnknownIdentifier {
  readonly identifier: Identifier
  readonly visitor: Visitor | null
}

/**
 * Returns the key of the visitor known by an identifier, and the change that creates the visitor or updates its last
 * activity.
 */
export const ensureVisitor = (
  { identifier, visitor }: UnknownIdentifier,
  at: number,
  draft: DecisionDraft,
): { readonly key: SubjectKey; readonly change: Change } => {
  const key = visitor?.key ?? draft.newKey()
  return {
    key,
    change: { _tag: "VisitorSeen", key, knownAs: visitor?.knownAs ?? identifier, at },
  }
}

/**
 * Restarts the 30-day retention of a visitor that a request named, so that the visitor is stored as long as the log
 * entry of the request (contract §9).
 */
export const refreshVisitor = (holder: Holder, at: EpochMillis): ReadonlyArray<Change> => {
  if (holder._tag === "Person") return []
  const { key, knownAs } = holder
  return [{ _tag: "VisitorSeen", key, knownAs, at }]
}
