import { isJsonObject, type Json } from "../values/Json.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { ActivityView } from "./ActivityView.ts"

/** People, visitors and objects as a filter names them. */
export interface NamedSubjects {
  /** Texts that may be the `id`, the email or an anonymous id of a person or visitor. */
  readonly people: ReadonlyArray<string>
  /** The keys in a `svc_id`. The subject may have been deleted since. */
  readonly keys: ReadonlyArray<SubjectKey>
  readonly objects: ReadonlyArray<NamedObject>
}

export interface NamedObject {
  /** Null for objects of any type. */
  readonly typeId: string | null
  readonly objectId: string
}

/** Returns whether an entry is about one of these subjects. The case of emails does not matter. */
export const isAbout = (view: ActivityView, { keys, objects, people }: NamedSubjects): boolean =>
  keys.some((key) => view.subject === key || view.person?.key === key) ||
  people.some((text) => isKnownAs(view, text)) ||
  objects.some(
    (named) => isNamed(named, view.knownAs.objectTypeId, view.knownAs.objectId) || deletesNamed(view, named),
  )

const isKnownAs = ({ knownAs }: ActivityView, text: string): boolean =>
  knownAs.id === text || knownAs.anonymousId === text || knownAs.email?.toLowerCase() === text.toLowerCase()

const isNamed = ({ objectId, typeId }: NamedObject, ofType: Json, withId: Json): boolean =>
  withId === objectId && (typeId === null || ofType === typeId)

/** Only the entry of the deletion still says which object was deleted. */
const deletesNamed = ({ data, kind }: ActivityView, named: NamedObject): boolean =>
  kind === "object_delete" &&
  isJsonObject(data) &&
  isNamed(named, data["object_type_id"] ?? null, data["object_id"] ?? null)
