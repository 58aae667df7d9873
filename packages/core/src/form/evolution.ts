import type { ChangeOf } from "../fold/Change.ts"
import { bindText, putSubject } from "../decision/updateWorkingSet.ts"
import { formText, nextAfter } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

export const onFormMapped = (state: WorkingSet, change: ChangeOf<"FormMapped">): void => {
  const { at, formId, key, mapping } = change
  const known = state.subjects.get(key)
  if (known?._tag === "Form") {
    return putSubject(state, { ...known, mapping: new Map([...known.mapping, ...mapping]), updatedAt: at })
  }
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  bindText(state, formText(formId), key)
  putSubject(state, {
    _tag: "Form",
    key,
    workspace: state.workspace,
    formId,
    mapping,
    createdAt: at,
    updatedAt: at,
  })
}
