import { applyAssigned } from "../attributes/applyAssigned.ts"
import type { Attributes } from "../state/Attributes.ts"
import type { ChangeOf } from "../fold/Change.ts"
import { noteNames, putSubject } from "./updateWorkingSet.ts"
import { isRenamed } from "../state/searchedNames.ts"
import { patchPerson } from "../state/Person.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

export const onAttributesAssigned = (state: WorkingSet, change: ChangeOf<"AttributesAssigned">): void => {
  const subject = state.subjects.get(change.key)
  switch (subject?._tag) {
    case "Person": {
      const person = patchPerson(subject, after(subject, change))
      if (isRenamed(subject.attributes, person.attributes)) noteNames(state, subject)
      return putSubject(state, person)
    }
    case "Visitor":
    case "DataObject":
      return putSubject(state, { ...subject, ...after(subject, change) })
    case "Attached":
    case "Erased":
    case "Delivery":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
    case undefined:
      return
  }
  subject satisfies undefined
}

const after = (
  subject: { readonly attributes: Attributes },
  { at, entries }: ChangeOf<"AttributesAssigned">,
) => ({ attributes: applyAssigned(subject.attributes, entries), updatedAt: at })
