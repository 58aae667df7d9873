import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, expect, it } from "vitest"
import { World } from "../../src/erasure/World.ts"
import { testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"

/** The steps of one script. Each of them may start another server. */
const steps = 40 * Number(process.env["INLET_TEST_RUNS"] ?? 1)

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await PostgresServer.start()
})
afterAll(() => postgres.remove())

it(`contract §16 erasure ledger: nothing shows an erased person again, whatever is merged, undone, restored, copied, replayed or killed (INLET_TEST_SEED=${seed})`, async () => {
  const random = fractions(seed)
  const world = await World.create(postgres)
  for (let step = 0; step < steps; step++) {
    const chosen = random()
    if (step < 4 || chosen < 0.22) await world.create()
    else if (chosen < 0.42) await world.merge(random)
    else if (chosen < 0.54) await world.unmerge(random)
    else if (chosen < 0.66) await world.erase(random)
    else if (chosen < 0.73) await world.backUp()
    else if (chosen < 0.8) await world.restore(random)
    else if (chosen < 0.84) await world.copy()
    else if (chosen < 0.88) await world.copyByPostgres()
    else if (chosen < 0.95) await world.replay(random)
    else await world.kill()
    const isLast = step === steps - 1
    if (isLast && world.erasedCount === 0) await world.erase(random)
    if (chosen >= 0.54 || isLast) await world.check()
  }
  expect(world.erasedCount).toBeGreaterThan(0)
  await world.stop()
})
