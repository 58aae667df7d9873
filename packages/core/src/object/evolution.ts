import { noAttributes } from "../state/Attributes.ts"
import type { ChangeOf } from "../Change.ts"
import { bind, write } from "../decision/workingSetWrites.ts"
import { nextAfter, objectText } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onCreated = (seen: WorkingSet, change: ChangeOf<"ObjectCreated">): void => {
  const { at, key, objectId, typeId, workspace } = change
  if (key >= seen.nextKey) seen.nextKey = nextAfter(key)
  bind(seen, objectText(workspace, typeId, objectId), key)
  write(seen, {
    _tag: "DataObject",
    key,
    workspace,
    typeId,
    objectId,
    attributes: noAttributes,
    createdAt: at,
    updatedAt: at,
  })
}
