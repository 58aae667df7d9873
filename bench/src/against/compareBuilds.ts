import {
  batchConnections,
  singleConnections,
  smallBatchConnections,
  type Bench,
  type Load,
  type Store,
} from "../Bench.ts"
import type { Measurement } from "../LoadJob.ts"
import type { PhaseName } from "../options.ts"
import { knownOf, knownPeople } from "../people.ts"
import { addLongLog, readersText, sendBesideReaders } from "../phases/readers.ts"
import { startOnEmpty } from "../postgresNodes.ts"
import { PostgresStore } from "../PostgresStore.ts"
import { median } from "../report.ts"
import type { Server } from "../Server.ts"
import { SlowDisk } from "../SlowDisk.ts"
import type { Comparison } from "./comparisonTable.ts"
import { OtherBuild } from "./OtherBuild.ts"

/** The connections of the second comparison of single events, and of the run at half of the maximum rate. */
const manyConnections = 256

/** A server of one of the two builds, with its own store. */
interface Side {
  readonly server: Server
  readonly store: Store
}

/** A load that both builds get in turns. */
interface Scene {
  readonly name: string
  readonly phase: PhaseName
  readonly load: (bench: Bench, rateOfSingles: number) => Load
  readonly syncDelayMs: number
}

const load = (
  bench: Bench,
  scenario: Load["scenario"],
  connections: number,
  warmUpSeconds: number,
): Load => ({
  scenario,
  people: knownOf(knownPeople),
  connections,
  extent: bench.timed(warmUpSeconds),
})

const halfRate = "single event at half of the rate of 64 connections"

const scenesOf = (bench: Bench): ReadonlyArray<Scene> => [
  ...[singleConnections, manyConnections].map((connections) => ({
    name: `single event, ${connections} connections`,
    phase: "single" as const,
    load: () => load(bench, "event", connections, 0.3),
    syncDelayMs: 0,
  })),
  {
    name: halfRate,
    phase: "single",
    load: (_, rate) => ({ ...load(bench, "event", manyConnections, 1), pace: rate / 2 }),
    syncDelayMs: 0,
  },
  ...bench.options.syncDelaysMs.map((syncDelayMs) => ({
    name: `single event, each sync ${syncDelayMs} ms longer`,
    phase: "slow-disk" as const,
    load: () => load(bench, "event", singleConnections, 0.3),
    syncDelayMs,
  })),
  {
    name: "v2 batch of 500 KB",
    phase: "batch",
    load: () => load(bench, "batch", batchConnections, 1.5),
    syncDelayMs: 0,
  },
  {
    name: "v2 batch of 500 KB, same names",
    phase: "batch",
    load: () => load(bench, "batchOfSameNames", batchConnections, 1.5),
    syncDelayMs: 0,
  },
  {
    name: "v2 batch of 500 KB, random ids",
    phase: "batch",
    load: () => load(bench, "batchOfRandomIds", batchConnections, 1.5),
    syncDelayMs: 0,
  },
  {
    name: "v2 batch of 500 KB, newcomers with email",
    phase: "batch",
    load: () => ({
      ...load(bench, "batchOfNewcomersWithEmail", batchConnections, 1.5),
      people: bench.newcomers(),
    }),
    syncDelayMs: 0,
  },
  {
    name: "Pipelines batch of 100 events",
    phase: "batch",
    load: () => load(bench, "pipelinesEvents", smallBatchConnections, 1.5),
    syncDelayMs: 0,
  },
  {
    name: "single Pipelines event of a browser, 64 connections",
    phase: "context",
    load: () => load(bench, "browserEvent", singleConnections, 0.3),
    syncDelayMs: 0,
  },
  ...(
    [
      ["Track v1 event of a client library", "trackOfClient"],
      ["Pipelines event of a client library", "pipelinesOfClient"],
      ["Pipelines event of a browser", "pipelinesOfBrowser"],
    ] as const
  ).map(([name, scenario]) => ({
    name,
    phase: "clients" as const,
    load: () => load(bench, scenario, singleConnections, 0.3),
    syncDelayMs: 0,
  })),
  {
    name: "Pipelines batch of 100 events of browsers",
    phase: "context",
    load: () => load(bench, "browserEvents", smallBatchConnections, 1.5),
    syncDelayMs: 0,
  },
  {
    name: "Pipelines batch of 100 events of apps",
    phase: "context",
    load: () => load(bench, "appEvents", smallBatchConnections, 1.5),
    syncDelayMs: 0,
  },
]

const postgresScenes = (bench: Bench): ReadonlyArray<Scene> => [
  {
    name: "PostgreSQL: single event, 64 connections",
    phase: "postgres",
    load: () => load(bench, "event", singleConnections, 0.3),
    syncDelayMs: 0,
  },
  {
    name: "PostgreSQL: v2 batch of 500 KB",
    phase: "postgres",
    load: () => load(bench, "batch", batchConnections, 1.5),
    syncDelayMs: 0,
  },
]

/**
 * Measures the server of this working tree and that of another commit in turns. Both run at the same time with stores
 * of their own, and only one of them has load at a time. Every second round begins with the other build.
 */
export const compareBuilds = async (
  bench: Bench,
  ref: string,
): Promise<{ readonly commit: string; readonly comparisons: ReadonlyArray<Comparison> }> => {
  console.error(`building ${ref} …`)
  const build = new OtherBuild(ref)
  try {
    const scenes = scenesOf(bench).filter(({ phase }) => bench.options.phases.has(phase))
    const comparisons = [
      ...(scenes.length > 0 ? await compareOnSqlite(bench, build.folder, scenes) : []),
      ...(bench.options.phases.has("readers") ? await compareReaders(bench, build.folder) : []),
      ...(bench.options.phases.has("postgres") ? await compareOnPostgres(bench, build.folder) : []),
    ]
    return { commit: build.commit, comparisons }
  } finally {
    build.remove()
  }
}

