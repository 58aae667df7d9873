import type { ChangeOf } from "../Change.ts"
import { bind, write } from "../decision/workingSetWrites.ts"
import { formText, nextAfter } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onMapped = (seen: WorkingSet, change: ChangeOf<"FormMapped">): void => {
  const { at, formId, key, mapping, workspace } = change
  const known = seen.subjects.get(key)
  if (known?._tag === "Form") {
    return write(seen, { ...known, mapping: new Map([...known.mapping, ...mapping]), updatedAt: at })
  }
  if (key >= seen.nextKey) seen.nextKey = nextAfter(key)
  bind(seen, formText(workspace, formId), key)
  write(seen, { _tag: "Form", key, workspace, formId, mapping, createdAt: at, updatedAt: at })
}
