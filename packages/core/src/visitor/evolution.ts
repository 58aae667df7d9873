import { noAttributes } from "../state/Attributes.ts"
import type { ChangeOf } from "../fold/Change.ts"
import { noDevices } from "../state/Device.ts"
import { bindText, releaseSubject, putSubject } from "../decision/updateWorkingSet.ts"
import { identifierText, nextAfter } from "../values/Identifier.ts"
import { noRelationships } from "../state/Relationships.ts"
import { isExpiredVisitor } from "../state/Subject.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

export const onVisitorSeen = (state: WorkingSet, change: ChangeOf<"VisitorSeen">): void => {
  const { at, key, knownAs } = change
  const known = state.subjects.get(key)
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  if (known?._tag === "Visitor" && !isExpiredVisitor(known, at)) {
    return putSubject(state, { ...known, updatedAt: at })
  }
  if (known?._tag === "Visitor") releaseSubject(state, known)
  bindText(state, identifierText(knownAs.kind, knownAs.value), key)
  putSubject(state, {
    _tag: "Visitor",
    key,
    workspace: state.workspace,
    knownAs,
    attributes: noAttributes,
    devices: noDevices,
    relationships: noRelationships,
    createdAt: known?._tag === "Visitor" ? known.createdAt : at,
    updatedAt: at,
  })
}
