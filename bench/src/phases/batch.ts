import { batchConnections, smallBatchConnections, type Bench, type Store } from "../Bench.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { medianRatio, rowOf, whole } from "../report.ts"
import { scenarios, type ScenarioName } from "../scenarios.ts"
import type { Server } from "../Server.ts"
import { shareOfRaw, type RawRates } from "./raw.ts"

/** The target for batches of half a megabyte: at least this many entities per second. */
const entitiesPerSecondMin = 75_000

/** The target for Pipelines batches: at least this share of the rate of Track v2 batches. */
const pipelinesShareMin = 0.8
const rounds = 2

/** The target for small Pipelines batches: at least this many events per second. */
const eventsPerSecondMin = 95_000

const runs: ReadonlyArray<{
  readonly name: string
  readonly scenario: ScenarioName
  readonly newcomers: boolean
}> = [
  { name: "over 10,000 people", scenario: "batch", newcomers: false },
  { name: "over 10,000 people, same names", scenario: "batchOfSameNames", newcomers: false },
  { name: "over newcomers", scenario: "batchOfNewcomers", newcomers: true },
  { name: "over newcomers with email", scenario: "batchOfNewcomersWithEmail", newcomers: true },
]

/**
 * Measures batches of half a megabyte, in which half of the items are identifies and half events. A few connections
 * each send one batch at a time.
 */
export const measureBatches = async (bench: Bench, raw: RawRates): Promise<void> => {
  const store = bench.newStore("batch")
  const inlet = await bench.startInlet(store)
  await bench.addPeople(inlet, store, knownPeople)
  const measured = (scenario: ScenarioName, newcomers = false) =>
    bench.load(inlet, store, {
      scenario,
      people: newcomers ? bench.newcomers() : knownOf(knownPeople),
      connections: batchConnections,
      extent: bench.timed(1.5),
    })
  for (const { name, newcomers, scenario } of runs) {
    const run = await measured(scenario, newcomers)
    const rate = run.unitsPerSecond
    bench.rows.push(
      rowOf(`Inlet, v2 batch ${name}`, "entities", [run], {
        ratios: shareOfRaw(raw, 1000, rate),
        target: { text: `>= ${whole(entitiesPerSecondMin)}/s`, met: rate >= entitiesPerSecondMin },
      }),
    )
  }
  const random = await measured("batchOfRandomIds")
  bench.rows.push(rowOf("Inlet, v2 batch over 10,000 people, random ids", "entities", [random]))
  const pipelines: Array<Measurement> = []
  const same: Array<Measurement> = []
  for (let round = 0; round < rounds; round++) {
    same.push(await measured("batch"))
    pipelines.push(await measured("pipelinesBatch"))
  }
  const share = medianRatio(pipelines, same, (run) => run.unitsPerSecond)
  bench.rows.push(
    rowOf("Inlet, Pipelines batch over 10,000 people", "entities", pipelines, {
      ratios: { "v2 batch": share },
      target: { text: `>= ${pipelinesShareMin} of v2 batch`, met: share >= pipelinesShareMin },
    }),
  )
  await measureSmallBatches(bench, inlet, store)
  const mixed = await measured("mixed")
  bench.rows.push(rowOf("Inlet, v2 batch with objects, devices, relationships, merges", "entities", [mixed]))
  await bench.killAndVerify(inlet, store)
}

const measureSmallBatches = async (bench: Bench, inlet: Server, store: Store): Promise<void> => {
  const run = await bench.load(inlet, store, {
    scenario: "pipelinesEvents",
    people: knownOf(knownPeople),
    connections: smallBatchConnections,
    extent: bench.timed(1.5),
  })
  const { unit, units } = scenarios.pipelinesEvents
  bench.rows.push(
    rowOf(`Inlet, Pipelines batch of ${units} events, ${smallBatchConnections} connections`, unit, [run], {
      target: {
        text: `>= ${whole(eventsPerSecondMin)}/s`,
        met: run.unitsPerSecond >= eventsPerSecondMin,
      },
    }),
  )
}
