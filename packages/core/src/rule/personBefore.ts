import type { FieldChange } from "../log/Outcome.ts"
import { unsubscribedName, type Stamped } from "../state/Attributes.ts"
import { patchPerson, type Person } from "../state/Person.ts"
import { isPreference } from "../state/preferenceBounds.ts"
import type { Json } from "../values/Json.ts"

/**
 * Returns a person as they were before an operation, from its `changes`. Devices, relationships and segments stay as they
 * are, because entries do not tell enough about them.
 */
export const personBefore = (person: Person, changes: ReadonlyArray<FieldChange>): Person => {
  let { email, id } = person
  const attributes = new Map<string, Stamped>(person.attributes)
  for (const { from, path } of changes.toReversed()) {
    if (path === "id") id = textOrNull(from)
    else if (path === "email") email = textOrNull(from)
    else setBack(attributes, path, from)
  }
  return patchPerson(person, { id, email, attributes })
}

const textOrNull = (value: Json): string | null => (typeof value === "string" ? value : null)

const prefix = "attributes."

const setBack = (attributes: Map<string, Stamped>, path: string, value: Json): void => {
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : path
  const isAttribute =
    name !== path || path === unsubscribedName || isPreference(path) || path === "created_at"
  if (!isAttribute) return
  if (value === null) attributes.delete(name)
  else attributes.set(name, { value, at: attributes.get(name)?.at ?? 0 })
}
