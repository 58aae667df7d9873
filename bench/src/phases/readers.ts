import { get } from "node:http"
import { batchConnections, singleConnections, type Bench, type Store } from "../Bench.ts"
import { managementToken } from "../credentials.ts"
import type { LoadResult } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { median, ofPairs, rowOf, whole } from "../report.ts"
import { scenarios } from "../scenarios.ts"
import type { Server } from "../Server.ts"

/** Entries that are read, each of another name, so that no index of names narrows a search down. */
const entries = 1_000_000

const streams = 20
const searches = 20
const rounds = 3

const keptMin = 0.5
const othersMaxMs = 100

/** Matches nothing, and tries every name to its end. */
const worstSearch = encodeURIComponent(`${"*1".repeat(300)}*x`)

/** Single events with and without readers that go through the whole log, in turns. */
export const measureReaders = async (bench: Bench): Promise<void> => {
  const store = bench.newStore("readers")
  const inlet = await bench.startInlet(store)
  await bench.addPeople(inlet, store, knownPeople)
  await bench.load(inlet, store, {
    scenario: "eventsOfManyNames",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: { kind: "count", requests: Math.ceil(entries / scenarios.eventsOfManyNames.units) },
  })
  await send(bench, inlet, store)
  inlet.takePeak()
  const alone: Array<LoadResult> = []
  const beside: Array<LoadResult> = []
  const pagesRead: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    alone.push(await send(bench, inlet, store))
    const readers = new Readers(inlet.port)
    beside.push(await send(bench, inlet, store))
    pagesRead.push(readers.close())
  }
  const kept = ofPairs(beside, alone, (run) => run.unitsPerSecond)
  const p99Ms = median(beside.map((run) => run.p99Ms))
  const readersText = `${streams} streams and ${searches} searches of ${whole(entries)} entries`
  bench.rows.push(
    rowOf("Inlet, single event on a long log", "req", alone),
    rowOf(`Inlet, single event beside ${readersText}`, "req", beside, {
      ratios: { alone: kept },
      rssMegabytes: inlet.takePeak(),
      target: {
        text: `>= ${keptMin} of alone, p99 < ${othersMaxMs} ms`,
        met: kept >= keptMin && p99Ms < othersMaxMs,
      },
    }),
  )
  console.error(`megabytes that readers took in each round: ${pagesRead.map((n) => n.toFixed(1)).join(", ")}`)
  await bench.killAndVerify(inlet, store)
}

const send = (bench: Bench, inlet: Server, store: Store): Promise<LoadResult> =>
  bench.load(inlet, store, {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: singleConnections,
    extent: bench.timed(1),
  })

/** Streams and searches that start anew when they end. */
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

  /** Hangs up; returns how many megabytes were read. */
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
      if (answer.statusCode !== 200) console.error(`a reader was answered ${answer.statusCode}`)
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
