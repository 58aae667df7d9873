import { applyAssigned } from "../attributes/applyAssigned.ts"
import type { Attributes } from "../state/Attributes.ts"
import type { ChangeOf } from "../Change.ts"
import { bindText, putSubject, releaseText } from "./updateWorkingSet.ts"
import { isNameAttribute, nameText, searchedNames } from "../state/searchedNames.ts"
import { patchPerson, type Person } from "../state/Person.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onAttributesAssigned = (state: WorkingSet, change: ChangeOf<"AttributesAssigned">): void => {
  const subject = state.subjects.get(change.key)
  switch (subject?._tag) {
    case "Person": {
      const person = patchPerson(subject, after(subject, change))
      if ([...change.entries.keys()].some(isNameAttribute)) renamed(state, subject, person)
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

/** Makes the names of a person resolve to them, so that a search finds them. */
const renamed = (state: WorkingSet, before: Person, { attributes, key }: Person): void => {
  const names = new Set(searchedNames(attributes))
  for (const name of searchedNames(before.attributes)) {
    if (!names.delete(name)) releaseText(state, nameText(name, key))
  }
  for (const name of names) bindText(state, nameText(name, key), key)
}

const after = (
  subject: { readonly attributes: Attributes },
  { at, entries }: ChangeOf<"AttributesAssigned">,
) => ({ attributes: applyAssigned(subject.attributes, entries), updatedAt: at })
