import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Metric } from "effect"

const counter = (name: string, description: string) =>
  Metric.counter(`inlet_lake_${name}`, { description, incremental: true })

const rows = counter("rows_total", "Rows of activity that were written to files of the lake")
const files = counter("files_total", "Files of the lake that were completed")
const bytes = counter("bytes_total", "Bytes of the files of the lake that were completed")
const failures = counter("failures_total", "Times that the lake could not be written")

const erasuresDue = Metric.gauge("inlet_lake_erasures_due", {
  description: "Deletions whose rows are still in files of the lake",
})

/** Exports the counters from the start. */
export const registerMetrics = Effect.all([rows, files, bytes, failures].map(Metric.value), { discard: true })

export const countRows = (count: number): Effect.Effect<void> => Metric.update(rows, count)

export const countFile = (size: number): Effect.Effect<void> =>
  Effect.andThen(Metric.update(files, 1), Metric.update(bytes, size))

export const countFailure: Effect.Effect<void> = Metric.update(failures, 1)

/** Shows how many deletions the files of a lake still have to follow. */
export const showErasures = (workspace: WorkspaceId, count: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(erasuresDue, { workspace: String(workspace) }), count)
