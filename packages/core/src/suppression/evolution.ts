import type { ChangeOf } from "../Change.ts"
import { writeErased } from "../decision/workingSetWrites.ts"
import { addressOf } from "../decision/erasure.ts"
import { identifierText, nextAfter } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onSuppressed = (seen: WorkingSet, change: ChangeOf<"IdentifiersSuppressed">): void => {
  const { group, identifiers, workspace } = change
  if (group >= seen.nextKey) seen.nextKey = nextAfter(group)
  seen.suppressedGroups.set(group, workspace)
  for (const { kind, value } of identifiers) {
    const text = identifierText(workspace, kind, value)
    seen.suppressed.set(text, group)
    seen.written.suppressed.add(text)
  }
  if (seen.subjects.has(group)) return
  // Nobody has the identifiers, but reports may name one of them as a recipient.
  const addresses = identifiers.flatMap(({ kind, value }) =>
    kind === "email" ? (addressOf(seen.digest, workspace, value) ?? []) : [],
  )
  if (addresses.length === 0) return
  writeErased(seen, { _tag: "Erased", key: group, workspace, before: seen.nextSequence, addresses })
}

export const onLifted = (seen: WorkingSet, { group }: ChangeOf<"SuppressionLifted">): void => {
  seen.suppressedGroups.delete(group)
  seen.written.lifted.add(group)
  for (const [text, of] of seen.suppressed) {
    if (of === group) seen.suppressed.delete(text)
  }
}
