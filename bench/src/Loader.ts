import { fork, type ChildProcess } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { LoadJob, LoadReply, LoadResult } from "./LoadJob.ts"

const loadFile = fileURLToPath(new URL("load.ts", import.meta.url))

/** The longest time that a job of the load generator may take in addition to its fixed duration. */
const graceMs = 60_000

/** The longest time that a job of the load generator with a fixed number of requests may take. */
const countedMs = 300_000

/** The process of the load generator, which runs one job at a time. */
export class Loader {
  private readonly child: ChildProcess

  constructor() {
    this.child = fork(loadFile, { serialization: "advanced" })
  }

  /** Runs a job. `onMeasuring` is called at the end of its warm-up. */
  run(job: LoadJob, onMeasuring: () => void): Promise<LoadResult> {
    const { extent } = job
    const limitMs = extent.kind === "time" ? extent.warmUpMs + extent.measuredMs + graceMs : countedMs
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer)
        this.child.off("message", onReply).off("exit", onExit)
        act()
      }
      const onReply = (reply: LoadReply) => {
        switch (reply.kind) {
          case "measuring":
            return onMeasuring()
          case "result":
            return settle(() => resolve(reply.result))
          case "failed":
            return settle(() => reject(new Error(reply.message)))
        }
      }
      const onExit = () => settle(() => reject(new Error("the load generator exited")))
      const timer = setTimeout(
        () => settle(() => reject(new Error("the job exceeded its time limit"))),
        limitMs,
      )
      this.child.on("message", onReply).on("exit", onExit)
      this.child.send(job)
    })
  }

  close(): void {
    this.child.kill("SIGKILL")
  }
}
