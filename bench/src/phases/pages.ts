import { Agent, get } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { batchConnections, singleConnections, type Bench, type Store } from "../Bench.ts"
import { callManagement } from "../callManagement.ts"
import { callTrack } from "../callTrack.ts"
import { managementToken } from "../credentials.ts"
import { knownOf } from "../people.ts"
import { startOnEmpty } from "../postgresNodes.ts"
import { PostgresStore } from "../PostgresStore.ts"
import { median, plainRow, whole } from "../report.ts"
import { manyEventsPerson, scenarios, type ScenarioName } from "../scenarios.ts"
import type { Server } from "../Server.ts"

/** The number of entries for each person in the log. */
const entriesPerPerson = 5

/** The number of events of the person whose activity is read. */
const eventsOfOne = 100_000

/** The p99 of a page of the console, in milliseconds. */
const pageP99MaxMs = 50

/** The p99 of what the App API says of one person, in milliseconds. */
const oneP99MaxMs = 10

/** The p99 of the App API's largest page of members, in milliseconds. */
const membersP99MaxMs = 400

/** The members of the segment that is read over the App API, as many as one page can have. */
const members = 30_000

/** The keys of the App API, each of which has 100 requests a second. */
const appKeys = 16

/** The most members that one call of the Track API adds. */
const addedPerCall = 1000

const dayMs = 24 * 3_600_000

/** How often the bench asks how much of the log is summarized, in milliseconds. */
const summaryPollMs = 500

/** The longest wait for the summary of the log, in milliseconds. */
const summaryMsMax = 15 * 60_000

/** Measures what operators and programs read, beside single events at half of the maximum rate, on each database. */
export const measurePages = async (bench: Bench): Promise<void> => {
  const store = bench.newStore("pages")
  const inlet = await bench.startInlet(store)
  await measureOn(bench, inlet, store, "Inlet")
  await bench.killAndVerify(inlet, store)
  const postgres = await PostgresStore.start()
  try {
    const node = await startOnEmpty(bench, "postgres-pages", postgres)
    await measureOn(bench, node.server, node.store, "Inlet on PostgreSQL", () => postgres.vacuum(node.url))
    await node.server.kill()
    bench.verified.push(await postgres.verify(node.url, node.store.acknowledged))
  } finally {
    await postgres.remove()
  }
}

const measureOn = async (
  bench: Bench,
  inlet: Server,
  store: Store,
  name: string,
  filled: () => Promise<void> = () => Promise.resolve(),
): Promise<void> => {
  const { people } = bench.options
  const entries = Math.max(people * entriesPerPerson, people + eventsOfOne)
  await bench.addPeople(inlet, store, people)
  const add = (scenario: ScenarioName, count: number) =>
    bench.load(inlet, store, {
      scenario,
      people: knownOf(people),
      connections: batchConnections,
      extent: { kind: "count", requests: Math.ceil(count / scenarios[scenario].units) },
    })
  await callTrack(inlet, "PUT", `/customers/${manyEventsPerson}`, {})
  await add("pipelinesEvents", entries - people - eventsOfOne)
  await add("eventsOfOne", eventsOfOne)
  const app = await addMembers(inlet, people)
  await filled()
  await summarized(inlet)
  const single = { scenario: "event", people: knownOf(people), connections: singleConnections } as const
  const alone = await bench.load(inlet, store, { ...single, extent: bench.timed(1) })
  const pace = alone.unitsPerSecond / 2
  for (const { isAlone, p99MaxMs, what, ...asked } of [...(await pagesOf(inlet.port, people)), ...app]) {
    if (isAlone) await summarized(inlet)
    const reader = new Reader(inlet.port, asked)
    if (isAlone) await pause(bench.options.seconds * 1000)
    else await bench.load(inlet, store, { ...single, pace, extent: bench.timed(1) })
    const ms = (await reader.close()).toSorted((a, b) => a - b)
    const p99Ms = ms[Math.ceil(ms.length * 0.99) - 1] ?? Number.NaN
    bench.rows.push(
      plainRow(`${name}, ${what}, ${whole(people)} people and ${whole(entries)} entries`, {
        p50Ms: median(ms),
        p99Ms,
        target: { text: `p99 < ${p99MaxMs} ms`, met: p99Ms < p99MaxMs },
      }),
    )
  }
}

/** Waits until the log is summarized. Catching up reads the whole log, which no server in use has to do. */
const summarized = async (inlet: Server): Promise<void> => {
  const numberIn = async (name: string, path: string): Promise<number> =>
    Number(new RegExp(`"${name}":(\\d+)`).exec(await callManagement(inlet, "GET", path))?.[1] ?? 0)
  const newest = await numberIn("sequence", "/activity?limit=1")
  const deadline = performance.now() + summaryMsMax
  while ((await numberIn("read_to", "/causes")) < newest) {
    if (performance.now() > deadline) throw new Error(`the log is not summarized up to ${newest}`)
    await pause(summaryPollMs)
  }
}

