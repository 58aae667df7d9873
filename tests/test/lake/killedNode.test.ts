import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { activityInDuckDb, readManifest } from "../../src/lake/readLake.ts"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import { eventsPerFile, killDuring, LakeServer } from "../../src/lake/LakeServer.ts"

const runs = Number(process.env["INLET_TEST_RUNS"] ?? 1)
const killsPerRun = 2

/** The files that a round asks for while the writing node is killed. */
const filesPerRound = 2

describe("when the node that writes the lake is killed, another one goes on without a fault", () => {
  let database: PostgresServer

  beforeAll(async () => {
    database = await PostgresServer.start()
  })
  afterAll(() => database.remove())

  it.each(Array.from({ length: runs }, (_, run) => run + 1))("on PostgreSQL, seed %i", async (seed) => {
    const draw = numbers(seed)
    const folder = freshDirectory()
    const env = { INLET_STORE: database.url(await database.createDatabase()), INLET_SECRET: "s".repeat(32) }
    const start = () => LakeServer.start({ env }, { target: "folder", url: folder })
    let nodes: readonly [LakeServer, LakeServer] = [await start(), await start()]
    await nodes[0].set()
    await nodes[0].addEvents()
    for (let kill = 0; kill < killsPerRun; kill++) {
      const [writer, other] = await eventually("a node writes", async () => {
        const [one, two] = nodes
        if ((await one.state()).writing) return [one, two] as const
        return (await two.state()).writing ? ([two, one] as const) : undefined
      })
      await killDuring(writer, folder, 2 + draw(12), async () => {
        for (let file = 0; file < filesPerRound; file++) {
          await other.addEvents()
          await other.set()
          await other.written()
        }
      })
      nodes = [other, await start()]
    }
    const [one, two] = nodes
    await one.addEvents()
    await one.set()
    await one.written()
    assert.deepStrictEqual(await one.faults(), [])
    const { length } = await activityInDuckDb(folder, await readManifest(folder))
    assert.isAtLeast(length, (1 + killsPerRun) * eventsPerFile)
    await Promise.all([one.inlet.stop(), two.inlet.stop()])
  })
})
