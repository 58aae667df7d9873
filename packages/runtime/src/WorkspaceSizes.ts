import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Layer, Metric, Schedule } from "effect"
import { BrandInUse } from "@inlethq/http/BrandInUse"
import { usageOf } from "@inlethq/http/management/workspaces/usageOf"

/** The pause between two rounds of size estimates. */
const interval = "5 minutes"

/** The largest number of workspaces in one round of size estimates. The next round continues after the last of them. */
const workspacesPerRound = 100

const bytesOfWorkspace = Metric.gauge("inlet_workspace_bytes", {
  description: "Estimated length of the data of a workspace in JSON",
})

const recordsOfWorkspace = Metric.gauge("inlet_workspace_records", {
  description: "Records of a workspace, which its setting records_max limits",
})

/** The pause between two counts of the deleted workspaces that are still being erased. */
const erasingInterval = "15 seconds"

const erasingWorkspaces = Metric.gauge("inlet_workspaces_erasing", {
  description: "Deleted workspaces whose data are still being erased",
})

/** Estimates the space of every workspace at intervals, and records the estimates in the metrics. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const store = yield* Store
    const brand = yield* BrandInUse
    let last = 0
    const measured = new Set<WorkspaceId>()
    const update = Effect.fnUntraced(function* (workspace: WorkspaceId, bytes: number, records: number) {
      const label = { workspace: String(workspace) }
      yield* Metric.update(Metric.withAttributes(bytesOfWorkspace, label), bytes)
      yield* Metric.update(Metric.withAttributes(recordsOfWorkspace, label), records)
    })
    const measure = Effect.fnUntraced(function* (workspace: WorkspaceId) {
      const { bytes, records } = yield* usageOf(catalog, store, workspace, brand)
      yield* update(workspace, bytes, records)
      measured.add(workspace)
    })
    const round = Effect.gen(function* () {
      const ids = (yield* registry.workspaces).map(({ id }) => id).toSorted((a, b) => a - b)
      for (const id of measured) {
        // Without this reset, the metrics would show the last size of a deleted workspace for ever.
        if (!ids.includes(id) && measured.delete(id)) yield* update(id, 0, 0)
      }
      const later = ids.filter((id) => id > last)
      const next = (later.length > 0 ? later : ids).slice(0, workspacesPerRound)
      for (const id of next) {
        yield* measure(id)
        last = id
      }
    }).pipe(Effect.ignoreCause({ log: "Warn", message: "the size of a workspace could not be measured" }))
    const rounds = Effect.andThen(Effect.sleep(interval), round)
    yield* Effect.forkScoped(Effect.repeat(rounds, Schedule.forever))
    const countErasing = Effect.flatMap(registry.erasing, ({ length }) =>
      Metric.update(erasingWorkspaces, length),
    )
    yield* Effect.forkScoped(Effect.repeat(Effect.ignore(countErasing), Schedule.spaced(erasingInterval)))
  }),
)
