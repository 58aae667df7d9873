import { setTimeout as pause } from "node:timers/promises"
import type { Cluster } from "./Cluster.ts"

export interface Fault {
  readonly name: string
  /** Causes the fault, and returns after it has passed. */
  readonly cause: (cluster: Cluster, random: () => number) => Promise<unknown>
}

const indexOf = (cluster: Cluster, random: () => number): number => Math.floor(random() * cluster.size)

/** Cuts the connections of one node when it next sends COMMIT. Does nothing if no COMMIT is sent within a second. */
const cutAtCommit = (moment: "before" | "after" | "silent"): Fault => ({
  name: `a connection is cut at COMMIT (${moment})`,
  cause: async (cluster, random) => {
    const cut = cluster.proxies[indexOf(cluster, random)]?.cut("COMMIT", moment)
    await Promise.race([cut, pause(1000)])
  },
})

const restart = (name: string, stop: (cluster: Cluster) => Promise<void>): Fault => ({
  name,
  cause: async (cluster, random) => {
    await stop(cluster)
    await pause(random() * 500)
    await cluster.server.resume()
  },
})

/**
 * Lets three database sessions compete for a lock with the nodes. Each session takes the lock three times, and
 * sometimes holds it for longer than a node waits for a lock.
 */
const lockStorm = (name: string, lock: string): Fault => ({
  name,
  cause: (cluster, random) =>
    Promise.all(
      Array.from({ length: 3 }, async () => {
        for (let n = 0; n < 3; n++) {
          await cluster.sql("BEGIN", lock, `SELECT pg_sleep(${random() * 0.4})`, "ROLLBACK")
        }
      }),
    ),
})

/** Freezes a node for up to 4 seconds. The node may hold locks of the database while it is frozen. */
const freeze: Fault = {
  name: "a node freezes",
  cause: async (cluster, random) => {
    const node = cluster.node(indexOf(cluster, random))
    node?.process.child.kill("SIGSTOP")
    await pause(random() * 4000)
    node?.process.child.kill("SIGCONT")
  },
}

export const faults: ReadonlyArray<Fault> = [
  {
    name: "the connections of a node are cut",
    cause: async (cluster, random) => {
      const proxy = cluster.proxies[indexOf(cluster, random)]
      for (let n = 0; n < 3; n++) {
        proxy?.cutAll()
        await pause(random() * 200)
      }
    },
  },
  cutAtCommit("before"),
  cutAtCommit("after"),
  cutAtCommit("silent"),
  {
    name: "half of the backends are terminated",
    cause: async (cluster, random) => {
      for (let n = 0; n < 3; n++) {
        await cluster.sql(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5`,
        )
        await pause(random() * 300)
      }
    },
  },
  restart("PostgreSQL restarts", ({ server }) => server.stop("fast")),
  restart("PostgreSQL is ended without a checkpoint", ({ server }) => server.stop("immediate")),
  restart("PostgreSQL is killed", ({ server }) => server.kill()),
  lockStorm("others lock the heads of workspaces", "SELECT * FROM heads ORDER BY workspace FOR UPDATE"),
  lockStorm("others lock the log", "LOCK TABLE activity IN ACCESS EXCLUSIVE MODE"),
  freeze,
]
