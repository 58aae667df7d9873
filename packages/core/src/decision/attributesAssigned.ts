import { put, type Attributes } from "../state/Attributes.ts"
import type { ChangeOf } from "../Change.ts"
import { write } from "./workingSetWrites.ts"
import { changed } from "../state/Person.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onAttributesAssigned = (seen: WorkingSet, change: ChangeOf<"AttributesAssigned">): void => {
  const subject = seen.subjects.get(change.key)
  switch (subject?._tag) {
    case "Person":
      return write(seen, changed(subject, after(subject, change)))
    case "Visitor":
    case "DataObject":
      return write(seen, { ...subject, ...after(subject, change) })
    case "Attached":
    case "Erased":
    case "Delivery":
    case "Form":
    case "Segment":
    case undefined:
      return
  }
}

const after = (
  subject: { readonly attributes: Attributes },
  { at, entries }: ChangeOf<"AttributesAssigned">,
) => ({ attributes: put(subject.attributes, entries), updatedAt: at })
