import { singleConnections, smallBatchConnections, type Bench, type Store } from "../Bench.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { medianRatio, rowOf } from "../report.ts"
import { scenarios, type ScenarioName } from "../scenarios.ts"
import type { Server } from "../Server.ts"

interface Scene {
  readonly name: string
  readonly scenario: ScenarioName
  readonly connections: number
}

/** Loads whose calls say where they came from, each after the same load without a context. */
const scenes: ReadonlyArray<readonly [without: Scene, ...ReadonlyArray<Scene>]> = [
  [
    {
      name: "Inlet, single Pipelines event without a context",
      scenario: "pipelinesEvent",
      connections: singleConnections,
    },
    {
      name: "Inlet, single Pipelines event of a browser",
      scenario: "browserEvent",
      connections: singleConnections,
    },
  ],
  [
    {
      name: "Inlet, Pipelines batch of 100 events without a context",
      scenario: "pipelinesEvents",
      connections: smallBatchConnections,
    },
    {
      name: "Inlet, Pipelines batch of 100 events of browsers",
      scenario: "browserEvents",
      connections: smallBatchConnections,
    },
    {
      name: "Inlet, Pipelines batch of 100 events of apps",
      scenario: "appEvents",
      connections: smallBatchConnections,
    },
  ],
]

/** Single events as client libraries send them to both APIs, in turns, with ids in random order. */
const clientScenes: readonly [Scene, ...ReadonlyArray<Scene>] = [
  {
    name: "Inlet, Track v1 event of a client library",
    scenario: "trackOfClient",
    connections: singleConnections,
  },
  {
    name: "Inlet, Pipelines event of a client library",
    scenario: "pipelinesOfClient",
    connections: singleConnections,
  },
  {
    name: "Inlet, Pipelines event of a browser",
    scenario: "pipelinesOfBrowser",
    connections: singleConnections,
  },
]

/** Measures single events as client libraries send them. */
export const measureClients = (bench: Bench): Promise<void> =>
  measureScenes(bench, "clients", "Track v1", [clientScenes])

/** Measures Pipelines calls with the contexts of browsers and apps, in alternation with calls without one. */
export const measureContexts = (bench: Bench): Promise<void> =>
  measureScenes(bench, "context", "without context", scenes)

/** Measures the scenes of each group in turns. The rows of the others have their rates as shares of the first one's. */
const measureScenes = async (
  bench: Bench,
  storeName: string,
  baseName: string,
  groups: ReadonlyArray<readonly [base: Scene, ...ReadonlyArray<Scene>]>,
): Promise<void> => {
  const store = bench.newStore(storeName)
  const inlet = await bench.startInlet(store)
  await bench.addPeople(inlet, store, knownPeople)
  for (const group of groups) {
    const runs = await alternate(bench, inlet, store, group)
    const base = runs.get(group[0]) ?? []
    for (const scene of group) {
      const own = runs.get(scene) ?? []
      bench.rows.push(
        rowOf(scene.name, scenarios[scene.scenario].unit, own, {
          ...(scene !== group[0] && {
            ratios: { [baseName]: medianRatio(own, base, (run) => run.unitsPerSecond) },
          }),
        }),
      )
    }
  }
  await bench.killAndVerify(inlet, store)
}

const alternate = async (
  bench: Bench,
  inlet: Server,
  store: Store,
  all: ReadonlyArray<Scene>,
): Promise<ReadonlyMap<Scene, ReadonlyArray<Measurement>>> => {
  const runs = new Map(all.map((scene) => [scene, new Array<Measurement>()]))
  for (let round = 0; round < bench.options.rounds; round++) {
    for (const [scene, measured] of runs) {
      measured.push(
        await bench.load(inlet, store, {
          scenario: scene.scenario,
          people: knownOf(knownPeople),
          connections: scene.connections,
          extent: bench.timed(0.3),
        }),
      )
    }
  }
  return runs
}
