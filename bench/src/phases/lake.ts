import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { batchConnections, singleConnections, type Bench, type Store } from "../Bench.ts"
import { callManagement } from "../callManagement.ts"
import { queryLake } from "../lakeQueries.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { cpuSecondsOf, mainThreadCpuSecondsOf } from "../proc.ts"
import { medianRatio, plainRow, rowOf, whole } from "../report.ts"
import { scenarios } from "../scenarios.ts"
import type { Server } from "../Server.ts"

const rowsPerSecondMin = 50_000
const addedMegabytesMax = 40
const blockedMsMax = 10
const shareMin = 0.95

/** The number of small files that are written to be joined, and the entries of each. */
const smallFiles = 10
const smallFileRequests = 4

/**
 * Writes the log of a workspace into a lake, joins small files, kills the server, checks every file, and asks the questions of
 * an analyst with DuckDB. Then measures single events on a server that writes a lake, in turns with one that does not.
 */
export const measureLake = async (bench: Bench): Promise<void> => {
  const { entries } = bench.options
  const store = bench.newStore("lake")
  const folder = bench.path("lake-files")
  let inlet = await bench.startInlet(store)
  await bench.addPeople(inlet, store, knownPeople)
  await addEvents(bench, inlet, store, Math.ceil(entries / scenarios.eventsOfTenNames.units))
  await measureWriting(bench, inlet, new Lake(inlet, folder))
  await joinSmallFiles(bench, inlet, store, new Lake(inlet, folder))
  await inlet.kill()
  inlet = await bench.startInlet(store)
  const lake = new Lake(inlet, folder)
  await lake.until(({ lag }) => lag === 0)
  await lake.verify(bench)
  bench.rows.push(...(await queryLake(await lake.statements())))
  await measureShare(bench, inlet, store, lake)
  await bench.killAndVerify(inlet, store)
}

const addEvents = (bench: Bench, inlet: Server, store: Store, requests: number): Promise<Measurement> =>
  bench.load(inlet, store, {
    scenario: "eventsOfTenNames",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: { kind: "count", requests },
  })

/** Measures how fast the entries that wait in the log are written, and what that costs the server. */
const measureWriting = async (bench: Bench, inlet: Server, lake: Lake): Promise<void> => {
  await sleep(settleMs)
  inlet.takePeak()
  await sleep(settleMs)
  const idleMegabytes = inlet.takePeak()
  inlet.measureBlocked()
  const before = { all: cpuSecondsOf(inlet.pid), main: mainThreadCpuSecondsOf(inlet.pid) }
  await lake.start(7)
  const { rows, seconds } = await lake.written()
  const all = cpuSecondsOf(inlet.pid) - before.all
  const main = mainThreadCpuSecondsOf(inlet.pid) - before.main
  const blocked = await inlet.takeBlocked()
  const rssMegabytes = inlet.takePeak()
  const perSecond = rows / seconds
  const { bytes, rows: committed } = await lake.until((state) => state.rows > 0)
  const added = rssMegabytes - idleMegabytes
  bench.rows.push(
    plainRow(`Inlet, lake: ${whole(rows)} entries that wait`, {
      unit: "rows",
      rate: perSecond,
      cpuMicros: (all / rows) * 1e6,
      rssMegabytes,
      ...blocked,
      target: {
        text: `>= ${whole(rowsPerSecondMin)}/s, blocked <= ${blockedMsMax} ms`,
        met: perSecond >= rowsPerSecondMin && blocked.blockedMs <= blockedMsMax,
      },
    }),
    plainRow(`lake: memory above ${idleMegabytes.toFixed(0)} MB of the idle server`, {
      rssMegabytes: added,
      target: { text: `<= ${addedMegabytesMax} MB`, met: added <= addedMegabytesMax },
    }),
  )
  console.error(
    `lake: ${(bytes / committed).toFixed(1)} bytes a row, ${((main / rows) * 1e6).toFixed(1)} µs of the main thread a row`,
  )
}

/** The time, in milliseconds, after which a server has ended the work that its load left. */
const settleMs = 2000

/** Writes many small files, each of which ends when the settings change, and waits until they are joined. */
const joinSmallFiles = async (bench: Bench, inlet: Server, store: Store, lake: Lake): Promise<void> => {
  await lake.start(6)
  await lake.until(({ lag }) => lag === 0)
  let most = 0
  const from = performance.now()
  for (let file = 0; file < smallFiles; file++) {
    await addEvents(bench, inlet, store, smallFileRequests)
    await lake.start(file % 2 === 0 ? 7 : 6)
    const { files } = await lake.until(({ lag }) => lag === 0)
    most = Math.max(most, files)
  }
  const { files } = await lake.until((state) => state.files < most)
  const seconds = (performance.now() - from) / 1000
  console.error(`lake: ${most} files became ${files}, ${seconds.toFixed(1)} s after the first small one`)
}

