import { get } from "node:http"
import { batchConnections, singleConnections, type Bench, type Store } from "../Bench.ts"
import { managementToken } from "../credentials.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { median, medianRatio, rowOf, whole } from "../report.ts"
import { scenarios } from "../scenarios.ts"
import type { Server } from "../Server.ts"

/** The number of entries in the log. Each entry has a different name, so an index of names cannot narrow a search. */
const entries = 1_000_000

const streams = 20
const searches = 20
const rounds = 3

const shareMin = 0.5
const othersMaxMs = 100

/** A search pattern that matches no name. The server must read each name to its end before it can reject the name. */
const worstSearch = encodeURIComponent(`${"*1".repeat(300)}*x`)

/** Measures single events with and without readers that scan the whole log, in alternating rounds. */
export const measureReaders = async (bench: Bench): Promise<void> => {
  const store = bench.newStore("readers")
  const inlet = await bench.startInlet(store)
  await addLongLog(bench, inlet, store)
  const alone: Array<Measurement> = []
  const beside: Array<Measurement> = []
  const pagesRead: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    alone.push(await send(bench, inlet, store))
    const { megabytes, measured } = await sendBesideReaders(bench, inlet, store)
    beside.push(measured)
    pagesRead.push(megabytes)
  }
  const share = medianRatio(beside, alone, (run) => run.unitsPerSecond)
  const p99Ms = median(beside.map((run) => run.p99Ms))
  bench.rows.push(
    rowOf("Inlet, single event on a long log", "req", alone),
    rowOf(`Inlet, single event beside ${readersText}`, "req", beside, {
      ratios: { alone: share },
      target: {
        text: `>= ${shareMin} of alone, p99 < ${othersMaxMs} ms`,
        met: share >= shareMin && p99Ms < othersMaxMs,
      },
    }),
  )
  console.error(`megabytes sent to readers in each round: ${pagesRead.map((n) => n.toFixed(1)).join(", ")}`)
  await bench.killAndVerify(inlet, store)
}

/** What the readers of this phase do. */
export const readersText = `${streams} streams and ${searches} searches of ${whole(entries)} entries`

/** Adds people and a million events to a store. */
export const addLongLog = async (bench: Bench, inlet: Server, store: Store): Promise<void> => {
  await bench.addPeople(inlet, store, knownPeople)
  await bench.load(inlet, store, {
    scenario: "eventsOfManyNames",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: { kind: "count", requests: Math.ceil(entries / scenarios.eventsOfManyNames.units) },
  })
  await send(bench, inlet, store)
}

/** Measures single events while readers scan the whole log. Also returns how much the readers received. */
export const sendBesideReaders = async (
  bench: Bench,
  inlet: Server,
  store: Store,
): Promise<{ readonly measured: Measurement; readonly megabytes: number }> => {
  const readers = new Readers(inlet.port)
  const measured = await send(bench, inlet, store)
  return { measured, megabytes: readers.close() }
}

const send = (bench: Bench, inlet: Server, store: Store): Promise<Measurement> =>
  bench.load(inlet, store, {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: singleConnections,
    extent: bench.timed(1),
  })

/** Clients that stream or search the whole log. Each client starts again when its answer ends. */
class Readers {
  private isOpen = true
  private bytes = 0
  private readonly stopping = new AbortController()
  private readonly port: number

  constructor(port: number) {
    this.port = port
    for (let i = 0; i < streams; i++) {
      this.read(i % 2 === 0 ? "/stream" : `/stream?search=${worstSearch}`, { "last-event-id": "0" })
    }
    for (let i = 0; i < searches; i++) this.read(`?search=${worstSearch}`, {})
  }

  /** Closes all readers. Returns the number of megabytes that they received. */
  close(): number {
    this.isOpen = false
    this.stopping.abort()
    return this.bytes / 1e6
  }

  private read(path: string, headers: Readonly<Record<string, string>>): void {
    const options = {
      host: "127.0.0.1",
      port: this.port,
      path: `/management/v1/workspaces/1/activity${path}`,
      headers: { ...headers, authorization: `Bearer ${managementToken}` },
      agent: false,
      signal: this.stopping.signal,
    }
    const request = get(options, (answer) => {
      if (answer.statusCode !== 200) console.error(`a reader got status ${answer.statusCode}`)
      answer.on("data", (chunk: Buffer) => {
        this.bytes += chunk.length
      })
      answer.on("error", () => {})
      answer.once("close", () => {
        if (this.isOpen) this.read(path, headers)
      })
    })
    request.on("error", (error) => {
      if (this.isOpen) console.error(`a reader failed: ${error.message}`)
    })
  }
}
