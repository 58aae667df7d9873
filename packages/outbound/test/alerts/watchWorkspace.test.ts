import { assert, describe, it } from "@effect/vitest"
import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { summariesCursor } from "@inlethq/core/ports/LogSummaries"
import { Registry } from "@inlethq/core/ports/Registry"
import { dayMs, hourMs } from "@inlethq/core/values/Timestamp"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import { refuse } from "@inlethq/store-conformance/log/rejectionLaws"
import { byId, event, noon, remove } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Effect, Layer, Metric, Schedule } from "effect"
import { watchWorkspace } from "../../src/alerts/watchWorkspace.ts"
import { MayDeliver } from "../../src/MayDeliver.ts"
import { SummaryThread } from "../../src/types/SummaryThread.ts"
import * as TypesFeeds from "../../src/types/TypesFeeds.ts"

const server = TypesFeeds.layer.pipe(
  Layer.provide(SummaryThread.layer),
  Layer.provideMerge(Ingest.layer),
  Layer.provideMerge(Layer.mergeAll(Memory.layer, MemoryLogCursors.layer)),
  Layer.provide(plainDigest),
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.succeed(MayDeliver, Effect.succeed(true)),
      Layer.succeed(ThreadCatalog, noThreadCatalog),
      Layer.succeed(Metric.MetricRegistry, new Map()),
    ),
  ),
)

/** Waits until the log is summarized up to a position. */
const summarized = ({ id }: Workspace, to: number) =>
  LogCursors.use((cursors) =>
    Effect.repeat(cursors.position(summariesCursor(id)), {
      until: (position) => (position ?? 0) >= to,
      schedule: Schedule.spaced("10 millis"),
    }),
  )

const namesOf = (alerts: ReadonlyArray<{ condition: string; endedAt: number | null }>) =>
  alerts.map(({ condition, endedAt }) => `${condition} ${endedAt === null ? "lasts" : "ended"}`)

describe("looking for alerts", () => {
  it.live("begins and ends each alert once, on however many nodes, and names nobody", () =>
    Effect.gen(function* () {
      const workspace = yield* Registry.use((registry) =>
        registry.createWorkspace(defaultSettings("One", "us")),
      )
      const at = { in: workspace, receivedAt: noon }
      const bought = [0, 1, 2].map((hour) =>
        event(byId("ada"), "bought", { in: workspace, receivedAt: noon - (3 - hour) * hourMs }),
      )
      const refused = Array.from({ length: 12 }, () => refuse({ userId: "grace-hopper" }, {}, at))
      yield* Ingest.use((ingest) => ingest.submit([...bought, ...refused], 100))
      yield* summarized(workspace, 15)
      const webhook = { subject: "webhook:w", title: "The webhook w", lagMs: hourMs }
      const look = (now: number, lagMs: number | null) =>
        Effect.andThen(
          Effect.all(
            [1, 2].map(() => watchWorkspace(workspace, [{ ...webhook, lagMs }], now)),
            { concurrency: "unbounded" },
          ),
          Alerts.use((alerts) => alerts.list(workspace.id)),
        )
      const first = yield* look(noon + 1000, hourMs)
      assert.sameMembers(namesOf(first), ["new_cause lasts", "error_rate lasts", "lag lasts"])
      assert.notInclude(JSON.stringify(first), "grace-hopper")
      assert.include(first.find(({ condition }) => condition === "error_rate")?.summary, "12 were rejected")

      const unknown = yield* look(noon + hourMs / 2, null)
      assert.sameMembers(namesOf(unknown), ["new_cause lasts", "error_rate ended", "lag lasts"])

      yield* Ingest.use((ingest) => ingest.submit([remove(byId("grace-hopper"), at)], 100))
      const silent = yield* look(noon + dayMs, 0)
      assert.sameMembers(namesOf(silent), [
        "new_cause ended",
        "error_rate ended",
        "lag ended",
        "silent lasts",
      ])
      const again = { in: workspace, receivedAt: noon + dayMs + 1 }
      yield* Ingest.use((ingest) => ingest.submit([event(byId("ada"), "bought", again)], 100))
      yield* summarized(workspace, 17)
      const last = yield* look(noon + dayMs + 2, 0)
      assert.include(namesOf(last), "silent ended")
    }).pipe(Effect.provide(server)),
  )
})
