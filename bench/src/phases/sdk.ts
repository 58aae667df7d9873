import { setTimeout as sleep } from "node:timers/promises"
import { batchConnections, type Bench, type Store } from "../Bench.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { median, plainRow, rowOf, whole } from "../report.ts"
import { runSdkProgram } from "../sdk/SdkProgram.ts"
import type { Server } from "../Server.ts"

const rounds = 3
const callsOfRound = 200_000

/** The target for the rate of the SDK: at least this share of the rate of Pipelines batches on four connections. */
const shareMin = 0.7

/** The number of events that one program sends while the server is killed twice. */
const events = 1_000_000
const kills = 2

/**
 * The target for the peak memory, in MB, of the program that sends a million events. A larger peak misses the target.
 */
const megabytesMax = 150

/**
 * The time in milliseconds from the start of the program, or from a restart of the server, to the next kill of the
 * server.
 */
const killAfterMs = 4000

/**
 * Measures the rate of a program that sends calls with the SDK, in alternation with Pipelines batches of the load
 * generator. Then measures the peak memory of a program that sends a million events while the server is killed and
 * restarted twice.
 */
export const measureSdk = async (bench: Bench): Promise<void> => {
  const store = bench.newStore("sdk")
  const inlet = await bench.startInlet(store)
  await bench.addPeople(inlet, store, knownPeople)
  const batches: Array<Measurement> = []
  const rates: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    batches.push(await sendBatches(bench, inlet, store))
    rates.push((await sendCalls(inlet, store)).callsPerSecond)
  }
  const share = median(rates.map((rate, round) => rate / (batches[round]?.unitsPerSecond ?? Number.NaN)))
  bench.rows.push(
    rowOf("Inlet, Pipelines batch over 10,000 people, before each round of the SDK", "entities", batches),
    plainRow("SDK, half identify and half event, one request at a time", {
      rate: median(rates),
      unit: "entities",
      ratios: { "Pipelines batch": share },
      target: { text: `>= ${shareMin} of Pipelines batch`, met: share >= shareMin },
    }),
  )
  await measureKills(bench, inlet, store)
}

const sendBatches = (bench: Bench, inlet: Server, store: Store): Promise<Measurement> =>
  bench.load(inlet, store, {
    scenario: "pipelinesBatch",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: bench.timed(1.5),
  })

const sendCalls = async (inlet: Server, store: Store) => {
  const result = await runSdkProgram(inlet, { calls: callsOfRound, identifies: true })
  store.acknowledged += callsOfRound / 2
  return result
}

/**
 * Sends the events with one program, while the server is killed. The peak memory also covers the start of the program.
 */
const measureKills = async (bench: Bench, first: Server, store: Store): Promise<void> => {
  const program = runSdkProgram(first, { calls: events, identifies: false })
  let inlet = first
  for (let kill = 0; kill < kills; kill++) {
    await Promise.race([sleep(killAfterMs), program])
    await inlet.kill()
    inlet = await bench.startInlet(store, { port: first.port })
  }
  const { peakMegabytes, stored } = await program
  store.acknowledged += stored
  bench.rows.push(
    plainRow(`SDK, ${whole(stored)} of ${whole(events)} events, the server killed ${kills} times`, {
      rssMegabytes: peakMegabytes,
      target: {
        text: `all, <= ${megabytesMax} MB`,
        met: stored === events && peakMegabytes <= megabytesMax,
      },
    }),
  )
  await bench.killAndVerify(inlet, store)
}
