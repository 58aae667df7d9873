import { setTimeout as sleep } from "node:timers/promises"
import { batchConnections, singleConnections, type Bench, type Store } from "./Bench.ts"
import { callManagement } from "./callManagement.ts"
import type { Measurement } from "./LoadJob.ts"
import { knownOf, knownPeople } from "./people.ts"
import { medianRatio, plainRow, rowOf } from "./report.ts"
import { scenarios } from "./scenarios.ts"
import type { Server } from "./Server.ts"

const shareMin = 0.95

/** The number of events that wait when a destination is turned on. */
const waitingEvents = 10_000

/** The time, in milliseconds, between two reads of the number of deliveries. */
const lookMs = 20

interface Kind {
  /** The path of its resource in the management API, which also ends the name of its id. */
  readonly path: "webhooks" | "forwards"
  /** The counter of what it delivered. */
  readonly counter: string
}

/** A webhook or a forward of workspace 1 that sends every log entry. */
export class Destination {
  private readonly server: Server
  private readonly kind: Kind
  private readonly id: string

  private constructor(server: Server, kind: Kind, id: string) {
    this.server = server
    this.kind = kind
    this.id = id
  }

  /** Creates a destination that is turned off. */
  static async create(server: Server, kind: Kind, settings: object): Promise<Destination> {
    const body = { name: "bench", ...settings, enabled: false }
    const created: Readonly<Record<string, string>> = JSON.parse(
      await callManagement(server, "POST", `/${kind.path}`, body),
    )
    return new Destination(server, kind, created[`${kind.path.slice(0, -1)}_id`] ?? "")
  }

  async enable(enabled: boolean): Promise<void> {
    await callManagement(this.server, "PATCH", `/${this.kind.path}/${this.id}`, { enabled })
  }

  /** Returns the number of events that the server has delivered since its start. */
  async delivered(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.server.port}/metrics`)
    const start = `${this.kind.counter}{status="delivered"} `
    const line = (await answer.text()).split("\n").find((one) => one.startsWith(start))
    return Number(line?.slice(start.length) ?? 0)
  }

  /** Waits until this many events are delivered. Returns the rate, measured from the first delivery seen. */
  async rateUntil(total: number): Promise<number> {
    let first: { readonly at: number; readonly count: number } | undefined
    for (;;) {
      const count = await this.delivered()
      const at = performance.now()
      if (count > 0) first ??= { at, count }
      if (first !== undefined && count >= total) return ((count - first.count) / (at - first.at)) * 1000
      await sleep(lookMs)
    }
  }
}

/** Measures how fast a destination sends events that wait when it is turned on. `perSecondMin` is the target. */
export const measureWaiting = async (
  bench: Bench,
  inlet: Server,
  store: Store,
  destination: Destination,
  row: { readonly title: string; readonly unit: string; readonly perSecondMin: number },
): Promise<void> => {
  await bench.load(inlet, store, {
    scenario: "eventsOfManyNames",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: { kind: "count", requests: Math.ceil(waitingEvents / scenarios.eventsOfManyNames.units) },
  })
  await destination.enable(true)
  const perSecond = await destination.rateUntil(waitingEvents)
  bench.rows.push(
    plainRow(row.title, {
      unit: row.unit,
      rate: perSecond,
      target: { text: `>= ${row.perSecondMin}/s`, met: perSecond >= row.perSecondMin },
    }),
  )
}

/**
 * Measures how fast the server accepts single events. Each round measures once while the destination is off, and once while it
 * sends every log entry. `name` is a webhook or a forward.
 */
export const measureShare = async (
  bench: Bench,
  inlet: Server,
  store: Store,
  destination: Destination,
  name: string,
): Promise<void> => {
  const alone: Array<Measurement> = []
  const beside: Array<Measurement> = []
  const delivered: Array<number> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    await destination.enable(false)
    alone.push(await send(bench, inlet, store))
    await destination.enable(true)
    const before = await destination.delivered()
    const from = performance.now()
    beside.push(await send(bench, inlet, store))
    delivered.push(((await destination.delivered()) - before) / ((performance.now() - from) / 1000))
  }
  const share = medianRatio(beside, alone, (run) => run.unitsPerSecond)
  bench.rows.push(
    rowOf(`Inlet, single event, the ${name} is off`, "req", alone),
    rowOf(`Inlet, single event, a ${name} on every entry`, "req", beside, {
      ratios: { alone: share },
      target: { text: `>= ${shareMin} of alone`, met: share >= shareMin },
    }),
  )
  console.error(`deliveries a second beside ingestion: ${delivered.map((n) => n.toFixed(0)).join(", ")}`)
}

const send = (bench: Bench, inlet: Server, store: Store): Promise<Measurement> =>
  bench.load(inlet, store, {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: singleConnections,
    extent: bench.timed(1),
  })
