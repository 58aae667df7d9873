import { noAttributes } from "../state/Attributes.ts"
import type { ChangeOf } from "../fold/Change.ts"
import { bindText, putSubject } from "../decision/updateWorkingSet.ts"
import { nextAfter, objectText } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

export const onObjectCreated = (state: WorkingSet, change: ChangeOf<"ObjectCreated">): void => {
  const { at, key, objectId, typeId } = change
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  bindText(state, objectText(typeId, objectId), key)
  putSubject(state, {
    _tag: "DataObject",
    key,
    workspace: state.workspace,
    typeId,
    objectId,
    attributes: noAttributes,
    createdAt: at,
    updatedAt: at,
    settling: null,
  })
}
