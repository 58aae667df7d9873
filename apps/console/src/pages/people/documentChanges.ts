/** A field that differs between two documents; null where it is not set. */
interface FieldDifference {
  readonly path: string
  readonly from: unknown
  readonly to: unknown
}

/** Fields of a person's document that are about the document itself. */
const ownFields: ReadonlySet<string> = new Set(["as_of", "updated_at"])

/** Returns the fields of a person that differ between two moments, attributes one by one. */
export const documentChanges = (before: object, after: object): ReadonlyArray<FieldDifference> => {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .toSorted()
    .map((path) => ({ path, from: from.get(path) ?? null, to: to.get(path) ?? null }))
    .filter((field) => JSON.stringify(field.from) !== JSON.stringify(field.to))
}

const fieldsOf = (document: object): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(document).flatMap(([name, value]: [string, unknown]) => {
      if (ownFields.has(name)) return []
      if (name !== "attributes" || typeof value !== "object" || value === null) return [[name, value]]
      return Object.entries(value).map(([key, item]) => [`attributes.${key}`, item])
    }),
  )
