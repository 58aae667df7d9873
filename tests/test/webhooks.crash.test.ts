import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../src/cleanup.ts"
import { eventually } from "../src/eventually.ts"
import { seededRandom } from "../src/fresh.ts"
import { batch } from "../src/ingestion.ts"
import { Inlet } from "../src/Inlet.ts"
import { Management } from "../src/Management.ts"
import { actOnWebhook, createWebhook } from "../src/webhookCalls.ts"
import { WebhookReceiver, type Reaction } from "../src/WebhookReceiver.ts"

const seed = Number(process.env["INLET_TEST_SEED"] ?? Date.now() % 1_000_000_007)

/** The number of events in one run of the test. `pnpm test:webhooks` sets a larger number. */
const eventsTotal = Number(process.env["INLET_TEST_WEBHOOK_EVENTS"] ?? 300)
const kills = 5
const people = 20
const batchSize = 100

/** The largest number of attempts that a webhook without strict ordering has in progress. */
const attemptsAtOnceMax = 32

const paths = ["/strict", "/per_person", "/none"] as const
type Path = (typeof paths)[number]

/** An event that the receiver accepted. `life` counts how often the server had been killed before. */
interface Accepted {
  readonly number: number
  readonly person: string
  readonly life: number
}

/** Fails at random, in every way that the hosted service documents. Hanging is rare, because it takes 4 seconds. */
const randomReaction = (random: () => number): Reaction => {
  const chance = random()
  if (chance < 0.03) return 500
  if (chance < 0.06) return 410
  if (chance < 0.09) return "reset"
  if (chance < 0.09 + 1 / eventsTotal) return "hang"
  return chance > 1 - 3 / eventsTotal ? "slow-body" : 200
}

const isAccepted = (reaction: Reaction): boolean => reaction === 200 || reaction === "slow-body"

/** Returns the first time that each event was accepted, in order. */
const firstTimes = (accepted: ReadonlyArray<Accepted>): ReadonlyArray<Accepted> => {
  const seen = new Set<number>()
  return accepted.filter(({ number }) => !seen.has(number) && seen.add(number))
}

const numbersOf = (accepted: ReadonlyArray<Accepted>) => accepted.map(({ number }) => number)

const ascending = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)

describe("webhooks of a server killed with SIGKILL, with a receiver that fails at random", () => {
  it(`contract §17 ordering: every event arrives in order, and again only if its answer was not recorded (INLET_TEST_SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const receiver = await WebhookReceiver.start()
    const accepted: Readonly<Record<Path, Array<Accepted>>> = {
      "/strict": [],
      "/per_person": [],
      "/none": [],
    }
    let life = 0
    receiver.react = ({ json, path }) => {
      const reaction = randomReaction(random)
      const number = Number((json["data"] as { readonly number: number }).number)
      const person = String((json["subject"] as { readonly id: string }).id)
      const known = paths.find((one) => one === path)
      if (known !== undefined && isAccepted(reaction)) accepted[known].push({ number, person, life })
      return reaction
    }

    const dataDir = join(freshDirectory(), "data")
    const start = () => Inlet.start({ dataDir, env: { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" } })
    let inlet = await start()
    const ids: Array<string> = []
    for (const path of paths) {
      const settings = { url: receiver.url(path), kind: "activity", filter: "kind:event", retry: "standard" }
      const created = await createWebhook(new Management(inlet), { ...settings, ordering: path.slice(1) })
      ids.push(created.webhook_id)
    }

    /** Retries at once what failed, like an operator. Otherwise the test would wait for the schedule. */
    const recover = async () => {
      for (const id of ids) {
        await actOnWebhook(new Management(inlet), id, "recover", { since: "2000-01-01T00:00:00.000Z" })
      }
    }
    let sent = 0
    const sendTo = async (total: number) => {
      for (; sent < total; sent += batchSize) {
        const items = Array.from({ length: batchSize }, (_, n) => ({
          type: "person",
          action: "event",
          identifiers: { id: `person-${(sent + n) % people}` },
          name: "happened",
          attributes: { number: sent + n },
        }))
        expect((await batch(inlet, items)).status).toBe(200)
      }
    }
    const receivedBy = (path: Path) => new Set(numbersOf(accepted[path])).size
    const waitFor = async (count: number) => {
      let best = -1
      while (paths.some((path) => receivedBy(path) < Math.min(count, eventsTotal))) {
        await eventually("an event arrives", async () => {
          await recover()
          await pause(50)
          const now = paths.reduce((sum, path) => sum + receivedBy(path), 0)
          if (now === best) return undefined
          best = now
          return true
        })
      }
    }

    for (let kill = 1; kill <= kills; kill++) {
      const target = Math.floor((eventsTotal * kill) / (kills + 1))
      await sendTo(Math.ceil(target / batchSize) * batchSize)
      await waitFor(Math.floor(target * random()))
      await inlet.kill()
      life++
      inlet = await start()
    }
    await sendTo(eventsTotal)
    await waitFor(eventsTotal)

    const expected = Array.from({ length: eventsTotal }, (_, n) => n)
    for (const path of paths) expect(ascending(numbersOf(firstTimes(accepted[path])))).toEqual(expected)
    expect(numbersOf(firstTimes(accepted["/strict"]))).toEqual(expected)
    for (let n = 0; n < people; n++) {
      const own = firstTimes(accepted["/per_person"]).filter(({ person }) => person === `person-${n}`)
      expect(numbersOf(own)).toEqual(ascending(numbersOf(own)))
    }
    for (const path of paths) {
      const first = new Map(firstTimes(accepted[path]).map((one) => [one.number, one]))
      const repeated = accepted[path].filter((one) => first.get(one.number) !== one)
      // An answer that arrives just before a kill may not have been recorded. Without a kill, nothing is repeated.
      for (const again of repeated) expect(again.life).toBeGreaterThan(first.get(again.number)?.life ?? 0)
      const inProgress = path === "/strict" ? 1 : attemptsAtOnceMax
      expect(repeated.length).toBeLessThanOrEqual(kills * inProgress)
    }
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  })
})
