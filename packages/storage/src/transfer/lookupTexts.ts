import { nameText, searchedNames } from "@inlethq/core/state/searchedNames"
import type { Subject } from "@inlethq/core/state/Subject"
import {
  deliveryText,
  deviceText,
  formText,
  identifierText,
  objectText,
} from "@inlethq/core/values/Identifier"

/** Returns the lookup texts of a person, object or other subject. */
export const lookupTextsOf = (subject: Subject): ReadonlyArray<string> => {
  switch (subject._tag) {
    case "Person": {
      const { anonymousIds, attributes, devices, email, id, key } = subject
      return [
        ...searchedNames(attributes).map((name) => nameText(name, key)),
        ...anonymousIds.map((value) => identifierText("anonymous_id", value)),
        ...(id === null ? [] : [identifierText("id", id)]),
        ...(email === null ? [] : [identifierText("email", email)]),
        ...[...devices.keys()].map(deviceText),
      ]
    }
    case "Visitor":
      return [
        identifierText(subject.knownAs.kind, subject.knownAs.value),
        ...[...subject.devices.keys()].map(deviceText),
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
