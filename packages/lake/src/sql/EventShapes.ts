import type { PathSummary } from "@inlethq/log/types/PathSummary"
import { anyKey } from "@inlethq/log/types/ShapeSummary"

/** The type of a field in the data of events: `json` if it is a list or an object, or if its types differ. */
export type FieldType = "number" | "boolean" | "text" | "json"

/** What the events with one name have in their data. */
export interface EventShape {
  readonly name: string
  readonly fields: ReadonlyArray<{ readonly key: string; readonly type: FieldType }>
}

/** The most event names that get a view of their own, the newest ones, and the most columns of one view. */
export const shownNamesMax = 500
const shownFieldsMax = 200

/** Reads from the summary of the data of events which columns their view has. Keys that are data themselves have none. */
export const eventShapeOf = (name: string, root: PathSummary): EventShape | null => {
  // Clients of C libraries, such as that of DuckDB, end a statement at the character 0.
  if (name.includes("\0") || name === anyKey) return null
  const fields = [...root.children]
    .filter(([key]) => key !== anyKey && !key.includes("\0"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, shownFieldsMax)
    .map(([key, path]) => ({ key: key.toWellFormed(), type: fieldTypeOf(path) }))
  return { name: name.toWellFormed(), fields }
}

/** Null is a value of every type. */
const fieldTypeOf = ({ types }: PathSummary): FieldType => {
  const found = new Set<FieldType>()
  for (const type of types.keys()) {
    switch (type) {
      case "null":
        break
      case "integer":
      case "number":
        found.add("number")
        break
      case "boolean":
        found.add("boolean")
        break
      case "string":
        found.add("text")
        break
      case "array":
      case "object":
        found.add("json")
    }
  }
  const [only, ...others] = found
  return others.length > 0 ? "json" : (only ?? "text")
}
