import type { Bench, Store } from "./Bench.ts"
import type { PostgresStore } from "./PostgresStore.ts"
import type { Server, StartOptions } from "./Server.ts"

/** A node with a PostgreSQL database of its own. */
export interface OnlyNode {
  readonly server: Server
  readonly store: Store
  readonly url: string
}

/** Starts a node on the database at a URL. The data directory of the node has the name `name`. */
export const startNode = (
  bench: Bench,
  name: string,
  url: string,
  options: StartOptions = {},
): Promise<Server> =>
  bench.startInlet(bench.newStore(name), {
    ...options,
    environment: { INLET_STORE: url, INLET_SECRET: "bench".repeat(7) },
  })

/** Starts a node on an empty database. */
export const startOnEmpty = async (
  bench: Bench,
  name: string,
  postgres: PostgresStore,
  options: StartOptions = {},
): Promise<OnlyNode> => {
  const url = await postgres.database()
  const server = await startNode(bench, name, url, options)
  return { server, store: bench.newStore(`${name}-counted`, postgres.pid), url }
}
