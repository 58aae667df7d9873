import type { Change } from "../Change.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { Holder } from "../state/Subject.ts"
import type { Visitor } from "../state/Visitor.ts"
import type { Identifier, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/** Somebody whom an identifier names and who is no person: the visitor known by it, if it was ever seen. */
export interface UnknownIdentifier {
  readonly identifier: Identifier
  readonly visitor: Visitor | null
}

/** The key of the visitor known by an identifier, and the change that notes that it was named again. */
export const ensureVisitor = (
  workspace: WorkspaceId,
  { identifier, visitor }: UnknownIdentifier,
  at: number,
  draft: DecisionDraft,
): { readonly key: SubjectKey; readonly change: Change } => {
  const key = visitor?.key ?? draft.newKey()
  return {
    key,
    change: { _tag: "VisitorSeen", key, workspace, knownAs: visitor?.knownAs ?? identifier, at },
  }
}

/** Notes that a request named somebody: a visitor is remembered for 30 days from then on, and so is the entry (contract §16). */
export const refreshVisitor = (holder: Holder, at: EpochMillis): ReadonlyArray<Change> => {
  if (holder._tag === "Person") return []
  const { key, knownAs, workspace } = holder
  return [{ _tag: "VisitorSeen", key, workspace, knownAs, at }]
}
