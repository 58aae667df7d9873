import { setTimeout as pause } from "node:timers/promises"
import { Schema } from "effect"
import { expect } from "vitest"
import { eventually } from "../eventually.ts"
import type { RunningServer } from "../http.ts"
import { batch, event, identified, identify } from "../ingestion.ts"
import { Management, read } from "../Management.ts"

const Document = Schema.Struct({
  segment_id: Schema.Int,
  name: Schema.String,
  state: Schema.String,
  size: Schema.Int,
  next: Schema.NullOr(Schema.Struct({ version: Schema.Int })),
  progress: Schema.NullOr(Schema.Finite),
})
type Document = typeof Document.Type

const Documents = Schema.Struct({ items: Schema.Array(Document) })

const Members = Schema.Struct({
  items: Schema.Array(Schema.Struct({ svc_id: Schema.String, id: Schema.NullOr(Schema.String) })),
  next: Schema.NullOr(Schema.String),
})

/** The number of people. A build evaluates rules for them in steps. */
const peopleCount = 3000

/** Events of the window `1m` carry a time that is at least this old, in seconds, so that they leave it while a test runs. */
const seenAgoSeconds = 57

/** A request about one person that is repeated until a server acknowledges it. */
interface Sent {
  readonly person: Person
  readonly what: "bought" | "seen" | "plan"
  readonly id: string
  readonly plan: string
}

interface Person {
  readonly id: string
  bought: number
  plan: string
}

/**
 * People whom a few segments by rule are about, what they did according to the acknowledged requests, and who must be in
 * the segments because of that. All rules are announced, so the log tells each entrance and exit.
 */
export class RuleTraffic {
  readonly people: ReadonlyArray<Person> = Array.from({ length: peopleCount }, (_, n) => ({
    id: `person-${n}`,
    bought: 0,
    plan: "free",
  }))
  private readonly random: () => number
  private boughtMin = 2
  private sent = 0

  constructor(random: () => number) {
    this.random = random
  }

  /** Creates the people, and segments whose rules use events, windows, attributes and each other. */
  async begin(inlet: RunningServer): Promise<void> {
    for (let from = 0; from < peopleCount; from += 500) {
      const items = this.people.slice(from, from + 500).map(({ id, plan }) => identified(id, { plan }))
      expect((await batch(inlet, items)).status).toBe(200)
    }
    await this.create(inlet, "regular", this.regularRule)
    await this.create(inlet, "seen", { event: { name: "seen", within: "1m" } })
    await this.create(inlet, "pro", { attribute: { field: "plan", operator: "eq", value: "pro" } })
    const [regular, seen] = await this.segments(inlet)
    const absent = { not: { segment: { id: seen?.segment_id } } }
    await this.create(inlet, "absent", { and: [{ segment: { id: regular?.segment_id } }, absent] })
    await this.settled(inlet)
  }

  /**
   * Sends requests about a part of the people until `isOver` returns true. Repeats each one until it is acknowledged. Returns
   * the last one if it is not.
   */
  async write(
    server: () => RunningServer,
    part: number,
    parts: number,
    isOver: () => boolean,
  ): Promise<Sent | undefined> {
    const own = this.people.filter((_, n) => n % parts === part)
    while (!isOver()) {
      const sent = this.nextFor(own)
      while (!(await this.isAcknowledged(server(), sent))) {
        if (isOver()) return sent
        await pause(20)
      }
    }
    return undefined
  }

  /** Sends a request again, if there is one. */
  async repeat(inlet: RunningServer, sent: Sent | undefined): Promise<void> {
    if (sent !== undefined) expect(await this.isAcknowledged(inlet, sent)).toBe(true)
  }

  /** Gives the first segment another rule, and waits until a part of it is built. */
  async edit(inlet: RunningServer): Promise<void> {
    await eventually("a rule is being built", async () => {
      await this.patch(inlet)
      return (await this.progress(inlet)) === null ? undefined : true
    })
  }

  /** Returns the segments. Asks again while the server cannot reach its database in time. */
  async segments(inlet: RunningServer): Promise<ReadonlyArray<Document>> {
    const management = new Management(inlet)
    const answered = await eventually("the server reads segments", async () => {
      const answer = await management.call("GET", management.pathOf("/segments?order=asc"))
      return answer.status === 503 ? undefined : answer
    })
    expect(answered.status).toBe(200)
    return read(Documents, answered.json).items
  }

  /** Returns how much of a build is done, or null if no rule is being built. */
  async progress(inlet: RunningServer): Promise<number | null> {
    const building = (await this.segments(inlet)).find(({ next }) => next !== null)
    return building?.progress ?? null
  }