const compareOnSqlite = async (
  bench: Bench,
  folder: string,
  scenes: ReadonlyArray<Scene>,
): Promise<ReadonlyArray<Comparison>> => {
  const disk = scenes.some(({ syncDelayMs }) => syncDelayMs > 0) ? await slowDisk(bench) : undefined
  const environment = disk?.environment ?? {}
  const other = await start(bench, "other", { environment, folder })
  const own = await start(bench, "own", { environment })
  const comparisons: Array<Comparison> = []
  let rateOfSingles = 0
  for (const scene of scenes) {
    if (scene.syncDelayMs > 0 && disk === undefined) continue
    if (scene.name === halfRate && rateOfSingles === 0) continue
    console.error(`measuring ${scene.name} …`)
    disk?.setDelay(scene.syncDelayMs)
    const compared = await alternate(bench, scene, other, own, rateOfSingles)
    if (rateOfSingles === 0) rateOfSingles = median(compared.other.map((run) => run.unitsPerSecond))
    comparisons.push(compared)
  }
  disk?.setDelay(0)
  await bench.killAndVerify(other.server, other.store)
  await bench.killAndVerify(own.server, own.store)
  return comparisons
}

/** Measures single events and batches of both builds in turns, each on a database of its own on one PostgreSQL server. */
const compareOnPostgres = async (bench: Bench, folder: string): Promise<ReadonlyArray<Comparison>> => {
  const postgres = await PostgresStore.start()
  try {
    const other = await startOnEmpty(bench, "other-postgres", postgres, { folder })
    const own = await startOnEmpty(bench, "own-postgres", postgres)
    for (const side of [other, own]) await prepare(bench, side)
    const comparisons: Array<Comparison> = []
    for (const scene of postgresScenes(bench)) {
      console.error(`measuring ${scene.name} …`)
      comparisons.push(await alternate(bench, scene, other, own, 0))
    }
    for (const { server, store, url } of [other, own]) {
      await server.kill()
      bench.verified.push(await postgres.verify(url, store.acknowledged))
    }
    return comparisons
  } finally {
    await postgres.remove()
  }
}

/** Measures single events of both builds in turns while readers scan a long log. */
const compareReaders = async (bench: Bench, folder: string): Promise<ReadonlyArray<Comparison>> => {
  const sides = {
    other: await startEmpty(bench, "other", { folder }),
    own: await startEmpty(bench, "own", {}),
  }
  for (const { server, store } of Object.values(sides)) await addLongLog(bench, server, store)
  const name = `single event beside ${readersText}`
  console.error(`measuring ${name} …`)
  const runs = { other: new Array<Measurement>(), own: new Array<Measurement>() }
  const received = { other: new Array<number>(), own: new Array<number>() }
  for (let round = 0; round < bench.options.rounds; round++) {
    for (const side of round % 2 === 0 ? (["other", "own"] as const) : (["own", "other"] as const)) {
      const { server, store } = sides[side]
      const { measured, megabytes } = await sendBesideReaders(bench, server, store)
      runs[side].push(measured)
      received[side].push(megabytes)
    }
  }
  const [before, now] = [median(received.other), median(received.own)]
  console.error(`megabytes sent to readers: ${before.toFixed(1)} before, ${now.toFixed(1)} now`)
  for (const { server, store } of Object.values(sides)) await bench.killAndVerify(server, store)
  return [{ name, ...runs }]
}

const slowDisk = async (bench: Bench): Promise<SlowDisk | undefined> => {
  const built = await SlowDisk.build(bench.path("slow-disk"))
  if (built.kind === "built") return built.disk
  console.error(`skipped the slow disk: ${built.reason}`)
  return undefined
}

const start = async (
  bench: Bench,
  name: string,
  options: Parameters<Bench["startInlet"]>[1],
): Promise<Side> => {
  const side = await startEmpty(bench, name, options)
  await prepare(bench, side)
  return side
}

const startEmpty = async (
  bench: Bench,
  name: string,
  options: Parameters<Bench["startInlet"]>[1],
): Promise<Side> => {
  const store = bench.newStore(name)
  return { server: await bench.startInlet(store, options), store }
}

/** Adds people, and warms the server up with both kinds of load. */
const prepare = async (bench: Bench, { server, store }: Side): Promise<void> => {
  await bench.addPeople(server, store, knownPeople)
  for (const warmUp of [
    load(bench, "event", singleConnections, 0),
    load(bench, "batch", batchConnections, 0),
  ]) {
    await bench.load(server, store, { ...warmUp, extent: { kind: "time", warmUpMs: 0, measuredMs: 2500 } })
  }
}

const alternate = async (
  bench: Bench,
  scene: Scene,
  other: Side,
  own: Side,
  rateOfSingles: number,
): Promise<Comparison> => {
  const runs = { other: new Array<Measurement>(), own: new Array<Measurement>() }
  const measure = async (side: "other" | "own", { server, store }: Side) =>
    runs[side].push(await bench.load(server, store, scene.load(bench, rateOfSingles)))
  for (let round = 0; round < bench.options.rounds; round++) {
    if (round % 2 === 0) await measure("other", other)
    await measure("own", own)
    if (round % 2 === 1) await measure("other", other)
  }
  return { name: scene.name, ...runs }
}
