import type { ObjectThenDocument, RelatedDocument } from "@inlethq/contract/objects/Objects"
import { drawFields, type Field } from "./fields.ts"
import { momentText, section } from "./personPage.ts"
import { paint, type Screen } from "./Screen.ts"
import { count, printable, valueText } from "./text.ts"
import { fullTime } from "./times.ts"

/** Draws an object with its attributes and the first people who are related to the object. */
export const drawObject = (
  screen: Screen,
  object: ObjectThenDocument,
  people: ReadonlyArray<RelatedDocument>,
): ReadonlyArray<string> => [
  paint(screen, "bold", printable(`${object.object_type_id}/${object.object_id}`)),
  ...drawFields(screen, [
    ["as of", object.as_of === undefined ? null : momentText(screen, object.as_of)],
    ["svc_object_id", object.svc_object_id],
    ["people", object.people_total === null ? "not known" : count(object.people_total)],
    ["created", fullTime(screen.times, object.created_at)],
    ["updated", fullTime(screen.times, object.updated_at)],
  ]),
  ...section(screen, "ATTRIBUTES", drawFields(screen, attributeFields(object))),
  ...section(screen, "PEOPLE", drawFields(screen, people.map(personField))),
]

const attributeFields = ({ attributes }: ObjectThenDocument): ReadonlyArray<Field> =>
  Object.entries(attributes).map(([name, value]) => [name, valueText(value)])

const personField = ({ anonymous_id, attributes, email, id, svc_id }: RelatedDocument): Field => [
  id ?? email ?? anonymous_id ?? svc_id ?? "",
  Object.entries(attributes)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(" ") || "related",
]