  /** Waits until all rules are in force, and nobody is in the segment that time empties. */
  async settled(inlet: RunningServer): Promise<void> {
    await eventually("the rules are in force, and what was seen is over", async () => {
      const segments = await this.segments(inlet)
      const isOver = segments.every(
        ({ name, next, size, state }) =>
          state === "active" && next === null && (name !== "seen" || size === 0),
      )
      if (isOver) return true
      await pause(100)
      return undefined
    })
  }

  /** Fails unless exactly the right people are in each segment, and the log tells each entrance and exit once. */
  async expectRight(inlet: RunningServer): Promise<void> {
    const management = new Management(inlet)
    const regular = this.people.filter(({ bought }) => bought >= this.boughtMin).map(({ id }) => id)
    const expected = new Map([
      ["regular", regular],
      ["seen", []],
      ["pro", this.people.filter(({ plan }) => plan === "pro").map(({ id }) => id)],
      ["absent", regular],
    ])
    const told = await toldBy(management)
    for (const { name, segment_id, size } of await this.segments(inlet)) {
      const members = await membersOf(management, segment_id)
      expect(members.map(({ id }) => id).toSorted(), name).toEqual(expected.get(name)?.toSorted())
      expect(size, name).toBe(members.length)
      expect([...(told.get(segment_id) ?? [])].toSorted(), `${name} as told`).toEqual(
        members.map(({ svc_id }) => svc_id).toSorted(),
      )
    }
  }

  private get regularRule(): object {
    return { event: { name: "bought", count: { gte: this.boughtMin } } }
  }

  /** Gives the first segment another rule, unless the one before is still being built. */
  private async patch(inlet: RunningServer): Promise<void> {
    const management = new Management(inlet)
    const [regular] = await this.segments(inlet)
    const before = this.boughtMin
    this.boughtMin = before === 2 ? 3 : 2
    const path = management.pathOf(`/segments/${regular?.segment_id}`)
    const answer = await management.call("PATCH", path, { rule: this.regularRule, announce: true })
    if (answer.status !== 200) this.boughtMin = before
  }

  private async create(inlet: RunningServer, name: string, rule: object): Promise<void> {
    const management = new Management(inlet)
    const body = { name, rule, announce: true }
    const answer = await management.call("POST", management.pathOf("/segments"), body)
    expect(answer.status, answer.text).toBe(201)
  }

  private nextFor(own: ReadonlyArray<Person>): Sent {
    const person = own[Math.floor(this.random() * own.length)] ?? own[0]
    if (person === undefined) throw new Error("there are no people")
    const what = (["bought", "seen", "plan"] as const)[Math.floor(this.random() * 3)] ?? "seen"
    this.sent += 1
    return { person, what, id: `sent-${this.sent}`, plan: this.random() < 0.5 ? "pro" : "free" }
  }

  /** Sends a request. Returns whether a server has acknowledged it. */
  private async isAcknowledged(inlet: RunningServer, { id, person, plan, what }: Sent): Promise<boolean> {
    const timestamp = Math.floor(Date.now() / 1000) - (what === "seen" ? seenAgoSeconds : 0)
    try {
      const answer = await (what === "plan"
        ? identify(inlet, person.id, { plan })
        : event(inlet, person.id, { name: what, id, timestamp }))
      if (answer.status !== 200) return false
    } catch {
      return false
    }
    if (what === "bought") person.bought += 1
    if (what === "plan") person.plan = plan
    return true
  }
}

/** Returns who is in each segment by what the log tells. Fails if somebody enters or leaves twice in a row. */
const toldBy = async (management: Management): Promise<ReadonlyMap<number, ReadonlySet<string>>> => {
  const told = new Map<number, Set<string>>()
  for (const { effects, sequence } of await management.activity({ order: "asc" })) {
    for (const { change, segment_id, svc_id } of effects) {
      const inIt = told.get(segment_id) ?? new Set()
      const wasIn = inIt.has(svc_id)
      expect(change, `${svc_id} and segment ${segment_id} at ${sequence}`).toBe(wasIn ? "left" : "entered")
      if (wasIn) inIt.delete(svc_id)
      else inIt.add(svc_id)
      told.set(segment_id, inIt)
    }
  }
  return told
}

const membersOf = async (management: Management, segment: number) => {
  const found: Array<(typeof Members.Type)["items"][number]> = []
  for (let after: { readonly after?: string } = {}; ;) {
    const answered = await management.get(`/segments/${segment}/people`, { limit: "1000", ...after })
    const { items, next } = read(Members, answered)
    found.push(...items)
    if (next === null) return found
    after = { after: next }
  }
}
