import { managementPath } from "@inlethq/contract/values/managementPath"
import { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { PersonDocument } from "@inlethq/contract/people/People"
import { Schema } from "effect"
import { randomBytes } from "node:crypto"
import { Faults, type Fault } from "./Faults.ts"
import { MovableClock } from "./MovableClock.ts"
import { startServer, type ServerInside, type ServerSetup } from "./startServer.ts"

/** A copy of the data and the time of an emulator, as `snapshot` returns it. */
export class EmulatorSnapshot {
  readonly #image: MemoryImage
  readonly #offsetMs: number

  constructor(image: MemoryImage, offsetMs: number) {
    this.#image = image
    this.#offsetMs = offsetMs
  }

  /**
   * Returns the data of the snapshot, and the number of milliseconds by which `advance` had moved the clock forward.
   */
  read(): { readonly image: MemoryImage; readonly offsetMs: number } {
    return { image: this.#image, offsetMs: this.#offsetMs }
  }
}

type MemoryImage = ReturnType<ServerInside["copy"]>

/** Parameters of a list in the management API, such as `{ id: "ada" }`. */
export type Query = Readonly<Record<string, string>>

/** A server that has started, and the means by which an emulator controls it. */
export interface Started {
  readonly setup: ServerSetup
  readonly faults: Faults
  readonly server: ServerInside
}

const People = Schema.Struct({ items: Schema.Array(PersonDocument) })
const Activity = Schema.Struct({ items: Schema.Array(ActivityDocument) })
const Created = Schema.Struct({ segment_id: Schema.Int })

/** The largest number of requests that a reset sends to find out whether old connections are closed. */
const connectAttemptsMax = 10

/** A whole Inlet server inside this process. The server keeps all data in memory. */
export class Emulator {
  readonly siteId: string
  readonly apiKey: string
  readonly writeKey: string
  readonly managementToken: string
  readonly #setup: ServerSetup
  readonly #faults: Faults
  readonly #clock: MovableClock
  #server: ServerInside
  #restarts = 0

  constructor({ faults, server, setup }: Started) {
    this.siteId = setup.siteId
    this.apiKey = setup.apiKey
    this.writeKey = setup.writeKey
    this.managementToken = setup.managementToken
    this.#setup = setup
    this.#faults = faults
    this.#clock = setup.clock
    this.#server = server
  }

  /** Starts a server with new keys on a port of 127.0.0.1. The port 0 selects a free port. */
  static async launch(port: number): Promise<Started> {
    const faults = new Faults()
    const setup: ServerSetup = {
      port,
      siteId: randomKey(),
      apiKey: randomKey(),
      writeKey: randomKey(),
      managementToken: randomKey(),
      clock: new MovableClock(),
      intercept: faults.intercept,
    }
    return { setup, faults, server: await startServer(setup) }
  }

  /** The base address for clients, such as `http://127.0.0.1:41234`. */
  get url(): string {
    return this.#server.url
  }

  /** Returns the current time of the server's clock. */
  now(): Date {
    return new Date(this.#clock.currentTimeMillisUnsafe())
  }

  /** The number of calls of `reset` and `restore`. */
  get restarts(): number {
    return this.#restarts
  }

  /** Moves the clock of the server forward, for example past the 72 hours in which an event can trigger messages. */
  advance(ms: number): void {
    this.#clock.advance(ms)
  }

  /**
   * Applies a fault to the next requests that match it. Several faults apply in the order in which they were added. Throws if
   * a field of the fault is unknown or out of range.
   */
  fail(fault: Fault): void {
    this.#faults.add(fault)
  }

  /** Removes all data and faults. The address, the keys and the time stay the same. */
  async reset(): Promise<void> {
    await this.#restart(undefined)
  }

  /** Copies all data and the time, for `restore`. Faults are not copied. */
  snapshot(): EmulatorSnapshot {
    return new EmulatorSnapshot(this.#server.copy(), this.#clock.offsetMs)
  }

  /**
   * Restores the data of a snapshot and removes all faults. Also restores the time by which `advance` had moved the
   * clock forward. The address and the keys stay. A snapshot can be restored any number of times.
   */
  async restore(snapshot: EmulatorSnapshot): Promise<void> {
    await this.#restart(snapshot)
  }

  /** Returns the people that match a query of the management API, such as `{ id: "ada" }`, newest first. */
  async people(query: Query = {}): Promise<ReadonlyArray<PersonDocument>> {
    return Schema.decodeUnknownSync(People)(await this.#call("GET", withQuery("people", query))).items
  }

  /**
   * Returns at most 1,000 entries of the activity log that match a query, such as `{ name: "Signed Up" }`. Returns the
   * newest matches, sorted from oldest to newest.
   */
  async activity(query: Query = {}): Promise<ReadonlyArray<ActivityDocument>> {
    const page = await this.#call("GET", withQuery("activity", { limit: "1000", ...query }))
    return Schema.decodeUnknownSync(Activity)(page).items.toReversed()
  }

  /**
   * Creates a segment with the people for whom a rule holds, such as `{ event: { name: "bought", within: "2h" } }`. Returns its
   * id, which is among the `segments` of its people. Rejects if the rule is not valid.
   */
  async createSegment(name: string, rule: object): Promise<number> {
    return Schema.decodeUnknownSync(Created)(await this.#call("POST", "segments", { name, rule })).segment_id
  }

  /** Removes all faults and stops the server. */
  close(): Promise<void> {
    this.#faults.clear()
    return this.#server.stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Starts the server again, on the same port, with the data of a snapshot or without data. */
  async #restart(snapshot: EmulatorSnapshot | undefined): Promise<void> {
    const from = snapshot?.read()
    this.#restarts++
    this.#faults.clear()
    await this.#server.stop()
    if (from !== undefined) this.#clock.restore(from.offsetMs)
    const port = Number(new URL(this.url).port)
    this.#server = await startServer({ ...this.#setup, port, initial: from?.image })
    await this.#dropOldConnections()
  }

  /**
   * Sends requests until `fetch` no longer uses connections that the reset has closed. Without these requests, the next
   * request of a test would fail.
   */
  async #dropOldConnections(): Promise<void> {
    for (let attempt = 0; attempt < connectAttemptsMax; attempt++) {
      const answered = await fetch(`${this.url}/health/live`).then(
        (response) => response.text(),
        () => undefined,
      )
      if (answered !== undefined) return
    }
  }

  /** Calls the management API. */
  async #call(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url}${managementPath}/workspaces/1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.managementToken}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}

const withQuery = (path: string, query: Query): string => `${path}?${new URLSearchParams(query)}`

const keyBytes = 20

const randomKey = (): string => randomBytes(keyBytes).toString("hex")
