import { mkdir, rename, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { Bucket } from "../../src/lake/Bucket.ts"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { eventsPerFile, killDuring, LakeServer } from "../../src/lake/LakeServer.ts"

const runs = Number(process.env["INLET_TEST_RUNS"] ?? 1)
const killsPerRun = 4

/** The files that a round completes before the server is killed, which is enough for some rounds to join files. */
const filesPerRound = 4

const law = async (directory: string, lake: object, seed: number): Promise<void> => {
  const draw = numbers(seed)
  const dataDir = join(freshDirectory(), "data")
  for (let kill = 0; kill < killsPerRun; kill++) {
    const server = await LakeServer.start({ dataDir }, lake)
    await killDuring(server, directory, 2 + draw(60), async () => {
      await server.set()
      for (let file = 0; file < filesPerRound; file++) {
        await server.addEvents()
        await server.set()
        await server.written()
      }
    })
  }
  const server = await LakeServer.start({ dataDir }, lake)
  await server.set()
  await server.addEvents()
  await server.set()
  await server.written()
  assert.deepStrictEqual(await server.faults(), [])
  await server.inlet.stop()
}

const away = async (lake: object, leave: () => Promise<void>, comeBack: () => Promise<void>) => {
  const server = await LakeServer.start({}, lake)
  await server.set()
  await server.addEvents()
  await server.set()
  const { rows } = await server.written()
  await leave()
  await server.addEvents()
  await server.set()
  const { lag } = await eventually("the lake says why it waits", async () => {
    const state = await server.state()
    return state.failure === null ? undefined : state
  })
  assert.strictEqual(lag, eventsPerFile)
  assert.isAbove(await server.metric("inlet_lake_failures_total"), 0)
  await eventually("the lag is measured", async () =>
    (await server.metric("inlet_lake_lag_entries")) === eventsPerFile &&
    (await server.metric("inlet_lake_lag_seconds")) > 0
      ? true
      : undefined,
  )
  await comeBack()
  await eventually("nothing fails", async () => ((await server.state()).failure === null ? true : undefined))
  await server.set()
  const back = await server.written()
  assert.strictEqual(back.rows, rows + eventsPerFile)
  assert.deepStrictEqual(await server.faults(), [])
  await server.inlet.stop()
}

describe("a server that is killed while it writes its lake continues without a fault", () => {
  const bucket = new Bucket()

  beforeAll(() => bucket.start())
  afterAll(() => bucket.stop())

  const seeds = Array.from({ length: runs }, (_, run) => run + 1)

  it.each(seeds)("in a folder, seed %i", async (seed) => {
    const folder = freshDirectory()
    await law(folder, { target: "folder", url: folder }, seed)
    const [counted] = await queryDuckDb(
      `SELECT count(*) >= ${eventsPerFile} AS enough FROM read_parquet('${folder}/lake/1/activity/*/*.parquet')`,
    )
    assert.strictEqual(counted?.["enough"], true)
  })

  it.each(seeds)("in a bucket, seed %i", async (seed) => {
    const lake = { ...bucket.settings, url: `s3://events/seed${seed}` }
    await law(bucket.directory, lake, seed)
  })
})

describe("a lake whose place is away waits, says why, and continues when it is back", () => {
  it("a folder that is replaced by a file", async () => {
    // A link and a file take each other's place in one step, so that the server has no time to make a folder in between.
    const folder = join(freshDirectory(), "lake")
    const [real, other] = [`${folder}.real`, `${folder}.other`]
    await mkdir(real)
    await symlink(real, folder)
    await away(
      { target: "folder", url: folder },
      async () => {
        await writeFile(other, "")
        await rename(other, folder)
      },
      async () => {
        await symlink(real, other)
        await rename(other, folder)
      },
    )
  })

  it("a bucket whose server is down", async () => {
    const bucket = new Bucket()
    await bucket.start()
    await away(
      bucket.settings,
      () => bucket.stop(),
      () => bucket.start(),
    )
    await bucket.stop()
  })
})
