import { join } from "node:path"
import { setTimeout as moment } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { launch } from "../../src/Launched.ts"
import { Management } from "../../src/Management.ts"
import {
  expectAllOrNothing,
  expectEverythingOnce,
  expectPeopleWhole,
  manyWriters,
} from "../../src/manyWriters.ts"

const rounds = 8

/**
 * In each round, the server is killed after fewer acknowledged requests than this. With 250, the kill comes after
 * about 125 acknowledged requests on average, which are about nine requests for each of the 14 writers.
 */
const requestsPerRoundMax = 250

const writers = manyWriters()

/**
 * Starts the server. Beforehand, with a probability of one in four, starts a server and kills it within 600 ms,
 * possibly several times in a row.
 */
const restart = async (dataDir: string, random: () => number): Promise<Inlet> => {
  while (random() < 0.25) {
    const process = launch(variablesFor(dataDir))
    await Promise.race([moment(random() * 600), process.listening()])
    await process.signal("SIGKILL")
  }
  return Inlet.start({ dataDir })
}

/**
 * Runs all writers. Kills the server after a random number of acknowledged requests and a random delay of at most 20
 * ms.
 */
const writeUntilKilled = async (inlet: Inlet, random: () => number): Promise<void> => {
  const target = Math.floor(random() * requestsPerRoundMax)
  let acknowledged = 0
  let stopped = false
  const kill = async () => {
    stopped = true
    await moment(random() * 20)
    await inlet.kill()
  }
  let killed: Promise<void> | undefined
  const count = () => {
    acknowledged += 1
    if (acknowledged >= target) killed ??= kill()
  }
  const isDead = () => stopped && inlet.process.exited !== undefined
  await Promise.all(writers.map((writer) => writer.write(inlet, isDead, count)))
  await (killed ?? kill())
}

describe("a server killed with SIGKILL", () => {
  it(`contract §4 one commit: a server killed at random moments loses no acknowledged request and applies each request completely and once (INLET_TEST_SEED=${seed})`, async () => {
    const random = fractions(seed)
    const dataDir = join(freshDirectory(), "data")
    for (let round = 0; round < rounds; round++) {
      const inlet = await restart(dataDir, random)
      const management = new Management(inlet)
      for (const writer of writers) await expectAllOrNothing(management, writer)
      await writeUntilKilled(inlet, random)
    }
    const inlet = await restart(dataDir, random)
    const management = new Management(inlet)
    for (const writer of writers) {
      await expectAllOrNothing(management, writer)
      await writer.retryUnacknowledged(inlet)
    }
    for (const { acknowledged } of writers) expect(acknowledged).toBeGreaterThan(0)
    await expectEverythingOnce(management, writers)
    await expectPeopleWhole(management, writers)
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  })
})
