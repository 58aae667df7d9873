import { singleConnections, type Bench, type Load, type Store } from "../Bench.ts"
import { knownOf, knownPeople } from "../people.ts"
import type { Measurement } from "../LoadJob.ts"
import { median, medianRatio, plainRow, rowOf } from "../report.ts"
import type { Server } from "../Server.ts"
import { shareOfRaw, type RawRates } from "./raw.ts"

/** Number of connections in the paced run, enough that a late answer delays no other request. */
const pacedConnections = 256

const latencyMaxMs = 50
const startMaxMs = 2000

/**
 * Measures one event per request: Inlet and the bare server in alternating rounds, then Inlet at half its maximum rate.
 */
export const measureSingle = async (bench: Bench, raw: RawRates): Promise<void> => {
  const store = bench.newStore("single")
  const bare = await bench.startBare()
  const inlet = await bench.startInlet(store)
  bench.rows.push(startRow("start to the first accepted operation, empty store", inlet))
  await bench.addPeople(inlet, store, knownPeople)

  const { bareRuns, inletRuns, lastBareRun, randomRun } = await alternate(bench, bare, inlet, store)
  const rate = median(inletRuns.map((run) => run.unitsPerSecond))
  const ratio = medianRatio(inletRuns, bareRuns, (run) => run.unitsPerSecond)
  bench.rows.push(
    rowOf("bare node:http, single event", "req", bareRuns),
    rowOf("Inlet, single event", "req", inletRuns, {
      ratios: {
        bare: ratio,
        "bare by CPU": medianRatio(bareRuns, inletRuns, (run) => run.cpuMicrosPerUnit),
        ...shareOfRaw(raw, 100, rate),
      },
    }),
    rowOf("Inlet, single event, random id", "req", [randomRun], {
      ratios: { bare: randomRun.unitsPerSecond / lastBareRun.unitsPerSecond },
    }),
  )
  await bare.kill()
  await measurePaced(bench, inlet, store, rate / 2)
  await bench.killAndVerify(inlet, store)
}

export const startRow = (name: string, server: Server) =>
  plainRow(name, {
    p50Ms: server.startedMs,
    target: { text: `< ${startMaxMs} ms`, met: server.startedMs < startMaxMs },
  })

const alternate = async (bench: Bench, bare: Server, inlet: Server, store: Store) => {
  const load: Load = {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: singleConnections,
    extent: bench.timed(0.3),
  }
  const warmUp: Load = { ...load, extent: { kind: "time", warmUpMs: 0, measuredMs: 2500 } }
  await bench.load(bare, null, warmUp)
  await bench.load(inlet, store, warmUp)
  const bareRuns: Array<Measurement> = []
  const inletRuns: Array<Measurement> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    bareRuns.push(await bench.load(bare, null, load))
    inletRuns.push(await bench.load(inlet, store, load))
  }
  // Measured last: checkpoints of the pages that these runs write would slow down the others.
  const randomRun = await bench.load(inlet, store, { ...load, scenario: "eventOfRandomId" })
  const lastBareRun = await bench.load(bare, null, load)
  return { bareRuns, inletRuns, randomRun, lastBareRun }
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
    rowOf("Inlet, single event at half of that rate", "req", [run], {
      target: { text: `p99 < ${latencyMaxMs} ms`, met: run.p99Ms < latencyMaxMs },
    }),
  )
}
