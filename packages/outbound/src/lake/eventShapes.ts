import { LogSummaries, type ShapedTypeRow, type TypeName } from "@inlethq/core/ports/LogSummaries"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { eventShapeOf, shownNamesMax, type EventShape } from "@inlethq/lake/sql/EventShapes"
import { inSlices } from "@inlethq/log/types/readDrift"
import { typeFromRow } from "@inlethq/log/types/WorkspaceSummaries"
import { Effect } from "effect"

/** The kind of the summaries of events, also of those of visitors. */
const kind = "event"

/** Returns which names the events of a workspace have, and which fields their data, as the summaries of the log say it. */
export const eventShapes = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
): Effect.fn.Return<ReadonlyArray<EventShape>, StoreUnavailable, LogSummaries> {
  const turns = yield* Turns
  const found: Array<{ readonly shape: EventShape; readonly last: number }> = []
  const read = (row: ShapedTypeRow): void => {
    const { counted, shape: summary } = typeFromRow(row)
    const shape = eventShapeOf(row.name, summary.root)
    if (shape !== null) found.push({ shape, last: counted.last.position })
  }
  let after: TypeName | null = { kind, name: "" }
  do {
    const page: Page<ShapedTypeRow, TypeName> = yield* LogSummaries.use((summaries) =>
      summaries.shapedTypes(workspace, after),
    )
    const events = page.items.filter((row) => row.kind === kind)
    yield* turns.work(() => inSlices(events, read))
    after = events.length < page.items.length ? null : page.next
  } while (after !== null)
  return found
    .toSorted((a, b) => b.last - a.last)
    .slice(0, shownNamesMax)
    .map(({ shape }) => shape)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
})
