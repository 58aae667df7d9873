import { Effect } from "effect"
import { Worker, type ResourceLimits } from "node:worker_threads"

/** What a thread can be asked for, by name. */
export type Requests<All> = {
  readonly [Name in keyof All]: { readonly asked: unknown; readonly answer: unknown }
}

/** A message to a thread that answers `All`. */
export interface Message<All extends Requests<All>> {
  readonly id: number
  readonly request: {
    readonly [Name in keyof All]: { readonly name: Name; readonly asked: All[Name]["asked"] }
  }[keyof All]
}

/** An answer of a thread. */
interface Answer {
  readonly id: number
  readonly answer?: unknown
  readonly failure?: string
}

interface Waiting {
  readonly succeed: (answer: unknown) => void
  readonly fail: (reason: string) => void
}

interface ThreadOptions<E> {
  readonly name: string
  readonly module: URL
  readonly limits: ResourceLimits
  /** Returns the error of a request that was not answered. */
  readonly failed: (reason: string) => E
}

/** A thread that answers requests in their order. It starts with the first one, and again with the first one after its end. */
export class WorkerThread<All extends Requests<All>, E> {
  private readonly options: ThreadOptions<E>
  private worker: Worker | null = null
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0

  constructor(options: ThreadOptions<E>) {
    this.options = options
  }

  ask<Name extends keyof All>(name: Name, asked: All[Name]["asked"]): Effect.Effect<All[Name]["answer"], E> {
    return Effect.callback<All[Name]["answer"], E>((resume) => {
      const id = ++this.lastId
      this.waiting.set(id, {
        // The thread answers each request with the type that `All` pairs with its name.
        succeed: (answer) => resume(Effect.succeed(answer as All[Name]["answer"])),
        fail: (reason) => resume(Effect.fail(this.options.failed(reason))),
      })
      this.worker ??= this.start()
      this.worker.postMessage({ id, request: { name, asked } })
    })
  }

  /** Whether the thread has started. Otherwise it has nothing in its memory. */
  get isRunning(): boolean {
    return this.worker !== null
  }

  /** Ends the thread, and with it all that is in its memory. */
  async stop(): Promise<void> {
    const { worker } = this
    if (worker === null) return
    this.lost(worker, "it was stopped")
    await worker.terminate()
  }

  private start(): Worker {
    const { limits, module, name } = this.options
    const worker = new Worker(module, { name, resourceLimits: limits })
    worker.unref()
    worker.on("message", ({ answer, failure, id }: Answer) => {
      const waiting = this.waiting.get(id)
      this.waiting.delete(id)
      if (failure === undefined) waiting?.succeed(answer)
      else waiting?.fail(failure)
    })
    // What was in the memory of the thread is lost. Whoever needs it begins again, in a new thread.
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