/** A path, and the tokens with which it is read in turn. */
interface Asked {
  readonly path: string
  readonly tokens: ReadonlyArray<string>
}

/** A read that is measured. */
interface Measured extends Asked {
  readonly what: string
  readonly p99MaxMs: number
  /** Reads of many rows give way to requests, so how long they take beside those says nothing of them. */
  readonly isAlone: boolean
}

const idOf = (person: number): string => `p${String(person).padStart(10, "0")}`

const management = (path: string): Asked => ({
  path: `/management/v1/workspaces/1/${path}`,
  tokens: [managementToken],
})

/** Returns the pages of the console that are read. */
const pagesOf = async (port: number, people: number): Promise<ReadonlyArray<Measured>> => {
  const found = await read(port, management(`people?id=${manyEventsPerson}`), new Agent())
  const [, svcId] = /"svc_id":"([^"]+)"/.exec(found) ?? []
  if (svcId === undefined)
    throw new Error(`the person ${manyEventsPerson} is missing: ${found.slice(0, 200)}`)
  const from = new Date(Date.now() - dayMs).toISOString()
  const paths = {
    "page of people": "people?limit=50",
    "prefix search": `people?q=${idOf(Math.floor(people / 2)).slice(0, 9)}&limit=50`,
    "person with 100,000 events": `people/${svcId}/activity?limit=50`,
    "activity by a rare name": "activity?name=never&limit=50",
    "statistics of a day": `stats?from=${encodeURIComponent(from)}`,
  }
  return Object.entries(paths).map(([what, path]) => ({
    what,
    p99MaxMs: pageP99MaxMs,
    isAlone: false,
    ...management(path),
  }))
}

/** Adds people to a segment, and returns what is read of them over the App API. */
const addMembers = async (inlet: Server, people: number): Promise<ReadonlyArray<Measured>> => {
  const tokens: Array<string> = []
  while (tokens.length < appKeys) {
    const key = await callManagement(inlet, "POST", "/keys", { kind: "app", name: "bench" })
    tokens.push(/"app_key":"(\w+)"/.exec(key)?.[1] ?? "")
  }
  const segment = await callManagement(inlet, "POST", "/segments", { name: "bench" })
  const [, id] = /"segment_id":(\d+)/.exec(segment) ?? []
  if (id === undefined) throw new Error(`no segment: ${segment}`)
  const count = Math.min(members, people)
  for (let from = 0; from < count; from += addedPerCall) {
    const ids = Array.from({ length: Math.min(addedPerCall, count - from) }, (_, index) => idOf(from + index))
    await callTrack(inlet, "POST", `/segments/${id}/add_customers`, { ids })
  }
  const person = `/v1/customers/${idOf(Math.floor(count / 2))}`
  const beside = { tokens, p99MaxMs: oneP99MaxMs, isAlone: false }
  return [
    { what: "attributes over the App API", path: `${person}/attributes`, ...beside },
    { what: "segments of a person over the App API", path: `${person}/segments`, ...beside },
    {
      what: `${whole(count)} members over the App API, alone`,
      path: `/v1/segments/${id}/membership?limit=${members}`,
      tokens,
      p99MaxMs: membersP99MaxMs,
      isAlone: true,
    },
  ]
}

const read = (port: number, { path, tokens }: Asked, agent: Agent, turn = 0): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${tokens[turn % tokens.length]}` }
    get({ host: "127.0.0.1", port, path, headers, agent }, (answer) => {
      let body = ""
      answer.setEncoding("utf8").on("data", (text: string) => (body += text))
      answer.once("error", reject)
      answer.once("end", () => {
        if (answer.statusCode === 200) resolve(body)
        else reject(new Error(`GET ${path} answered ${answer.statusCode}: ${body.slice(0, 200)}`))
      })
    }).once("error", reject)
  })

/** Reads the same again and again, and measures the milliseconds of each answer. */
class Reader {
  private isOpen = true
  private readonly milliseconds: Promise<ReadonlyArray<number>>

  constructor(port: number, asked: Asked) {
    this.milliseconds = this.run(port, asked)
  }

  close(): Promise<ReadonlyArray<number>> {
    this.isOpen = false
    return this.milliseconds
  }

  private async run(port: number, asked: Asked): Promise<ReadonlyArray<number>> {
    const agent = new Agent({ keepAlive: true })
    const milliseconds: Array<number> = []
    while (this.isOpen) {
      const from = performance.now()
      await read(port, asked, agent, milliseconds.length)
      milliseconds.push(performance.now() - from)
    }
    agent.destroy()
    return milliseconds
  }
}
