import { setTimeout as sleep } from "node:timers/promises"
import { batchConnections, singleConnections, type Bench, type Store } from "../Bench.ts"
import { callManagement } from "../callManagement.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { medianRatio, plainRow, rowOf } from "../report.ts"
import { scenarios } from "../scenarios.ts"
import type { Server } from "../Server.ts"

/** The number of events that wait when the webhook is turned on. The benchmark measures how fast they are delivered. */
const waitingEvents = 10_000

const deliveriesMin = 2000
const shareMin = 0.95

/**
 * Measures how fast a webhook with the ordering `none` delivers events to a receiver on this machine. Then measures how
 * fast the server accepts single events. Each round measures once while the webhook is off, and once while the webhook
 * sends every log entry. The receiver is the minimal Node server that other phases use as the baseline.
 */
export const measureWebhooks = async (bench: Bench): Promise<void> => {
  const store = bench.newStore("webhooks")
  const receiver = await bench.startBare()
  const inlet = await bench.startInlet(store, { environment: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
  await bench.addPeople(inlet, store, knownPeople)
  const webhook = await Webhook.create(inlet, `http://127.0.0.1:${receiver.port}/hook`)
  await bench.load(inlet, store, {
    scenario: "eventsOfManyNames",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: { kind: "count", requests: Math.ceil(waitingEvents / scenarios.eventsOfManyNames.units) },
  })
  await webhook.enable(true)
  const perSecond = await webhook.rateUntil(waitingEvents)
  bench.rows.push(
    plainRow("Inlet, webhook without ordering, events that wait", {
      unit: "deliveries",
      rate: perSecond,
      target: { text: `>= ${deliveriesMin}/s`, met: perSecond >= deliveriesMin },
    }),
  )
  await measureShare(bench, inlet, store, webhook)
  await bench.killAndVerify(inlet, store)
  await receiver.kill()
}

const measureShare = async (bench: Bench, inlet: Server, store: Store, webhook: Webhook): Promise<void> => {
  const alone: Array<Measurement> = []
  const beside: Array<Measurement> = []
  const delivered: Array<number> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    await webhook.enable(false)
    alone.push(await send(bench, inlet, store))
    await webhook.enable(true)
    const before = await webhook.delivered()
    const from = performance.now()
    beside.push(await send(bench, inlet, store))
    delivered.push(((await webhook.delivered()) - before) / ((performance.now() - from) / 1000))
  }
  const share = medianRatio(beside, alone, (run) => run.unitsPerSecond)
  bench.rows.push(
    rowOf("Inlet, single event, the webhook is off", "req", alone),
    rowOf("Inlet, single event, a webhook on every entry", "req", beside, {
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

/** The time, in milliseconds, between two reads of the number of deliveries. */
const lookMs = 20

/** A webhook that sends every log entry of workspace 1. */
class Webhook {
  private readonly server: Server
  private readonly id: string

  private constructor(server: Server, id: string) {
    this.server = server
    this.id = id
  }

  /** Creates a webhook that is turned off. */
  static async create(server: Server, url: string): Promise<Webhook> {
    const settings = { name: "bench", url, kind: "activity", ordering: "none", enabled: false }
    const answer = await callManagement(server, "POST", "/webhooks", settings)
    const created: { readonly webhook_id: string } = JSON.parse(answer)
    return new Webhook(server, created.webhook_id)
  }

  async enable(enabled: boolean): Promise<void> {
    await callManagement(this.server, "PATCH", `/webhooks/${this.id}`, { enabled })
  }

  /** Returns the number of events that the server has delivered since its start. */
  async delivered(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.server.port}/metrics`)
    const line = /^inlet_webhook_attempts_total\{status="delivered"\} (\d+)/m.exec(await answer.text())
    return Number(line?.[1] ?? 0)
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
