import { Emulator, type Query, type Started } from "./emulator/Emulator.ts"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { PersonDocument } from "@inlethq/contract/people/People"
import { isStored, type WireCall } from "@inlethq/sdk"
import { Client } from "@inlethq/sdk/Client"
import {
  EmulatorRestarted,
  ExpectationFailed,
  failureText,
  firstMatch,
  unexpectedText,
} from "./expectations.ts"
import { decideCapsule, isSameVerdict, readCapsule, type Verdict } from "@inlethq/log/trial/Capsule"
import { fillText } from "@inlethq/sdk/texts/fillText"
import { emulatorTexts } from "./emulatorTexts.ts"
import type { Pattern } from "./mismatch.ts"

export interface EmulatorOptions {
  /** Calls that the emulator applies when it starts, and again after each reset. */
  readonly seed?: ReadonlyArray<WireCall>
  /** The port on 127.0.0.1. A free port by default. */
  readonly port?: number
}

/** The longest time that `waitFor` polls by default, in milliseconds. */
const waitMsDefault = 5000

const pollMs = 10

/** A whole Inlet server inside this process, with expectations for tests. The server keeps all data in memory. */
export class InletEmulator extends Emulator {
  readonly #seed: ReadonlyArray<WireCall>

  private constructor(started: Started, seed: ReadonlyArray<WireCall>) {
    super(started)
    this.#seed = seed
  }

  /** Starts a server on a free port, and applies the seed. Rejects if a call of the seed is not stored. */
  static async start({ port = 0, seed = [] }: EmulatorOptions = {}): Promise<InletEmulator> {
    const emulator = new InletEmulator(await Emulator.launch(port), seed)
    try {
      await emulator.#applySeed()
    } catch (error) {
      await emulator.close()
      throw error
    }
    return emulator
  }

  /**
   * Decides what `inlet capsule` printed with this version. Returns the decision, and whether it is the one that was recorded. The
   * data of the server do not change. Throws if it is no capsule that this version knows.
   */
  decide(capsule: unknown): { readonly decided: Verdict | null; readonly same: boolean } {
    const read = readCapsule(capsule)
    if (read === undefined) throw new Error(emulatorTexts.noCapsule)
    const decided = decideCapsule(read)
    return { decided, same: isSameVerdict(decided, read.expected) }
  }

  /** Removes all data and faults and applies the seed again. The address, the keys and the time stay the same. */
  override async reset(): Promise<void> {
    await super.reset()
    await this.#applySeed()
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

  /**
   * Calls a function until it returns a value other than undefined. Returns undefined after `timeoutMs`. Rejects if the
   * emulator is reset or restored meanwhile.
   */
  async #poll<A>(
    find: () => Promise<A | undefined> | A | undefined,
    timeoutMs: number,
  ): Promise<A | undefined> {
    const restarts = this.restarts
    for (const until = performance.now() + timeoutMs; ;) {
      const found = await Promise.resolve(find()).catch((error: unknown) => {
        if (restarts === this.restarts) throw error
        return undefined
      })
      if (restarts !== this.restarts) throw new EmulatorRestarted()
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
}

/** The query for the newest calls, which the message of a failed expectation lists. */
const newest: Query = { limit: "5" }

const isEvent = (kind: ActivityDocument["kind"]): boolean =>
  kind === "event" || kind === "page" || kind === "screen" || kind === "anonymous_event"

const describe = (query: Query): string =>
  Object.entries(query)
    .map(([key, value]) => `${key}=${value}`)
    .join(" and ")
