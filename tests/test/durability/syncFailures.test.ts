import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { FailingDisk } from "../../src/FailingDisk.ts"
import { testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import {
  expectAllOrNothing,
  expectEverythingOnce,
  expectPeopleWhole,
  manyWriters,
} from "../../src/manyWriters.ts"

const outages = 8

/** An outage begins after at most this many requests, about ten of each writer. */
const requestsBeforeMax = 150

/**
 * The largest number of consecutive syncs (`fsync` or `fdatasync` calls) that one simulated outage makes fail. The syncs
 * of a server that reopens its database count too.
 */
const failuresMax = 12

const writers = manyWriters()

/**
 * Runs all writers. After a random number of acknowledged requests, makes one or more consecutive syncs fail. Ends when
 * the server has refused a request of each writer, or when all these syncs have failed.
 */
const writeIntoOutage = async (inlet: Inlet, disk: FailingDisk, random: () => number): Promise<void> => {
  const target = Math.floor(random() * requestsBeforeMax)
  const count = random() < 0.5 ? 1 : 1 + Math.floor(random() * failuresMax)
  let acknowledged = 0
  let hasBegun = false
  const onAcknowledged = () => {
    acknowledged += 1
    if (acknowledged <= target || hasBegun) return
    hasBegun = true
    disk.fail(count, random() < 0.5 ? "EIO" : "ENOSPC")
  }
  const isOver = () => hasBegun && disk.left === 0
  await Promise.all(writers.map((writer) => writer.write(inlet, isOver, onAcknowledged)))
  expect(hasBegun).toBe(true)
}

const recovered = (inlet: Inlet, disk: FailingDisk) =>
  eventually("the server is ready after all failures", async () =>
    disk.left === 0 && (await inlet.readiness()) === 200 ? true : undefined,
  )

describe("a server whose syncs fail", () => {
  it(`contract §4 outage: a server with failing syncs loses no acknowledged request, applies no request in part, and recovers, even if it is killed (INLET_TEST_SEED=${seed})`, async ({
    skip,
  }) => {
    const disk = FailingDisk.build()
    if (disk === undefined) return skip("making syncs fail requires Linux and a C compiler")
    onTestFinished(() => disk.close())
    const random = fractions(seed)
    const dataDir = join(freshDirectory(), "data")
    const start = () => Inlet.start({ dataDir, env: disk.environment })
    let inlet = await start()
    let hasLogged = false
    for (let outage = 0; outage < outages; outage++) {
      await writeIntoOutage(inlet, disk, random)
      const isKilled = random() < 0.4
      if (!isKilled) {
        await recovered(inlet, disk)
        expect(inlet.process.exited).toBeUndefined()
      }
      hasLogged ||= inlet.process.lines().some((line) => line.includes("a sync of the database failed"))
      if (isKilled || random() < 0.3) {
        await inlet.kill()
        disk.fail(0)
        inlet = await start()
      }
      const management = new Management(inlet)
      for (const writer of writers) await expectAllOrNothing(management, writer)
    }
    expect(hasLogged).toBe(true)
    for (const writer of writers) await writer.retryUnacknowledged(inlet)
    const management = new Management(inlet)
    for (const { acknowledged } of writers) expect(acknowledged).toBeGreaterThan(0)
    await expectEverythingOnce(management, writers)
    await expectPeopleWhole(management, writers)
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  })
})