const measureShare = async (bench: Bench, writing: Server, store: Store, lake: Lake): Promise<void> => {
  const plainStore = bench.newStore("no-lake")
  const plain = await bench.startInlet(plainStore)
  await bench.addPeople(plain, plainStore, knownPeople)
  const alone: Array<Measurement> = []
  const beside: Array<Measurement> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    alone.push(await send(bench, plain, plainStore))
    beside.push(await send(bench, writing, store))
    // What the lake writes later must not slow the other server down.
    await lake.settled()
  }
  const share = medianRatio(beside, alone, (run) => run.unitsPerSecond)
  const byCpu = medianRatio(alone, beside, (run) => run.mainThreadMicrosPerUnit)
  bench.rows.push(
    rowOf("Inlet, single event without a lake", "req", alone),
    rowOf("Inlet, single event beside its lake", "req", beside, {
      ratios: { alone: share, "alone by CPU": byCpu },
      target: { text: `>= ${shareMin} of alone`, met: share >= shareMin },
    }),
  )
  await bench.killAndVerify(plain, plainStore)
}

const send = (bench: Bench, inlet: Server, store: Store): Promise<Measurement> =>
  bench.load(inlet, store, {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: singleConnections,
    extent: bench.timed(1),
  })

/** The time, in milliseconds, between two reads of the state of the lake. */
const lookMs = 20

/** A lake that writes no rows for this many milliseconds has none left. */
const quietMs = 500

interface LakeState {
  /** Every position up to this one is in a file, or null if none is. */
  readonly to: number | null
  /** The entries after `to`. */
  readonly lag: number
  readonly files: number
  readonly rows: number
  readonly bytes: number
}

/** The lake of workspace 1 in a folder. */
class Lake {
  private readonly server: Server
  private readonly folder: string

  constructor(server: Server, folder: string) {
    this.server = server
    this.folder = folder
  }

  /** Starts the lake. Other settings than before end its open file at once. */
  async start(erasureDays: number): Promise<void> {
    const lake = { target: "folder", url: this.folder, erasure_days: erasureDays }
    await callManagement(this.server, "PATCH", "", { lake })
  }

  async state(): Promise<LakeState> {
    return JSON.parse(await callManagement(this.server, "GET", "/lake"))
  }

  async until(holds: (state: LakeState) => boolean): Promise<LakeState> {
    for (;;) {
      const state = await this.state()
      if (holds(state)) return state
      await sleep(lookMs)
    }
  }

  /** Waits until the whole log is in files or in the open one. Returns the number of rows, and how long they took. */
  async written(): Promise<{ readonly rows: number; readonly seconds: number }> {
    const from = performance.now()
    const { lag, to } = await this.state()
    for (;;) {
      const rows = await this.rowsWritten()
      if (rows >= lag + (to ?? 0)) return { rows, seconds: (performance.now() - from) / 1000 }
      await sleep(lookMs)
    }
  }

  /** Waits until no more rows are written. */
  async settled(): Promise<void> {
    for (let before = -1, rows = 0; rows !== before; await sleep(quietMs)) {
      before = rows
      rows = await this.rowsWritten()
    }
  }

  private async rowsWritten(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.server.port}/metrics`)
    const line = /^inlet_lake_rows_total (\d+)/m.exec(await answer.text())
    return Number(line?.[1] ?? 0)
  }

  /** Has the server check every file, and compares the folder with the files that it names. */
  async verify(bench: Bench): Promise<void> {
    let after: string | null = null
    let faults = 0
    let rows = 0
    do {
      const query: string = after === null ? "" : `?after=${encodeURIComponent(after)}`
      const page: { faults: ReadonlyArray<object>; rows: number; next: string | null } = JSON.parse(
        await callManagement(this.server, "POST", `/lake/verify${query}`),
      )
      faults += page.faults.length
      rows += page.rows
      after = page.next
    } while (after !== null)
    bench.rows.push(
      plainRow(`lake: ${whole(rows)} rows read again, ${this.megabytes()} MB in the folder`, {
        target: { text: "no faults", met: faults === 0 },
      }),
    )
  }

  async statements(): Promise<string> {
    const answer: { readonly statements: string } = JSON.parse(
      await callManagement(this.server, "GET", "/lake/sql?engine=duckdb"),
    )
    return answer.statements
  }

  private megabytes(): string {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    )
    const bytes = files.reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)
    return whole(bytes / 1e6)
  }
}
