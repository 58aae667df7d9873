import { batchConnections, singleConnections, type Bench, type Store } from "../Bench.ts"
import { knownOf, knownPeople } from "../people.ts"
import type { Measurement, People } from "../LoadJob.ts"
import { medianRatio, rowOf, whole, type Row } from "../report.ts"
import type { Server } from "../Server.ts"
import { startRow } from "./single.ts"

const rounds = 3

/** The target for single events on a store with many people: at least this share of the rate on an empty store. */
const singleShareMin = 0.7

/** The target for batches on a store with many people: at least this share of the rate on an empty store. */
const batchShareMin = 0.8

export interface Figures {
  readonly single: Array<Measurement>
  readonly batch: Array<Measurement>
  /** Batches in which nobody gets another name. */
  readonly sameNames: Array<Measurement>
}

/** Sends the same requests to an empty store and to a store with many people, in alternating rounds. */
export const measureHistory = async (bench: Bench): Promise<void> => {
  const { people } = bench.options
  const full = await preload(bench, people)
  const onEmpty: Figures = { single: [], batch: [], sameNames: [] }
  const onFull: Figures = { single: [], batch: [], sameNames: [] }
  for (let round = 0; round < rounds; round++) {
    const empty = bench.newStore("empty")
    const fresh = await bench.startInlet(empty)
    await bench.addPeople(fresh, empty, knownPeople)
    await measureLoads(bench, fresh, empty, knownOf(knownPeople), onEmpty)
    await fresh.kill()
    bench.removeStore(empty)

    const filled = await bench.startInlet(full)
    if (round === 0)
      bench.rows.push(startRow(`start to the first accepted operation, ${whole(people)} people`, filled))
    await measureLoads(bench, filled, full, knownOf(people), onFull)
    if (round === rounds - 1) await measureAllPeople(bench, filled, full)
    await filled.stop()
  }
  const name = `on ${whole(people)} people`
  bench.rows.push(
    compared(`Inlet, single event ${name}`, "req", onFull.single, onEmpty.single, singleShareMin),
    compared(`Inlet, v2 batch ${name}`, "entities", onFull.batch, onEmpty.batch, batchShareMin),
    compared(
      `Inlet, v2 batch ${name}, same names`,
      "entities",
      onFull.sameNames,
      onEmpty.sameNames,
      batchShareMin,
    ),
  )
  bench.removeStore(full)
}

const preload = async (bench: Bench, people: number): Promise<Store> => {
  const store = bench.newStore("full")
  const inlet = await bench.startInlet(store)
  const run = await bench.addPeople(inlet, store, people)
  bench.rows.push(rowOf(`Inlet, v2 batch adding ${whole(people)} people`, "entities", [run]))
  await inlet.stop()
  return store
}

/** Measures single events and batches about the given people, and adds the measurements to the lists in `into`. */
export const measureLoads = async (
  bench: Bench,
  server: Server,
  store: Store,
  people: People,
  into: Figures,
): Promise<void> => {
  into.single.push(
    await bench.load(server, store, {
      scenario: "event",
      people,
      connections: singleConnections,
      extent: bench.timed(2),
    }),
  )
  for (const [scenario, runs] of [
    ["batch", into.batch],
    ["batchOfSameNames", into.sameNames],
  ] as const) {
    runs.push(
      await bench.load(server, store, {
        scenario,
        people,
        connections: batchConnections,
        extent: bench.timed(1.5),
      }),
    )
  }
}

/** Measures batches about people from the whole store. The store contains more people than the caches can hold. */
const measureAllPeople = async (bench: Bench, server: Server, store: Store): Promise<void> => {
  const { people } = bench.options
  const run = await bench.load(server, store, {
    scenario: "batch",
    people: { kind: "any", first: 0, count: people, stride: 1 },
    connections: batchConnections,
    extent: bench.timed(1),
  })
  bench.rows.push(rowOf(`Inlet, v2 batch over all of ${whole(people)} people`, "entities", [run]))
}

/**
 * Builds a row of the result table for a store with many people (`full`). The ratios of the row compare this store with
 * an empty store (`empty`) that was measured in the same rounds.
 */
export const compared = (
  name: string,
  unit: string,
  full: ReadonlyArray<Measurement>,
  empty: ReadonlyArray<Measurement>,
  shareMin: number,
): Row => {
  const share = medianRatio(full, empty, (run) => run.unitsPerSecond)
  const shareByCpu = medianRatio(empty, full, (run) => run.cpuMicrosPerUnit)
  return rowOf(name, unit, full, {
    ratios: { empty: share, "empty by CPU": shareByCpu },
    target: { text: `>= ${shareMin} of an empty store`, met: share >= shareMin },
  })
}
