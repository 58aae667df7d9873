import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Context, Effect, Layer, Schema } from "effect"
import { lakeTexts } from "../lakeTexts.ts"
import type { Requests } from "./Request.ts"
import { WorkerThread } from "./WorkerThread.ts"

/** The lake cannot be written or read now. */
export class LakeFailed extends Schema.TaggedError<LakeFailed>()("LakeFailed", {
  message: Schema.String,
}) {}

const module = new URL(
  import.meta.url.endsWith(".ts") ? "./fileThread.ts" : "./fileThread.js",
  import.meta.url,
)

/** The thread holds one group of rows of each open file. */
const limits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 }

const failed = (reason: string) => new LakeFailed({ message: lakeTexts.thread({ reason }) })

/** The thread that writes and reads files of all lakes. It starts with the first request. */
export class LakeThread extends Context.Service<
  LakeThread,
  {
    /** Asks for one of `Requests`. Requests are answered in their order. */
    ask<Name extends keyof Requests>(
      name: Name,
      asked: Requests[Name]["asked"],
    ): Effect.Effect<Requests[Name]["answer"], LakeFailed>
  }
>()("@inlethq/lake/thread/LakeThread") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const thread = yield* Effect.acquireRelease(
        Effect.sync(() => new WorkerThread<Requests, LakeFailed>({ name: "lake", module, limits, failed })),
        (opened) => Effect.promise(() => opened.stop()),
      )
      yield* ThreadCatalog.use(({ onUndo }) => onUndo(() => thread.stop()))
      return LakeThread.of({ ask: (name, asked) => thread.ask(name, asked) })
    }),
  )
}
