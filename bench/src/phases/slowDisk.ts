import { singleConnections, type Bench, type Load } from "../Bench.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { medianRatio, rowOf, type Target } from "../report.ts"
import { SlowDisk } from "../SlowDisk.ts"

/**
 * The targets for single events. The keys are sync delays in milliseconds. With each delay, the rate must be at least
 * the given share of the rate without a delay.
 */
const shareMinByDelay: ReadonlyMap<number, number> = new Map([
  [2, 0.7],
  [5, 0.45],
])

/** Measures single events on one server. Each round measures once without a sync delay and once with each delay. */
export const measureSlowDisk = async (bench: Bench): Promise<void> => {
  const built = await SlowDisk.build(bench.path("slow-disk"))
  if (built.kind === "unavailable") {
    console.error(`skipped the slow disk: ${built.reason}`)
    return
  }
  const { disk } = built
  const store = bench.newStore("slow-disk-store")
  const inlet = await bench.startInlet(store, { environment: disk.environment })
  await bench.addPeople(inlet, store, knownPeople)
  const load: Load = {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: singleConnections,
    extent: bench.timed(0.3),
  }
  await bench.load(inlet, store, { ...load, extent: { kind: "time", warmUpMs: 0, measuredMs: 2500 } })
  const alone: Array<Measurement> = []
  const delayed = bench.options.syncDelaysMs.map((delayMs) => ({ delayMs, runs: new Array<Measurement>() }))
  for (let round = 0; round < bench.options.rounds; round++) {
    for (const { delayMs, runs } of [{ delayMs: 0, runs: alone }, ...delayed]) {
      disk.setDelay(delayMs)
      runs.push(await bench.load(inlet, store, load))
    }
  }
  bench.rows.push(rowOf("Inlet, single event, no sync delay", "req", alone))
  for (const { delayMs, runs } of delayed) {
    const share = medianRatio(runs, alone, (run) => run.unitsPerSecond)
    bench.rows.push(
      rowOf(`Inlet, single event, each sync ${delayMs} ms longer`, "req", runs, {
        ratios: { "itself without": share },
        target: targetOf(delayMs, share),
      }),
    )
  }
  await bench.killAndVerify(inlet, store)
}

const targetOf = (delayMs: number, share: number): Target | null => {
  const shareMin = shareMinByDelay.get(delayMs)
  return shareMin === undefined ? null : { text: `>= ${shareMin} of itself without`, met: share >= shareMin }
}
