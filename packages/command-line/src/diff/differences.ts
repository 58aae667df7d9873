import type { ObjectDocument } from "@inlethq/contract/objects/Objects"
import type { PersonDocument } from "@inlethq/contract/people/People"
import { sameJson, type Json } from "@inlethq/core/values/Json"

/** A value that two workspaces have differently. */
export interface Difference {
  readonly kind: "person" | "object" | "segment"
  /** What other commands find it by: an id, an email, a `svc_id`, `TYPE/ID` or the name of a segment. */
  readonly id: string
  /** Null if one workspace does not have it at all. Then `here` and `there` say which one does. */
  readonly path: string | null
  readonly here: Json
  readonly there: Json
}

type Fields = ReadonlyMap<string, Json>

/**
 * Returns what is compared of a person. `svc_id`s, the time of the last change and the time when a device was last used differ
 * between workspaces that received the same calls. Segments have other ids there, so they are compared by name.
 */
export const personFields = (person: PersonDocument, segmentNames: ReadonlyMap<number, string>): Fields => {
  const names = person.segments.map((id) => segmentNames.get(id) ?? `segment ${id}`).toSorted()
  const fields = new Map<string, Json>([
    ["id", person.id],
    ["email", person.email],
    ["anonymous_ids", person.anonymous_ids.toSorted()],
    ["unsubscribed", person.unsubscribed],
    ["subscription_preferences", person.subscription_preferences],
    ["segments", names],
  ])
  addAll(fields, "attributes.", person.attributes)
  for (const { attributes, platform, token } of person.devices) {
    fields.set(`devices.${token}`, { platform, attributes })
  }
  for (const { attributes, object_id, object_type_id } of person.relationships) {
    fields.set(`relationships.${object_type_id}/${object_id}`, attributes)
  }
  return fields
}

export const objectFields = ({ attributes, people_total }: ObjectDocument): Fields => {
  const fields = new Map<string, Json>([["people_total", people_total]])
  addAll(fields, "attributes.", attributes)
  return fields
}

const addAll = (fields: Map<string, Json>, prefix: string, values: Readonly<Record<string, Json>>): void => {
  for (const [name, value] of Object.entries(values)) fields.set(prefix + name, value)
}

/** Returns the paths at which two documents differ, in the order of the first, with null for a value that is missing. */
export const fieldDifferences = (
  of: Pick<Difference, "kind" | "id">,
  here: Fields,
  there: Fields,
): ReadonlyArray<Difference> =>
  [...new Set([...here.keys(), ...there.keys()])].flatMap((path) => {
    const difference = { ...of, path, here: here.get(path) ?? null, there: there.get(path) ?? null }
    return sameJson(difference.here, difference.there) ? [] : [difference]
  })

export const onlyHere = (of: Pick<Difference, "kind" | "id">): Difference => ({
  ...of,
  path: null,
  here: true,
  there: false,
})

export const onlyThere = (of: Pick<Difference, "kind" | "id">): Difference => ({
  ...of,
  path: null,
  here: false,
  there: true,
})
