import { watch } from "node:fs"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Schema } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { send } from "../../src/http.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { base64 } from "../../src/ingestion.ts"
import { Bucket } from "../../src/lake/Bucket.ts"
import { drawsFrom } from "../../src/lake/lakeCommands.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { Management, read } from "../../src/Management.ts"

const runs = Number(process.env["INLET_TEST_RUNS"] ?? 1)
const killsPerRun = 4

/** The files that a round completes before the server is killed, which is enough for some rounds to join files. */
const filesPerRound = 4
const eventsPerFile = 25

const State = Schema.Struct({
  lag: Schema.Finite,
  files: Schema.Finite,
  rows: Schema.Finite,
  failure: Schema.NullOr(Schema.String),
})
const Verification = Schema.Struct({
  files: Schema.Finite,
  faults: Schema.Array(Schema.Unknown),
  next: Schema.NullOr(Schema.String),
})

/** A server whose workspace 1 writes a lake. */
class LakeServer {
  readonly inlet: Inlet
  private readonly management: Management
  private readonly lake: object
  private ended = 0

  private constructor(inlet: Inlet, lake: object) {
    this.inlet = inlet
    this.management = new Management(inlet)
    this.lake = lake
  }

  static async start(dataDir: string, lake: object): Promise<LakeServer> {
    return new LakeServer(await Inlet.start({ dataDir }), lake)
  }

  /** Sets the lake. Other settings than before end its open file. */
  async set(): Promise<void> {
    const lake = { ...this.lake, erasure_days: 1 + (this.ended++ % 2) }
    const { status, text } = await this.management.call("PATCH", this.management.pathOf(""), { lake })
    if (status !== 200) throw new Error(text)
  }

  async addEvents(): Promise<void> {
    const batch = Array.from({ length: eventsPerFile }, (_, index) => ({
      type: "person",
      identifiers: { id: `p${index % 5}` },
      action: "event",
      name: "seen",
    }))
    const { status, text } = await send(this.inlet.url, {
      method: "POST",
      path: "/api/v2/batch",
      headers: { authorization: `Basic ${base64(`${credentials.siteId}:${credentials.apiKey}`)}` },
      body: JSON.stringify({ batch }),
    })
    if (status !== 200) throw new Error(text)
  }

  async state(): Promise<typeof State.Type> {
    const { json } = await this.management.call("GET", this.management.pathOf("/lake"))
    return read(State, json)
  }

  async written(): Promise<typeof State.Type> {
    return eventually("the lake has the whole log", async () => {
      const state = await this.state()
      return state.lag === 0 && state.rows > 0 ? state : undefined
    })
  }

  /** Returns what is wrong with the files. */
  async faults(): Promise<ReadonlyArray<unknown>> {
    const { json, status, text } = await this.management.call("POST", this.management.pathOf("/lake/verify"))
    if (status !== 200) throw new Error(text)
    const { faults, files, next } = read(Verification, json)
    assert.isAbove(files, 0)
    assert.isNull(next)
    return faults
  }

  async metric(name: string): Promise<number> {
    const { text } = await send(this.inlet.url, { method: "GET", path: "/metrics" })
    const line = text.split("\n").find((one) => one.startsWith(name) && !one.startsWith("#"))
    return Number(line?.split(" ").at(-1) ?? 0)
  }
}

/** Kills a server after some changes in a folder, or once all its work is done. */
const killDuring = async (
  server: LakeServer,
  directory: string,
  changes: number,
  work: () => Promise<unknown>,
): Promise<void> => {
  let left = changes
  const watcher = watch(directory, { recursive: true }, () => {
    if (--left === 0) server.inlet.process.signal("SIGKILL").catch(() => undefined)
  })
  // The calls in progress fail when the server is killed.
  await work().catch(() => undefined)
  watcher.close()
  await server.inlet.kill()
}

const law = async (directory: string, lake: object, seed: number): Promise<void> => {
  const draw = drawsFrom(seed)
  const dataDir = join(freshDirectory(), "data")
  for (let kill = 0; kill < killsPerRun; kill++) {
    const server = await LakeServer.start(dataDir, lake)
    await killDuring(server, directory, 2 + draw(60), async () => {
      await server.set()
      for (let file = 0; file < filesPerRound; file++) {
        await server.addEvents()
        await server.set()
        await server.written()
      }
    })
  }
  const server = await LakeServer.start(dataDir, lake)
  await server.set()
  await server.addEvents()
  await server.set()
  await server.written()
  assert.deepStrictEqual(await server.faults(), [])
  await server.inlet.stop()
}

const away = async (lake: object, leave: () => Promise<void>, comeBack: () => Promise<void>) => {
  const server = await LakeServer.start(join(freshDirectory(), "data"), lake)
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
    const folder = join(freshDirectory(), "lake")
    await mkdir(folder)
    await away(
      { target: "folder", url: folder },
      async () => {
        await rename(folder, `${folder}.away`)
        await writeFile(folder, "")
      },
      async () => {
        await rm(folder)
        await rename(`${folder}.away`, folder)
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
