import { Catalog } from "@inlethq/core/catalog/Catalog"
import { ThreadCatalog, type CatalogSource } from "@inlethq/core/catalog/ThreadCatalog"
import { WorkerThread } from "@inlethq/lake/thread/WorkerThread"
import type { SummaryChanges } from "@inlethq/log/types/WorkspaceSummaries"
import { Context, Effect, FiberHandle, Layer } from "effect"
import { DestinationFailed } from "../follower/Destination.ts"
import {
  LogSummarizer,
  type ReaderKey,
  type Summarized,
  type ToLoad,
  type ToSummarize,
} from "./LogSummarizer.ts"
import { idleMsMax } from "./summaryLimits.ts"
import { summaryTexts } from "./summaryTexts.ts"

/** What the thread that summarizes logs can be asked for. */
export interface SummaryRequests {
  readonly load: { readonly asked: ToLoad; readonly answer: null }
  readonly summarize: {
    readonly asked: ToSummarize & { readonly source: CatalogSource }
    readonly answer: Summarized
  }
  readonly takeChanges: { readonly asked: ReaderKey; readonly answer: SummaryChanges }
  readonly close: { readonly asked: ReaderKey; readonly answer: null }
}

const module = new URL(
  import.meta.url.endsWith(".ts") ? "./typesThread.ts" : "./typesThread.js",
  import.meta.url,
)

const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 4 }

const failed = (reason: string) => new DestinationFailed({ message: summaryTexts.thread({ reason }) })

/** Summarizes logs in a thread of its own, which reads them itself. If only this thread can read them, it does all of it. */
export class SummaryThread extends Context.Service<
  SummaryThread,
  {
    load(asked: ToLoad): Effect.Effect<void, DestinationFailed>
    summarize(asked: ToSummarize): Effect.Effect<Summarized, DestinationFailed>
    takeChanges(key: ReaderKey): Effect.Effect<SummaryChanges, DestinationFailed>
    /** Forgets the summaries of a reader. */
    close(key: ReaderKey): Effect.Effect<void>
  }
>()("@inlethq/outbound/types/SummaryThread") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { onUndo, source } = yield* ThreadCatalog
      if (source === null) return inThisThread(yield* Catalog)
      const thread = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new WorkerThread<SummaryRequests, DestinationFailed>({ name: "types", module, limits, failed }),
        ),
        (opened) => Effect.promise(() => opened.stop()),
      )
      yield* onUndo(() => thread.stop())
      // A thread needs some 40 MB, which a server without traffic should not hold.
      const idle = yield* FiberHandle.make()
      const stopWhenIdle = FiberHandle.run(
        idle,
        Effect.andThen(
          Effect.sleep(idleMsMax),
          Effect.promise(() => thread.stop()),
        ),
      )
      const ask = <A>(asked: Effect.Effect<A, DestinationFailed>) =>
        Effect.ensuring(Effect.andThen(FiberHandle.clear(idle), asked), stopWhenIdle)
      return SummaryThread.of({
        load: (asked) => ask(thread.ask("load", asked)),
        summarize: (asked) => ask(thread.ask("summarize", { ...asked, source })),
        takeChanges: (key) => ask(thread.ask("takeChanges", key)),
        close: (key) =>
          Effect.suspend(() =>
            thread.isRunning ? Effect.ignore(ask(thread.ask("close", key))) : Effect.void,
          ),
      })
    }),
  )
}

const attempt = <A>(run: () => A) => Effect.try({ try: run, catch: (cause) => failed(String(cause)) })

const inThisThread = (catalog: Catalog["Service"]): SummaryThread["Service"] => {
  const summarizer = new LogSummarizer()
  return {
    load: (asked) => attempt(() => summarizer.load(asked)),
    summarize: (asked) => Effect.flatten(attempt(() => summarizer.summarize(catalog, asked))),
    takeChanges: (key) => attempt(() => summarizer.takeChanges(key)),
    close: (key) => Effect.sync(() => summarizer.close(key)),
  }
}
