import type { Dialect } from "./Dialect.ts"
import type { EventShape } from "./EventShapes.ts"

/** The longest name of a view or column, in characters. */
const viewNameMax = 40

/** Defines a view of the events with each name, with a column for each field of their data. */
export const eventViews = (
  schema: string,
  dialect: Dialect,
  shapes: ReadonlyArray<EventShape>,
): ReadonlyArray<string> => {
  const names = new DistinctNames([])
  return shapes.map((shape) =>
    dialect.view(schema, names.of(viewName(shape.name)), queryOf(schema, dialect, shape)),
  )
}

/** Returns the name of the view of events, such as `event_order_completed` for "Order Completed". */
const viewName = (event: string): string => {
  const words = event
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
  return `event_${words === "" ? "unnamed" : words}`.slice(0, viewNameMax)
}

const ownColumns = ["position", "happened_at", "received_at", "person", "subject", "data"]

const queryOf = (schema: string, { field, identifier, literal }: Dialect, shape: EventShape): string => {
  const names = new DistinctNames(ownColumns)
  const columns = shape.fields.map(({ key, type }) => {
    const name = names.of(key === "" ? "unnamed" : key.slice(0, viewNameMax))
    return `  ${field(key, type)} AS ${identifier(name)}`
  })
  return `SELECT position, happened_at, received_at, person, subject,
${[...columns, "  data"].join(",\n")}
FROM ${schema}.events WHERE kind IN ('event', 'anonymous_event') AND name = ${literal(shape.name)}`
}

/** Tells names apart that an engine takes for the same, because it ignores case. */
class DistinctNames {
  private readonly taken: Set<string>

  constructor(taken: ReadonlyArray<string>) {
    this.taken = new Set(taken)
  }

  of(wanted: string): string {
    let name = wanted
    for (let n = 2; this.taken.has(name.toLowerCase()); n++) name = `${wanted}_${n}`
    this.taken.add(name.toLowerCase())
    return name
  }
}
