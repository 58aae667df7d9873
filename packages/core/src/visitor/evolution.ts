import { noAttributes } from "../state/Attributes.ts"
import type { ChangeOf } from "../Change.ts"
import { noDevices } from "../state/Device.ts"
import { bind, letGo, write } from "../decision/workingSetWrites.ts"
import { identifierText, nextAfter } from "../values/Identifier.ts"
import { noRelationships } from "../state/Relationships.ts"
import { isForgotten } from "../state/Subject.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onVisitorSeen = (seen: WorkingSet, change: ChangeOf<"VisitorSeen">): void => {
  const { at, key, knownAs, workspace } = change
  const known = seen.subjects.get(key)
  if (key >= seen.nextKey) seen.nextKey = nextAfter(key)
  if (known?._tag === "Visitor" && !isForgotten(known, at)) {
    return write(seen, { ...known, updatedAt: at })
  }
  if (known?._tag === "Visitor") letGo(seen, known)
  bind(seen, identifierText(workspace, knownAs.kind, knownAs.value), key)
  write(seen, {
    _tag: "Visitor",
    key,
    workspace,
    knownAs,
    attributes: noAttributes,
    devices: noDevices,
    relationships: noRelationships,
    createdAt: known?._tag === "Visitor" ? known.createdAt : at,
    updatedAt: at,
  })
}
