import { isJsonObject, type Json } from "@inlethq/core/values/Json"

/** The type of a field in the data of events: `json` if it is a list or an object, or if its types differ. */
export type FieldType = "number" | "boolean" | "text" | "json"

/** What the events with one name have in their data. */
export interface EventShape {
  readonly name: string
  readonly fields: ReadonlyArray<{ readonly key: string; readonly type: FieldType }>
}

/** The most event names that get a view of their own, and the most columns of one view. */
const shownNamesMax = 500
const shownFieldsMax = 200

/** Collects which fields of which type events have. */
export class EventShapes {
  private readonly names = new Map<string, Map<string, FieldType | null>>()

  add(name: string, data: Json): void {
    // Clients of C libraries, such as that of DuckDB, end a statement at the character 0.
    if (name.includes("\0")) return
    const known = this.names.get(name)
    if (known === undefined && this.names.size >= shownNamesMax) return
    const fields = known ?? new Map<string, FieldType | null>()
    this.names.set(name, fields)
    if (!isJsonObject(data)) return
    for (const [key, value] of Object.entries(data)) {
      const type = fields.get(key)
      if (key.includes("\0") || (type === undefined && fields.size >= shownFieldsMax)) continue
      fields.set(key, together(type ?? null, typeOf(value)))
    }
  }

  /** Returns the shapes in the order of their names, with fields in the order of their keys. */
  get all(): ReadonlyArray<EventShape> {
    return [...this.names].toSorted(byName).map(([name, fields]) => ({
      name,
      fields: [...fields].toSorted(byName).map(([key, type]) => ({ key, type: type ?? "text" })),
    }))
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

/** Null is a value of every type. */
const typeOf = (value: Json): FieldType | null => {
  if (value === null) return null
  switch (typeof value) {
    case "number":
      return "number"
    case "boolean":
      return "boolean"
    case "string":
      return "text"
    default:
      return "json"
  }
}

const together = (a: FieldType | null, b: FieldType | null): FieldType | null => {
  if (a === null || b === null) return a ?? b
  return a === b ? a : "json"
}
