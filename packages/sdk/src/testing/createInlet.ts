import { ActivityDocument } from "@inlet/api/management/ActivityLog"
import { PersonDocument } from "@inlet/api/management/People"
import { MovableClock } from "@inlet/server/emulator/MovableClock"
import { startServer, type ServerInside, type ServerSetup } from "@inlet/server/emulator/startServer"
import { Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { WireCall } from "../calls/Calls.ts"
import { Client } from "../Client.ts"
import { isStored } from "../Outcome.ts"
import { Faults, type Fault } from "./Faults.ts"

export type { Fault } from "./Faults.ts"

export interface EmulatorOptions {
  /** Calls that the emulator applies when it starts, and again after each reset. */
  readonly seed?: ReadonlyArray<WireCall>
  /** The port on 127.0.0.1. A free port by default. */
  readonly port?: number
}

const People = Schema.Struct({ items: Schema.Array(PersonDocument) })
const Activity = Schema.Struct({ items: Schema.Array(ActivityDocument) })

/** The longest time that `waitFor` polls by default, in milliseconds. */
const waitMsDefault = 5000

const pollMs = 10

/** The most requests that a reset sends to find out whether old connections are closed. */
const connectAttemptsMax = 10

/** A whole Inlet server inside this process. It keeps everything in memory. */
export class InletEmulator {
  readonly siteId: string
  readonly apiKey: string
  readonly writeKey: string
  readonly managementToken: string
  readonly #setup: ServerSetup
  readonly #seed: ReadonlyArray<WireCall>
  readonly #faults: Faults
  readonly #clock: MovableClock
  #server: ServerInside

  private constructor(
    setup: ServerSetup,
    faults: Faults,
    seed: ReadonlyArray<WireCall>,
    server: ServerInside,
  ) {
    this.siteId = setup.siteId
    this.apiKey = setup.apiKey
    this.writeKey = setup.writeKey
    this.managementToken = setup.managementToken
    this.#setup = setup
    this.#seed = seed
    this.#faults = faults
    this.#clock = setup.clock
    this.#server = server
  }

  /** Starts a server on a free port, and applies the seed. Rejects if a call of the seed is not stored. */
  static async start({ port = 0, seed = [] }: EmulatorOptions = {}): Promise<InletEmulator> {
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
    const emulator = new InletEmulator(setup, faults, seed, await startServer(setup))
    await emulator.#applySeed()
    return emulator
  }

  /** The base address for clients, such as `http://127.0.0.1:41234`. */
  get url(): string {
    return this.#server.url
  }

  /** Returns the current time of the server's clock. */
  now(): Date {
    return new Date(this.#clock.currentTimeMillisUnsafe())
  }

  /** Moves the clock of the server forward, for example past the 72 hours in which events can trigger. */
  advance(ms: number): void {
    this.#clock.advance(ms)
  }

  /** Applies a fault to the next requests that match it. Several faults apply in the order in which they were added. */
  fail(fault: Fault): void {
    this.#faults.add(fault)
  }

  /** Removes all data and faults and applies the seed again. The address, the keys and the time stay the same. */
  async reset(): Promise<void> {
    this.#faults.clear()
    await this.#server.stop()
    this.#server = await startServer({ ...this.#setup, port: Number(new URL(this.url).port) })
    await this.#dropOldConnections()
    await this.#applySeed()
  }

  /** Returns the people that match a query of the management API, such as `{ id: "ada" }`, newest first. */
  async people(query: Readonly<Record<string, string>> = {}): Promise<ReadonlyArray<PersonDocument>> {
    return Schema.decodeUnknownSync(People)(await this.#read("people", query)).items
  }

  /** Returns the newest entries of the activity log that match a query, such as `{ name: "Signed Up" }`, oldest first. */
  async activity(query: Readonly<Record<string, string>> = {}): Promise<ReadonlyArray<ActivityDocument>> {
    const page = await this.#read("activity", { limit: "1000", ...query })
    return Schema.decodeUnknownSync(Activity)(page).items.toReversed()
  }

  /** Polls until the function returns a value other than undefined, and returns the value. Rejects after `timeoutMs`. */
  async waitFor<A>(
    find: (emulator: this) => Promise<A | undefined> | A | undefined,
    timeoutMs = waitMsDefault,
  ): Promise<A> {
    for (const until = performance.now() + timeoutMs; performance.now() < until;) {
      const found = await find(this)
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
    throw new Error(`waitFor found nothing within ${timeoutMs} ms`)
  }

  /** Stops the server. */
  close(): Promise<void> {
    return this.#server.stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Sends requests until `fetch` no longer uses connections that the reset has closed. Otherwise the next request of a
   * test would fail.
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

  async #applySeed(): Promise<void> {
    if (this.#seed.length === 0) return
    const client = new Client({ url: this.url, writeKey: this.writeKey, onWarning: () => {} })
    const sendings = this.#seed.map((call) => client.send(call))
    await client.close()
    for (const [at, sending] of sendings.entries()) {
      const outcome = await sending.outcome()
      if (!isStored(outcome)) throw new Error(`the seed's call ${at} is ${outcome.status}: ${outcome.reason}`)
    }
  }

  async #read(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    const address = `${this.url}/management/v1/workspaces/1/${path}?${new URLSearchParams(query)}`
    const response = await fetch(address, { headers: { authorization: `Bearer ${this.managementToken}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}

/** Starts a whole Inlet server inside this process, with a store in memory and new keys. */
export const createInlet = (options?: EmulatorOptions): Promise<InletEmulator> => InletEmulator.start(options)

const keyBytes = 20

const randomKey = (): string => randomBytes(keyBytes).toString("hex")
