import { readFileSync } from "node:fs"
import { join } from "node:path"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { kindCodes } from "@inlethq/storage/columns/codes"
import type { Verified } from "./verify.ts"

/** Every commit waits for a real sync, as in production. */
const settings = { fsync: "on", shared_buffers: "1GB", max_wal_size: "4GB" }

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

  /** The process id of the postmaster, which is the parent of all other processes of the PostgreSQL server. */
  get pid(): number {
    const [first = ""] = readFileSync(join(this.server.directory, "postmaster.pid"), "utf8").split("\n")
    return Number(first)
  }

  /** Vacuums and analyzes a database, as autovacuum does some time after a large load. */
  async vacuum(url: string): Promise<void> {
    await this.server.sql("VACUUM (ANALYZE)", nameOf(url))
  }

  /** Counts the events in a database and their distinct ids. */
  async verify(url: string, acknowledged: number): Promise<Verified> {
    const [row] = await this.server.sql(
      `SELECT count(*)::integer AS stored, count(DISTINCT claim)::integer AS different FROM activity WHERE kind = ${kindCodes.event}`,
      nameOf(url),
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

const nameOf = (url: string): string => new URL(url).pathname.slice(1)
