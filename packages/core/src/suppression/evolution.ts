import type { ChangeOf } from "../fold/Change.ts"
import { putErased, releaseSuppression } from "../decision/updateWorkingSet.ts"
import { addressOf } from "../decision/erasure.ts"
import { identifierText, nextAfter } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

export const onSuppressionChanged = (
  state: WorkingSet,
  change: ChangeOf<"IdentifiersSuppressed" | "SuppressionLifted">,
): void =>
  change._tag === "SuppressionLifted" ? releaseSuppression(state, change.group) : suppress(state, change)

const suppress = (state: WorkingSet, change: ChangeOf<"IdentifiersSuppressed">): void => {
  const { group, identifiers } = change
  if (group >= state.nextKey) state.nextKey = nextAfter(group)
  state.suppressedGroups.add(group)
  for (const { kind, value } of identifiers) {
    const text = identifierText(kind, value)
    state.suppressed.set(text, group)
    state.written.suppressed.add(text)
  }
  if (state.subjects.has(group)) return
  // No person or visitor had the suppressed identifiers, so nothing was deleted. Delivery reports may still contain a
  // suppressed email address. These reports must be erased too.
  const addresses = identifiers.flatMap(({ kind, value }) =>
    kind === "email" ? (addressOf(state.digest, value) ?? []) : [],
  )
  if (addresses.length === 0) return
  const { nextSequence: before, workspace } = state
  putErased(state, { _tag: "Erased", key: group, workspace, before, addresses })
}
