import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { PostgresServer } from "@inlet/postgres-server/PostgresServer"
import { kindCodes } from "@inlet/storage/codes"
import { cpuSecondsOf, parentOf } from "./proc.ts"
import type { Verified } from "./verify.ts"

/** Every commit waits for a real sync, as in production. */
const settings = { fsync: "on", shared_buffers: "256MB", max_wal_size: "4GB" }

/** A PostgreSQL server of the npm package on this machine, with its data in the directory for temporary files. */
export class PostgresStore {
  private readonly server: PostgresServer

  private constructor(server: PostgresServer) {
    this.server = server
  }

  static async start(): Promise<PostgresStore> {
    return new PostgresStore(await PostgresServer.start({ settings }))
  }

  /** Creates an empty database and returns its URL. */
  async database(): Promise<string> {
    return this.server.url(await this.server.createDatabase())
  }

  /** Returns the CPU seconds that all processes of the server have used together. */
  cpuSeconds(): number {
    const [first = ""] = readFileSync(join(this.server.directory, "postmaster.pid"), "utf8").split("\n")
    const own = readdirSync("/proc").filter((pid) => pid === first || parentOf(Number(pid)) === Number(first))
    return own.reduce((sum, pid) => sum + (cpuSecondsOf(Number(pid)) || 0), 0)
  }

  /** Counts the events in a database and their distinct ids. */
  async verify(url: string, acknowledged: number): Promise<Verified> {
    const [row] = await this.server.sql(
      `SELECT count(*)::integer AS stored, count(DISTINCT claim)::integer AS different FROM activity WHERE kind = ${kindCodes.event}`,
      new URL(url).pathname.slice(1),
    )
    const stored = Number(row?.["stored"])
    const distinct = Number(row?.["different"])
    return {
      acknowledged,
      stored,
      distinct,
      exactlyOnce: stored === acknowledged && distinct === acknowledged,
    }
  }

  remove(): Promise<void> {
    return this.server.remove()
  }
}
