import { Catalog } from "@inlethq/core/catalog/Catalog"
import { NeedsCollector } from "@inlethq/core/fold/Needs"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { progressOf } from "@inlethq/core/state/RuleBuild"
import { hasRule } from "@inlethq/core/state/Segment"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { timerMetrics } from "@inlethq/engine/rules/timerMetrics"
import { Clock, Effect, Layer, Metric, Schedule } from "effect"

/** The pause between two looks at builds of rules and at people whose time has come. */
const workInterval = "15 seconds"

/** The largest number of people whose time has come who are counted. */
const dueMax = 1000

/** The pause between two counts of the people in segments by rule. */
const sizesInterval = "1 minute"

/** The largest number of segments by rule, of all workspaces together, whose people are counted. */
const segmentsMax = 1000

const segmentsPerPage = 100

const builds = Metric.gauge("inlet_rule_builds", { description: "Builds of rules that are under way" })

const buildProgress = Metric.gauge("inlet_rule_build_progress", {
  description: "How much is done of the first build of rules in a workspace, from 0 to 1",
})

const duePeople = Metric.gauge(timerMetrics.due, {
  description: "People whose rules have to be evaluated because time has passed, up to 1,000",
})

const lateSeconds = Metric.gauge(timerMetrics.lateSeconds, {
  description: "How long the first of them has been waiting",
})

const segmentPeople = Metric.gauge("inlet_segment_people", { description: "People in a segment by rule" })

/** Records the builds of rules, the people whose time has come and the sizes of segments by rule in the metrics. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* every(workInterval, yield* countBuilds)
    yield* every(workInterval, countDue)
    yield* every(sizesInterval, yield* countPeople)
  }),
)

const every = <E, R>(
  interval: typeof workInterval | typeof sizesInterval,
  count: Effect.Effect<void, E, R>,
) => {
  const once = Effect.ignoreCause(count, {
    log: "Warn",
    message: "rules could not be counted for the metrics",
  })
  return Effect.forkScoped(Effect.repeat(once, Schedule.spaced(interval)))
}

const countBuilds = Effect.gen(function* () {
  const store = yield* Store
  const shown = new Set<WorkspaceId>()
  return Effect.gen(function* () {
    const first = new Map<WorkspaceId, SubjectKey>()
    const building = yield* store.building
    for (const { build, workspace } of building) if (!first.has(workspace)) first.set(workspace, build)
    yield* Metric.update(builds, building.length)
    for (const workspace of new Set([...shown, ...first.keys()])) {
      const key = first.get(workspace)
      const progress = key === undefined ? 1 : yield* progressIn(store, workspace, key)
      yield* Metric.update(Metric.withAttributes(buildProgress, { workspace: String(workspace) }), progress)
      if (key === undefined) shown.delete(workspace)
      else shown.add(workspace)
    }
  })
})

const progressIn = Effect.fnUntraced(function* (
  store: Store["Service"],
  workspace: WorkspaceId,
  key: SubjectKey,
) {
  const needs = new NeedsCollector(workspace)
  needs.subject(key)
  const build = (yield* store.view(needs)).subjects.get(key)
  return build?._tag === "RuleBuild" ? progressOf(build) : 1
})

const countDue = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Store).due(now, dueMax)
  yield* Metric.update(duePeople, due.length)
  yield* Metric.update(lateSeconds, Math.max(0, ...due.map(({ at }) => now - at)) / 1000)
})

const countPeople = Effect.gen(function* () {
  const catalog = yield* Catalog
  const registry = yield* Registry
  let shown = new Map<string, Record<"workspace" | "segment", string>>()
  return Effect.gen(function* () {
    const found: typeof shown = new Map()
    for (const { id } of yield* registry.workspaces) {
      let after: SubjectKey | null = null
      do {
        const page: Effect.Success<ReturnType<typeof catalog.segments>> = yield* catalog.segments(id, {
          limit: segmentsPerPage,
          after,
          order: "asc",
        })
        for (const { segment, size } of page.items) {
          if (!hasRule(segment) || found.size >= segmentsMax) continue
          const labels = { workspace: String(id), segment: String(segment.key) }
          found.set(`${id} ${segment.key}`, labels)
          yield* Metric.update(Metric.withAttributes(segmentPeople, labels), size)
        }
        after = page.next
      } while (after !== null && found.size < segmentsMax)
    }
    for (const [key, labels] of shown) {
      // Without this reset, the metrics would show the last size of a deleted segment for ever.
      if (!found.has(key)) yield* Metric.update(Metric.withAttributes(segmentPeople, labels), 0)
    }
    shown = found
  })
})
