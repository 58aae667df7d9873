import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { singleConnections, type Bench, type Load } from "../Bench.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf } from "../people.ts"
import { median, medianRatio, plainRow, rowOf, whole } from "../report.ts"
import { verify } from "../verify.ts"

const commandLine = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url))
const commandMaxMs = 120_000

const shareMin = 0.8

/**
 * Measures single events with and without a running `inlet backup`, in alternating rounds. Then restores the last
 * backup, which must have every event that was acknowledged before the backup began.
 */
export const measureBackup = async (bench: Bench): Promise<void> => {
  const { people, rounds } = bench.options
  const store = bench.newStore("backup")
  const inlet = await bench.startInlet(store)
  await bench.addPeople(inlet, store, people)
  const load: Load = {
    scenario: "event",
    people: knownOf(people),
    connections: singleConnections,
    extent: bench.timed(1),
  }
  const send = () => bench.load(inlet, store, load)
  const file = bench.path("inlet.backup")
  const alone: Array<Measurement> = []
  const beside: Array<Measurement> = []
  const seconds: Array<number> = []
  let acknowledged = 0
  for (let round = 0; round < rounds; round++) {
    alone.push(await send())
    acknowledged = store.acknowledged
    const stopping = new AbortController()
    const backups = repeat(stopping.signal, () => run("backup", file, "--data-dir", store.directory))
    beside.push(await send())
    stopping.abort()
    seconds.push(...(await backups))
  }
  const share = medianRatio(beside, alone, (run) => run.unitsPerSecond)
  const restored = bench.newStore("restored")
  await run("restore", file, "--data-dir", restored.directory)
  const { distinct, stored } = verify(restored.directory, acknowledged)
  bench.removeStore(restored)
  bench.rows.push(
    rowOf(`Inlet, single event on ${whole(people)} people`, "req", alone),
    rowOf("Inlet, single event beside inlet backup", "req", beside, {
      ratios: { alone: share },
      target: { text: `>= ${shareMin} of alone`, met: share >= shareMin },
    }),
    plainRow(`inlet backup, ${seconds.length} times`, { p50Ms: median(seconds) * 1000 }),
    plainRow(`restored backup: ${whole(stored)} events`, {
      target: {
        text: `>= ${whole(acknowledged)}, each once`,
        met: distinct === stored && stored >= acknowledged,
      },
    }),
  )
  await bench.killAndVerify(inlet, store)
}

const run = async (...args: ReadonlyArray<string>): Promise<void> => {
  await promisify(execFile)(process.execPath, [commandLine, ...args], { timeout: commandMaxMs })
}

/** Runs a task once, and again until a signal is aborted. Returns the seconds that each run took. */
const repeat = async (signal: AbortSignal, task: () => Promise<void>): Promise<ReadonlyArray<number>> => {
  const seconds: Array<number> = []
  do {
    const from = performance.now()
    await task()
    seconds.push((performance.now() - from) / 1000)
  } while (!signal.aborted)
  return seconds
}
