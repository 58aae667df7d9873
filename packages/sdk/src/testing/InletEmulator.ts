import { ActivityDocument } from "@inlet/api/management/ActivityLog"
import { PersonDocument } from "@inlet/api/management/People"
import { MovableClock } from "@inlet/server/emulator/MovableClock"
import { startServer, type ServerInside, type ServerSetup } from "@inlet/server/emulator/startServer"
import { Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { WireCall } from "../calls/Calls.ts"
import { Client } from "../Client.ts"
import { isStored } from "../Outcome.ts"
import {
  EmulatorRestarted,
  ExpectationFailed,
  failureText,
  firstMatch,
  unexpectedText,
} from "./expectations.ts"
import { fillText } from "../fillText.ts"
import { emulatorTexts } from "./emulatorTexts.ts"
import { Faults, type Fault } from "./Faults.ts"
import type { Pattern } from "./mismatch.ts"

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
type Query = Readonly<Record<string, string>>

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

/** The largest number of requests that a reset sends to find out whether old connections are closed. */
const connectAttemptsMax = 10

/** A whole Inlet server inside this process. The server keeps all data in memory. */
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
  /** The number of calls of `reset` and `restore`. */
  #restarts = 0

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
    try {
      await emulator.#applySeed()
    } catch (error) {
      await emulator.close()
      throw error
    }
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

  /** Moves the clock of the server forward, for example past the 72 hours in which an event can trigger messages. */
  advance(ms: number): void {
    this.#clock.advance(ms)
  }

  /** Applies a fault to the next requests that match it. Several faults apply in the order in which they were added. */
  fail(fault: Fault): void {
    this.#faults.add(fault)
  }

  /** Removes all data and faults and applies the seed again. The address, the keys and the time stay the same. */
  async reset(): Promise<void> {
    await this.#restart(undefined)
    await this.#applySeed()
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
    return Schema.decodeUnknownSync(People)(await this.#read("people", query)).items
  }

  /**
   * Returns at most 1,000 entries of the activity log that match a query, such as `{ name: "Signed Up" }`. Returns the
   * newest matches, sorted from oldest to newest.
   */
  async activity(query: Query = {}): Promise<ReadonlyArray<ActivityDocument>> {
    const page = await this.#read("activity", { limit: "1000", ...query })
    return Schema.decodeUnknownSync(Activity)(page).items.toReversed()
  }

  /** Polls until the function returns a value other than undefined, and returns the value. Rejects after `timeoutMs`. */
  async waitFor<A>(
    find: (emulator: this) => Promise<A | undefined> | A | undefined,
    timeoutMs = waitMsDefault,
  ): Promise<A> {
    const found = await this.#poll(() => find(this), timeoutMs)
    if (found !== undefined) return found
    throw new Error(fillText(emulatorTexts.nothingFound, { ms: timeoutMs }))
  }

  /**
   * Waits for a person that matches the query and fits the pattern, such as `{ attributes: { plan: "pro" } }`, and
   * returns the person. Rejects with the differences and the newest calls after `timeoutMs`.
   */
  expectPerson(query: Query, expected: Pattern = {}, timeoutMs = waitMsDefault): Promise<PersonDocument> {
    return this.#expect(`person with ${describe(query)}`, () => this.people(query), expected, timeoutMs)
  }

  /** Waits until no person matches the query. Rejects after `timeoutMs`. */
  async expectNoPerson(query: Query, timeoutMs = waitMsDefault): Promise<void> {
    const gone = async () => ((await this.people(query)).length === 0 ? true : undefined)
    if ((await this.#poll(gone, timeoutMs)) !== undefined) return
    const what = `person with ${describe(query)}`
    throw new ExpectationFailed(unexpectedText(what, await this.activity(newest)))
  }

  /**
   * Waits for an event with this name that fits the pattern, such as `{ data: { total: 5 } }`, and returns its entry.
   */
  expectEvent(name: string, expected: Pattern = {}, timeoutMs = waitMsDefault): Promise<ActivityDocument> {
    const events = async () => (await this.activity({ name })).filter(({ kind }) => isEvent(kind))
    return this.#expect(`event "${name}"`, events, expected, timeoutMs)
  }

  /** Waits for an entry of the activity log that matches the query and fits the pattern, and returns the entry. */
  expectActivity(query: Query, expected: Pattern = {}, timeoutMs = waitMsDefault): Promise<ActivityDocument> {
    return this.#expect(`call with ${describe(query)}`, () => this.activity(query), expected, timeoutMs)
  }

  /** Removes all faults and stops the server. */
  close(): Promise<void> {
    this.#faults.clear()
    return this.#server.stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Calls a function until it returns a value other than undefined. Returns undefined after `timeoutMs`. Rejects if the
   * emulator is reset or restored meanwhile.
   */
  async #poll<A>(
    find: () => Promise<A | undefined> | A | undefined,
    timeoutMs: number,
  ): Promise<A | undefined> {
    const restarts = this.#restarts
    for (const until = performance.now() + timeoutMs; ;) {
      const found = await Promise.resolve(find()).catch((error: unknown) => {
        if (restarts === this.#restarts) throw error
        return undefined
      })
      if (restarts !== this.#restarts) throw new EmulatorRestarted()
      if (found !== undefined || performance.now() >= until) return found
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  async #expect<A>(
    what: string,
    read: () => Promise<ReadonlyArray<A>>,
    expected: Pattern,
    timeoutMs: number,
  ): Promise<A> {
    let documents: ReadonlyArray<A> = []
    const found = await this.#poll(async () => {
      documents = await read()
      return firstMatch(documents, expected)
    }, timeoutMs)
    if (found !== undefined) return found
    throw new ExpectationFailed(failureText(what, documents, expected, await this.activity(newest)))
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

  async #applySeed(): Promise<void> {
    if (this.#seed.length === 0) return
    const client = new Client({ url: this.url, writeKey: this.writeKey, onWarning: () => {} })
    const sendings = this.#seed.map((call) => client.send(call))
    await client.close()
    for (const [at, sending] of sendings.entries()) {
      const outcome = await sending.outcome()
      if (isStored(outcome)) continue
      const { reason, status } = outcome
      throw new Error(fillText(emulatorTexts.seedRefused, { call: at + 1, status, reason: String(reason) }))
    }
  }

  async #read(path: string, query: Query): Promise<unknown> {
    const address = `${this.url}/management/v1/workspaces/1/${path}?${new URLSearchParams(query)}`
    const response = await fetch(address, { headers: { authorization: `Bearer ${this.managementToken}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}

/** The query for the newest calls, which the message of a failed expectation lists. */
const newest: Query = { limit: "5" }

const isEvent = (kind: ActivityDocument["kind"]): boolean =>
  kind === "event" || kind === "page" || kind === "screen" || kind === "anonymous_event"

const describe = (query: Query): string =>
  Object.entries(query)
    .map(([key, value]) => `${key}=${value}`)
    .join(" and ")

const keyBytes = 20

const randomKey = (): string => randomBytes(keyBytes).toString("hex")
