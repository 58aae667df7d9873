import type { ChangeOf } from "../Change.ts"
import { putErased } from "../decision/updateWorkingSet.ts"
import { addressOf } from "../decision/erasure.ts"
import { identifierText, nextAfter } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onIdentifiersSuppressed = (
  state: WorkingSet,
  change: ChangeOf<"IdentifiersSuppressed">,
): void => {
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

export const onSuppressionLifted = (state: WorkingSet, { group }: ChangeOf<"SuppressionLifted">): void => {
  state.suppressedGroups.delete(group)
  state.written.lifted.add(group)
  for (const [text, of] of state.suppressed) {
    if (of === group) state.suppressed.delete(text)
  }
}
