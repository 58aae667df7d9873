import { deliveryText, deviceText, formText, identifierText, objectText } from "../values/Identifier.ts"
import type { Subject } from "./Subject.ts"

/** Returns the lookup texts that lead to a subject. Those of names are apart (`nameText`). */
export const lookupTextsOf = (subject: Subject): ReadonlyArray<string> => {
  switch (subject._tag) {
    case "Person": {
      const { anonymousIds, devices, email, id } = subject
      return [
        ...anonymousIds.map((value) => identifierText("anonymous_id", value)),
        ...(id === null ? [] : [identifierText("id", id)]),
        ...(email === null ? [] : [identifierText("email", email)]),
        ...Array.from(devices.keys(), deviceText),
      ]
    }
    case "Visitor":
      return [
        identifierText(subject.knownAs.kind, subject.knownAs.value),
        ...Array.from(subject.devices.keys(), deviceText),
      ]
    case "DataObject":
      return [objectText(subject.typeId, subject.objectId)]
    case "Delivery":
      return [deliveryText(subject.deliveryId)]
    case "Form":
      return [formText(subject.formId)]
    case "Attached":
    case "Erased":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
      return []
  }
}
