import { setTimeout as pause } from "node:timers/promises"
import type { RunningServer } from "../http.ts"
import { batch } from "../ingestion.ts"

/** The number of operations in one request. */
const batchItems = 100

/** The largest number of requests in flight. If the server answers too slowly, fewer operations are sent per second. */
const openRequestsMax = 8

const people = 10_000
const tickMs = 10

/**
 * Sends operations at a constant rate: four events for each identify. Consecutive operations are about different
 * people.
 */
export class OperationLoad {
  /** The number of operations that the server has acknowledged. */
  acknowledged = 0
  private readonly inlet: RunningServer
  private readonly rate: number
  private readonly open = new Set<Promise<void>>()
  private sent = 0
  private isStopped = false

  constructor(inlet: RunningServer, operationsPerSecond: number) {
    this.inlet = inlet
    this.rate = operationsPerSecond
  }

  /** Sends until `stop` is called. Rejects if the server refuses a request. */
  async run(): Promise<void> {
    const from = performance.now()
    while (!this.isStopped) {
      const due = ((performance.now() - from) / 1000) * this.rate
      while (this.sent + batchItems <= due && this.open.size < openRequestsMax) this.sendBatch()
      await (this.open.size < openRequestsMax ? pause(tickMs) : Promise.race(this.open))
    }
    await Promise.all(this.open)
  }

  stop(): void {
    this.isStopped = true
  }

  private sendBatch(): void {
    const items = Array.from({ length: batchItems }, (_, index) => operation(this.sent + index))
    this.sent += batchItems
    const request = this.send(items).finally(() => this.open.delete(request))
    this.open.add(request)
  }

  private async send(items: ReadonlyArray<object>): Promise<void> {
    const { status, text } = await batch(this.inlet, items)
    if (status !== 200) throw new Error(`the server answered ${status}: ${text}`)
    this.acknowledged += items.length
  }
}

const operation = (number: number): object => {
  const person = { type: "person", identifiers: { id: `person-${number % people}` } }
  return number % 5 === 0
    ? { ...person, action: "identify", attributes: { plan: "pro", visits: number } }
    : { ...person, action: "event", name: "order_placed", attributes: { total: number, currency: "EUR" } }
}
