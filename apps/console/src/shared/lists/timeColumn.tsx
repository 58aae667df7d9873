import type { Column } from "./DataTable.tsx"
import { Time } from "../time/Time.tsx"

/** A column with a time relative to now. Rows without a time say "never". A downloaded list has the exact time. */
export const timeColumn = <Row,>(
  layout: Pick<Column<Row>, "key" | "header" | "width" | "showFrom">,
  timeOf: (row: Row) => string | null,
): Column<Row> => ({
  ...layout,
  text: (row) => timeOf(row) ?? "",
  cell: (row) => {
    const at = timeOf(row)
    return at === null ? "never" : <Time at={at} />
  },
})
