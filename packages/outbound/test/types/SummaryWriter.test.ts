import { assert, describe, it } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { summariesCursor } from "@inlethq/core/ports/LogSummaries"
import { Registry } from "@inlethq/core/ports/Registry"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import { byId, event, noon } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Effect, Layer, Metric } from "effect"
import { LogSummarizer } from "../../src/types/LogSummarizer.ts"
import { SummaryThread } from "../../src/types/SummaryThread.ts"
import { SummaryWriter } from "../../src/types/SummaryWriter.ts"

const stores = Ingest.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Memory.layer, MemoryLogCursors.layer)),
  Layer.provide(plainDigest),
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.succeed(ThreadCatalog, noThreadCatalog),
      Layer.succeed(Metric.MetricRegistry, new Map()),
    ),
  ),
)

/** Summarizes in this thread, and notes what it was asked for. */
const noting = Effect.fnUntraced(function* (asked: Array<string>) {
  const catalog = yield* Catalog
  const summarizer = new LogSummarizer()
  const note = <A>(name: string, work: Effect.Effect<A>) =>
    Effect.suspend(() => {
      asked.push(name)
      return work
    })
  return SummaryThread.of({
    load: (rows) =>
      note(
        "load",
        Effect.sync(() => summarizer.load(rows)),
      ),
    summarize: (part) => note("summarize", summarizer.summarize(catalog, part)),
    takeChanges: (key) =>
      note(
        "takeChanges",
        Effect.sync(() => summarizer.takeChanges(key)),
      ),
    close: (key) => Effect.sync(() => summarizer.close(key)),
  })
})

describe("the summary of a log", () => {
  it.live("asks the thread for nothing while the log has nothing new, so that none starts", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const workspace = yield* Registry.use((registry) =>
        registry.createWorkspace(defaultSettings("One", "us")),
      )
      const { id } = workspace
      const claim = LogCursors.use((cursors) => cursors.claim(summariesCursor(id)))
      const start = Effect.map(
        claim,
        ({ position, token }) => new SummaryWriter({ workspace: id, token }, position),
      )
      const thread = yield* noting(asked)
      const untilDone = (writer: SummaryWriter) =>
        Effect.provideService(
          Effect.repeat(Effect.andThen(writer.rest, writer.next), { until: (done) => done }),
          SummaryThread,
          thread,
        )

      const first = yield* start
      yield* untilDone(first)
      assert.deepStrictEqual(asked, [])

      const bought = event(byId("ada"), "bought", { in: workspace, receivedAt: noon })
      yield* Ingest.use((ingest) => ingest.submit([bought], 100))
      yield* untilDone(first)
      assert.includeMembers(asked, ["load", "summarize", "takeChanges"])
      const summarized = asked.length

      yield* untilDone(yield* start)
      assert.strictEqual(asked.length, summarized)
    }).pipe(Effect.provide(stores)),
  )
})
