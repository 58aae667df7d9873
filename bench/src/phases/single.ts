import { singleConnections, type Bench, type Load, type Store } from "../Bench.ts"
import { knownOf, knownPeople } from "../people.ts"
import type { Measurement } from "../LoadJob.ts"
import { median, medianRatio, plainRow, rowOf } from "../report.ts"
import type { Server } from "../Server.ts"
import { shareOfRaw, type RawRates } from "./raw.ts"

/** The number of connections in the second comparison of Inlet with the bare server, which only parses bodies. */
const manyConnections = 256

/**
 * The number of connections in the run at a fixed rate. With so many connections, a late answer does not delay other
 * requests.
 */
const pacedConnections = 256

/** The target for the rate of Inlet: at least this share of the bare server's rate. */
const shareOfBareMin = 0.45

/**
 * The goal for the rate of Inlet, as a share of the bare server's rate. The result table shows the goal but does not
 * check it. Only the target `shareOfBareMin` is checked.
 */
const shareOfBareGoal = 0.55

/** The target for the run at a fixed rate: a p99 latency of at most this many milliseconds. */
const latencyMaxMs = 20

/**
 * The target for the time from the start of a server to its first accepted operation. A longer time misses the target.
 */
const startMaxMs = 2000

/**
 * Measures requests with one event each. First Inlet and the bare server run in alternating rounds. Then Inlet receives
 * requests at half the rate that Inlet reached in these rounds.
 */
export const measureSingle = async (bench: Bench, raw: RawRates): Promise<void> => {
  const store = bench.newStore("single")
  const bare = await bench.startBare()
  const inlet = await bench.startInlet(store)
  bench.rows.push(startRow("start to the first accepted operation, empty store", inlet))
  await bench.addPeople(inlet, store, knownPeople)

  await warmUp(bench, bare, inlet, store)
  const few = await alternate(bench, bare, inlet, store, singleConnections)
  const rate = median(few.inletRuns.map((run) => run.unitsPerSecond))
  const many = await alternate(bench, bare, inlet, store, manyConnections)
  // Random ids change many database pages, and checkpoints that write these pages slow down other runs. Therefore this
  // run comes after the comparisons.
  const load = loadOf(bench, singleConnections)
  const randomRun = await bench.load(inlet, store, { ...load, scenario: "eventOfRandomId" })
  const lastBareRun = await bench.load(bare, null, load)
  const shares = sharesOfBare(few)
  bench.rows.push(
    rowOf("bare node:http, single event", "req", few.bareRuns, { isBaseline: true }),
    rowOf("Inlet, single event", "req", few.inletRuns, {
      ratios: { ...shares, ...shareOfRaw(raw, 100, rate) },
      target: {
        text: `>= ${shareOfBareMin} of bare (goal ${shareOfBareGoal})`,
        met: shares.bare >= shareOfBareMin,
      },
    }),
    rowOf(`bare node:http, single event, ${manyConnections} connections`, "req", many.bareRuns, {
      isBaseline: true,
    }),
    rowOf(`Inlet, single event, ${manyConnections} connections`, "req", many.inletRuns, {
      ratios: sharesOfBare(many),
    }),
    rowOf("Inlet, single event, random id", "req", [randomRun], {
      ratios: { bare: randomRun.unitsPerSecond / lastBareRun.unitsPerSecond },
    }),
  )
  await bare.kill()
  await measurePaced(bench, inlet, store, rate / 2)
  await bench.killAndVerify(inlet, store)
}

interface Comparison {
  readonly bareRuns: ReadonlyArray<Measurement>
  readonly inletRuns: ReadonlyArray<Measurement>
}

const sharesOfBare = ({ bareRuns, inletRuns }: Comparison) => ({
  bare: medianRatio(inletRuns, bareRuns, (run) => run.unitsPerSecond),
  "bare by CPU": medianRatio(bareRuns, inletRuns, (run) => run.cpuMicrosPerUnit),
})

export const startRow = (name: string, server: Server) =>
  plainRow(name, {
    p50Ms: server.startedMs,
    target: { text: `< ${startMaxMs} ms`, met: server.startedMs < startMaxMs },
  })

const loadOf = (bench: Bench, connections: number): Load => ({
  scenario: "event",
  people: knownOf(knownPeople),
  connections,
  extent: bench.timed(0.3),
})

const warmUp = async (bench: Bench, bare: Server, inlet: Server, store: Store): Promise<void> => {
  const load: Load = {
    ...loadOf(bench, singleConnections),
    extent: { kind: "time", warmUpMs: 0, measuredMs: 2500 },
  }
  await bench.load(bare, null, load)
  await bench.load(inlet, store, load)
}

/** Measures the bare server and Inlet in alternating rounds. */
const alternate = async (bench: Bench, bare: Server, inlet: Server, store: Store, connections: number) => {
  const load = loadOf(bench, connections)
  const bareRuns: Array<Measurement> = []
  const inletRuns: Array<Measurement> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    bareRuns.push(await bench.load(bare, null, load))
    inletRuns.push(await bench.load(inlet, store, load))
  }
  return { bareRuns, inletRuns }
}

const measurePaced = async (bench: Bench, inlet: Server, store: Store, pace: number): Promise<void> => {
  const run = await bench.load(inlet, store, {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: pacedConnections,
    pace,
    extent: bench.timed(1),
  })
  bench.rows.push(
    rowOf(`Inlet, single event at half of the rate of ${singleConnections} connections`, "req", [run], {
      target: { text: `p99 <= ${latencyMaxMs} ms`, met: run.p99Ms <= latencyMaxMs },
    }),
  )
}
