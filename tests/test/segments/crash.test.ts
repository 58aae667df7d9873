import { setTimeout as pause } from "node:timers/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { Inlet } from "../../src/Inlet.ts"
import { RuleTraffic } from "../../src/segments/RuleTraffic.ts"

const writers = 6

/** Waits for a moment of a round at which the server is to be killed. */
type Moment = (traffic: RuleTraffic, inlet: Inlet, random: () => number) => Promise<void>

const whileBuilding: Moment = (traffic, inlet) => traffic.edit(inlet)

const aroundTheSwap: Moment = async (traffic, inlet, random) => {
  await traffic.edit(inlet)
  await eventually(
    "the build ends soon",
    async () => ((await traffic.progress(inlet)) ?? 1) > 0.8 || undefined,
  )
  await pause(random() * 100)
}

const whileTimePasses: Moment = async (traffic, inlet) => {
  const sizeOfSeen = async () =>
    (await traffic.segments(inlet)).find(({ name }) => name === "seen")?.size ?? 0
  let largest = 0
  await eventually("time takes people out of a segment", async () => {
    const size = await sizeOfSeen()
    largest = Math.max(largest, size)
    return size < largest || undefined
  })
}

const moments: ReadonlyArray<Moment> = [whileBuilding, aroundTheSwap, whileTimePasses]

it(`a server killed while it builds rules, replaces them and follows time decides the same as one that runs on (INLET_TEST_SEED=${seed})`, async () => {
  const random = fractions(seed)
  const dataDir = join(freshDirectory(), "data")
  const traffic = new RuleTraffic(random)
  let inlet = await Inlet.start({ dataDir })
  await traffic.begin(inlet)
  for (let round = 0; round < 6; round++) {
    const running = inlet
    const isDead = () => running.process.exited !== undefined
    const written = Array.from({ length: writers }, (_, part) =>
      traffic.write(() => running, part, writers, isDead),
    )
    await moments[round % moments.length]?.(traffic, running, random)
    await running.kill()
    const failed = await Promise.all(written)
    inlet = await Inlet.start({ dataDir })
    for (const sent of failed) await traffic.repeat(inlet, sent)
  }
  await traffic.settled(inlet)
  await traffic.expectRight(inlet)
  expect(await inlet.stop()).toEqual({ code: 0, signal: null })
})
