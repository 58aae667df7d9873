import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Slices } from "@inlethq/core/Slices"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { EventShapes } from "@inlethq/lake/sql/EventShapes"
import { Effect } from "effect"
import { rowsPerSlice } from "./lakeLimits.ts"

/** The most pages of the newest events of each kind that are read to find out their names and fields. */
const sampledPagesMax = 5
const sampledPageMax = 1000

/** Returns which names the newest events of a workspace have, and which fields their data. */
export const eventShapes = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const catalog = yield* Catalog
  const turns = yield* Turns
  const shapes = new EventShapes()
  for (const kind of ["event", "anonymous_event"] as const) {
    let after: Sequence | null = null
    for (let pages = 0; pages < sampledPagesMax; pages++) {
      const page: Page<ActivityRecord, Sequence> = yield* catalog.activity(
        workspace,
        { ...noFilter, kind },
        { limit: sampledPageMax, after, order: "desc" },
      )
      yield* turns.work(() => addTo(shapes, page.items))
      if (page.next === null) break
      after = page.next
    }
  }
  return shapes.all
})

function* addTo(shapes: EventShapes, records: ReadonlyArray<ActivityRecord>): Slices<void> {
  for (const [index, record] of records.entries()) {
    if (index % rowsPerSlice === rowsPerSlice - 1) yield
    const { data, name } = activityDocument(record, "svc")
    if (name !== null) shapes.add(name.toWellFormed(), data)
  }
}
