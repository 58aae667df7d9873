import type { SegmentSizes } from "@inlethq/core/ports/SegmentSizes"
import { Effect } from "effect"
import { integer } from "../columns/columns.ts"
import type { Tables } from "./Tables.ts"

const sinceSql = `
  SELECT day, size FROM segment_sizes
  WHERE workspace = $1 AND segment = $2 AND day >= coalesce((
    SELECT max(day) FROM segment_sizes WHERE workspace = $1 AND segment = $2 AND day <= $3
  ), 0)
  ORDER BY day`

/** Makes the reader of the sizes that segments had. Commits write them (`BatchRows.segmentSizes`). */
export const makeSegmentSizes = (tables: Tables): SegmentSizes["Service"] => ({
  since: (workspace, segment, day) =>
    Effect.map(tables.read("read the sizes of a segment", sinceSql, workspace, segment, day), (rows) =>
      rows.map((row) => ({ day: integer(row["day"]), size: integer(row["size"]) })),
    ),
})
