import { request } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { credentials } from "../Inlet.ts"
import type { Cluster } from "./Cluster.ts"

/** The pause before a reader connects again. */
const reconnectMs = 50

/**
 * Follows the activity stream of a workspace, and connects to another node after each disconnect. Records the log
 * positions in the order in which they arrived.
 */
export class LogReader {
  readonly workspace: number
  readonly positions: Array<number> = []
  private last = "0"
  private readonly stopping = new AbortController()
  private readonly following: Promise<void>

  constructor(cluster: Cluster, workspace: number, random: () => number) {
    this.workspace = workspace
    this.following = this.follow(cluster, random)
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.following
  }

  private async follow(cluster: Cluster, random: () => number): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const { url } = await cluster.any(random)
      await this.read(url)
      await pause(reconnectMs)
    }
  }

  /** Reads the stream until its connection ends, with or without an error. */
  private read(url: string): Promise<void> {
    return new Promise((resolve) => {
      const outgoing = request(
        `${url}/management/v1/workspaces/${this.workspace}/activity/stream`,
        {
          agent: false,
          signal: this.stopping.signal,
          headers: { authorization: `Bearer ${credentials.token}`, "last-event-id": this.last },
        },
        (incoming) => {
          let rest = ""
          incoming.setEncoding("utf8")
          incoming.on("error", () => undefined)
          incoming.on("data", (text: string) => {
            const parts = (rest + text).split("\n\n")
            rest = parts.pop() ?? ""
            for (const part of parts) this.record(part)
          })
          incoming.once("close", resolve)
        },
      )
      outgoing.once("error", () => resolve())
      outgoing.end()
    })
  }

  private record(part: string): void {
    const id = /^id: (\d+)$/m.exec(part)?.[1]
    if (id === undefined) return
    this.last = id
    if (/^data: /m.test(part)) this.positions.push(Number(id))
  }
}
