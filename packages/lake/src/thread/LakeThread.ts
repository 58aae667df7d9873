import { Worker } from "node:worker_threads"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Context, Effect, Layer, Schema } from "effect"
import { lakeTexts } from "../lakeTexts.ts"
import type { Requests } from "./Request.ts"

/** The lake cannot be written or read now. */
export class LakeFailed extends Schema.TaggedError<LakeFailed>()("LakeFailed", {
  message: Schema.String,
}) {}

type Named = {
  readonly [Name in keyof Requests]: { readonly name: Name; readonly asked: Requests[Name]["asked"] }
}

/** A message to the thread. */
export interface Message {
  readonly id: number
  readonly request: Named[keyof Requests]
}

/** An answer of the thread. */
interface Answer {
  readonly id: number
  readonly answer?: unknown
  readonly failure?: string
}

interface Waiting {
  readonly succeed: (answer: unknown) => void
  readonly fail: (reason: string) => void
}

const threadModule = new URL(
  import.meta.url.endsWith(".ts") ? "./fileThread.ts" : "./fileThread.js",
  import.meta.url,
)

/** The thread holds one group of rows of each open file. */
const threadLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 }

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
        Effect.sync(() => new Thread()),
        (opened) => Effect.promise(() => opened.stop()),
      )
      yield* ThreadCatalog.use(({ onUndo }) => onUndo(() => thread.stop()))
      return LakeThread.of({ ask: (name, asked) => thread.ask(name, asked) })
    }),
  )
}

class Thread {
  private worker: Worker | null = null
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0

  ask<Name extends keyof Requests>(
    name: Name,
    asked: Requests[Name]["asked"],
  ): Effect.Effect<Requests[Name]["answer"], LakeFailed> {
    return Effect.callback<Requests[Name]["answer"], LakeFailed>((resume) => {
      const id = ++this.lastId
      this.waiting.set(id, {
        // The thread answers each request with the type that `Requests` pairs with its name.
        succeed: (answer) => resume(Effect.succeed(answer as Requests[Name]["answer"])),
        fail: (reason) => resume(Effect.fail(new LakeFailed({ message: lakeTexts.thread({ reason }) }))),
      })
      this.worker ??= this.start()
      this.worker.postMessage({ id, request: { name, asked } })
    })
  }

  /** Ends the thread, and with it all open files. The next request starts another one. */
  async stop(): Promise<void> {
    const { worker } = this
    if (worker === null) return
    this.lost(worker, "it was stopped")
    await worker.terminate()
  }

  private start(): Worker {
    const worker = new Worker(threadModule, { name: "lake", resourceLimits: threadLimits })
    worker.unref()
    worker.on("message", ({ answer, failure, id }: Answer) => {
      const waiting = this.waiting.get(id)
      this.waiting.delete(id)
      if (failure === undefined) waiting?.succeed(answer)
      else waiting?.fail(failure)
    })
    // All open files are lost with the thread. Whoever writes one begins again, in a new thread.
    worker.on("error", (cause) => this.lost(worker, String(cause)))
    worker.on("exit", (code) => this.lost(worker, `it ended with the code ${code}`))
    return worker
  }

  private lost(worker: Worker, reason: string): void {
    if (worker !== this.worker) return
    this.worker = null
    const waiting = [...this.waiting.values()]
    this.waiting.clear()
    for (const { fail } of waiting) fail(reason)
  }
}
