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

/** Measures Pipelines calls with the contexts of browsers and apps, in alternation with calls without one. */
export const measureContexts = async (bench: Bench): Promise<void> => {
  const store = bench.newStore("context")
  const inlet = await bench.startInlet(store)
  await bench.addPeople(inlet, store, knownPeople)
  for (const [without, ...others] of scenes) {
    const runs = await alternate(bench, inlet, store, [without, ...others])
    const base = runs.get(without) ?? []
    for (const scene of [without, ...others]) {
      const own = runs.get(scene) ?? []
      bench.rows.push(
        rowOf(scene.name, scenarios[scene.scenario].unit, own, {
          ...(scene !== without && {
            ratios: { "without context": medianRatio(own, base, (run) => run.unitsPerSecond) },
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
