import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { batch } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { actOnWebhook, createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver, type Reaction } from "../../src/WebhookReceiver.ts"

/** The number of events in one run of the test. `pnpm test:webhooks` sets a larger number. */
const eventsTotal = Number(process.env["INLET_TEST_WEBHOOK_EVENTS"] ?? 300)

/** Each event is sent to one endpoint. Strict ordering allows one attempt at a time, so a large run needs many endpoints. */
const endpointsTotal = Math.max(6, Math.ceil(eventsTotal / 2000))

const kills = 5
const people = 20
const batchSize = 100

/** The largest number of attempts that one webhook without strict ordering may have in progress at the same time. */
const attemptsAtOnceMax = 32

/** The pause between two rounds in which the test retries all failed events at once. */
const recoverPauseMs = 100

/**
 * An event that an endpoint accepted. `life` is the number of times that the server had been killed before the endpoint
 * accepted the event.
 */
interface Accepted {
  readonly number: number
  readonly person: string
  readonly life: number
}

/** A webhook, and the events that its receiver accepted. */
class Endpoint {
  readonly index: number
  readonly ordering: "strict" | "per_person" | "none"
  /** Maps the number of each accepted event to its first acceptance, in the order of arrival. */
  readonly first = new Map<number, Accepted>()
  /** Events that the receiver accepted a second time. */
  readonly repeated: Array<Accepted> = []

  constructor(index: number) {
    this.index = index
    this.ordering = index % 10 === 1 ? "per_person" : index % 10 === 2 ? "none" : "strict"
  }

  get path(): string {
    return `/${this.index}`
  }

  get eventName(): string {
    return `report_${this.index}`
  }

  accept(event: Accepted): void {
    if (this.first.has(event.number)) this.repeated.push(event)
    else this.first.set(event.number, event)
  }

  /** The numbers of all accepted events, in the order of arrival. */
  numbers(person?: string): ReadonlyArray<number> {
    const events = [...this.first.values()]
    return events
      .filter((event) => person === undefined || event.person === person)
      .map(({ number }) => number)
  }
}

const endpoints = Array.from({ length: endpointsTotal }, (_, index) => new Endpoint(index))

const eventOf = (number: number) => ({
  type: "person",
  action: "event",
  identifiers: { id: personOf(number) },
  name: endpoints[number % endpointsTotal]?.eventName,
  attributes: { number },
})

const personOf = (number: number): string => `person-${Math.floor(number / endpointsTotal) % people}`

/**
 * Returns a random reaction: mostly 200, and sometimes an error status, a reset connection, a hanging request or a slow
 * answer. Hanging requests and slow answers are rare, because they take seconds.
 */
const randomReaction = (random: () => number): Reaction => {
  const chance = random()
  if (chance < 0.02) return 500
  if (chance < 0.04) return 410
  if (chance < 0.06) return "reset"
  if (chance < 0.061) return "hang"
  return chance < 0.062 ? "slow-body" : 200
}

const arrived = (): number => endpoints.reduce((sum, { first }) => sum + first.size, 0)

const isAccepted = (reaction: Reaction): boolean => reaction === 200 || reaction === "slow-body"

const ascending = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)

describe("webhooks of a server killed with SIGKILL, with a receiver that fails at random", () => {
  it(`contract §17 ordering: every event arrives in order, and arrives again only if the server had not recorded the receiver's answer (INLET_TEST_SEED=${seed})`, async () => {
    const random = fractions(seed)
    const receiver = await WebhookReceiver.start()
    receiver.isRecording = false
    let life = 0
    let accepted = 0
    const reactions = new Map<Reaction, number>()
    receiver.react = ({ json, path }) => {
      const reaction = randomReaction(random)
      reactions.set(reaction, (reactions.get(reaction) ?? 0) + 1)
      const number = Number((json["data"] as { readonly number: number }).number)
      const person = String((json["subject"] as { readonly id: string }).id)
      if (isAccepted(reaction)) {
        endpoints[Number(path.slice(1))]?.accept({ number, person, life })
        accepted++
      }
      return reaction
    }

    const dataDir = join(freshDirectory(), "data")
    const start = () => Inlet.start({ dataDir, env: { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" } })
    let inlet = await start()
    const ids: Array<string> = []
    for (const { eventName, ordering, path } of endpoints) {
      const filter = `kind:event name:${eventName}`
      const settings = { url: receiver.url(path), kind: "activity", filter, ordering, retry: "standard" }
      ids.push((await createWebhook(new Management(inlet), settings)).webhook_id)
    }

    /**
     * Sends failed events again at once, as an operator could. Otherwise the test would wait for the retry schedule.
     */
    const recover = async () => {
      for (const id of ids) {
        await actOnWebhook(new Management(inlet), id, "recover", { since: "2000-01-01T00:00:00.000Z" })
      }
    }
    let sent = 0
    const sendTo = async (total: number) => {
      for (; sent < total; sent += batchSize) {
        const items = Array.from({ length: Math.min(batchSize, eventsTotal - sent) }, (_, n) =>
          eventOf(sent + n),
        )
        expect((await batch(inlet, items)).status).toBe(200)
      }
    }
    const waitFor = (count: number) =>
      eventually(`${count} of ${eventsTotal} events have arrived`, async () => {
        if (arrived() >= count) return true
        await recover()
        await pause(recoverPauseMs)
        return undefined
      })

    const startedAt = performance.now()
    for (let kill = 1; kill <= kills; kill++) {
      const target = Math.floor((eventsTotal * kill) / (kills + 1))
      await sendTo(target)
      await waitFor(Math.floor(target * random()))
      await inlet.kill()
      life++
      inlet = await start()
    }
    await sendTo(eventsTotal)
    await waitFor(eventsTotal)
    const seconds = (performance.now() - startedAt) / 1000

    let repeated = 0
    for (const one of endpoints) {
      const expected = Array.from({ length: eventsTotal }, (_, n) => n).filter(
        (n) => n % endpointsTotal === one.index,
      )
      expect(ascending(one.numbers()), one.path).toEqual(expected)
      if (one.ordering === "strict") expect(one.numbers(), one.path).toEqual(expected)
      if (one.ordering === "per_person") {
        for (let n = 0; n < people; n++) {
          const own = one.numbers(`person-${n}`)
          expect(own, one.path).toEqual(ascending(own))
        }
      }
      // After a kill, the server sends an event again if it had not yet recorded the answer of the receiver. Without a
      // kill, no event is repeated.
      for (const again of one.repeated) {
        expect(again.life).toBeGreaterThan(one.first.get(again.number)?.life ?? 0)
      }
      const inProgress = one.ordering === "strict" ? 1 : attemptsAtOnceMax
      expect(one.repeated.length).toBeLessThanOrEqual(kills * inProgress)
      repeated += one.repeated.length
    }
    console.log(
      `${eventsTotal} events to ${endpointsTotal} endpoints in ${seconds.toFixed(0)} s, ${repeated} accepted twice; reactions:`,
      Object.fromEntries(reactions),
    )
    expect(accepted).toBe(eventsTotal + repeated)
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  })
})
