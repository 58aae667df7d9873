import { singleConnections, type Bench, type Store } from "../Bench.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { startNode } from "../postgresNodes.ts"
import { PostgresStore } from "../PostgresStore.ts"
import { medianRatio, rowOf } from "../report.ts"
import { scenarios, type ScenarioName } from "../scenarios.ts"
import type { Server } from "../Server.ts"
import { addWorkspaces } from "../workspaces.ts"

const rounds = 3
const nodes = 3
const workspaces = 8
const warmUpSeconds = 1

/** The target for three nodes on one workspace: at least this share of the rate of one node. */
const shareMin = 1

/**
 * The number of connections that send batches. Every node and every workspace gets at least two of these connections.
 */
const batchConnections = 2 * workspaces

interface Load {
  readonly scenario: ScenarioName
  readonly connections: number
  readonly authorizations: ReadonlyArray<string>
}

/**
 * Sends the same requests to one node and to three nodes on the same database, in alternating rounds. Measures once
 * with one workspace and once with eight workspaces. The other nodes keep running while one node is measured.
 */
export const measurePostgresNodes = async (bench: Bench): Promise<void> => {
  const postgres = await PostgresStore.start()
  try {
    await measureOn(bench, postgres)
  } finally {
    await postgres.remove()
  }
}

const measureOn = async (bench: Bench, postgres: PostgresStore): Promise<void> => {
  const url = await postgres.database()
  const store = bench.newStore("postgres-nodes", postgres.pid)
  const servers: Array<Server> = []
  while (servers.length < nodes) servers.push(await startNode(bench, `node-${servers.length + 1}`, url))
  const [first] = servers
  if (first === undefined) throw new Error("no node was started")
  const all = await addWorkspaces(first, workspaces)
  for (const authorization of all) await addPeople(bench, first, store, authorization)
  for (const authorizations of [all.slice(0, 1), all]) {
    const single: Load = { scenario: "event", connections: singleConnections, authorizations }
    await measureBoth(bench, servers, store, single)
    await measureBoth(bench, servers, store, { ...single, scenario: "batch", connections: batchConnections })
  }
  for (const server of servers) await server.kill()
  bench.verified.push(await postgres.verify(url, store.acknowledged))
}

const addPeople = (bench: Bench, server: Server, store: Store, authorization: string): Promise<Measurement> =>
  bench.load(server, store, {
    scenario: "people",
    people: { kind: "each", first: 0 },
    connections: 2,
    extent: { kind: "count", requests: Math.ceil(knownPeople / scenarios.people.units) },
    authorizations: [authorization],
  })

/**
 * Measures one node and all nodes in alternation. Adds one table row for the one node, and one table row for all nodes.
 */
const measureBoth = async (
  bench: Bench,
  servers: ReadonlyArray<Server>,
  store: Store,
  load: Load,
): Promise<void> => {
  const measured = (measuredServers: ReadonlyArray<Server>) =>
    bench.loadNodes(measuredServers, store, {
      ...load,
      people: knownOf(knownPeople),
      extent: bench.timed(warmUpSeconds),
    })
  const one: Array<Measurement> = []
  const three: Array<Measurement> = []
  for (let round = 0; round < rounds; round++) {
    one.push(await measured(servers.slice(0, 1)))
    three.push(await measured(servers))
  }
  const count = load.authorizations.length
  const { unit } = scenarios[load.scenario]
  const name = `${load.scenario === "event" ? "single event" : "v2 batch"}, ${count === 1 ? "1 workspace" : `${count} workspaces`}`
  const share = medianRatio(three, one, (run) => run.unitsPerSecond)
  bench.rows.push(
    rowOf(`Inlet on PostgreSQL, 1 node, ${name}`, unit, one),
    rowOf(`Inlet on PostgreSQL, ${nodes} nodes, ${name}`, unit, three, {
      ratios: { "1 node": share },
      ...(count === 1 ? { target: { text: `>= ${shareMin} of 1 node`, met: share >= shareMin } } : {}),
    }),
  )
}
