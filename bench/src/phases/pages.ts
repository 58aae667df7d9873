import { Agent, get } from "node:http"
import { batchConnections, singleConnections, type Bench, type Store } from "../Bench.ts"
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

const p99MaxMs = 50

const dayMs = 24 * 3_600_000

/** Measures pages that operators read, beside single events at half of the maximum rate, on each database. */
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
  await filled()
  const single = { scenario: "event", people: knownOf(people), connections: singleConnections } as const
  const alone = await bench.load(inlet, store, { ...single, extent: bench.timed(1) })
  const pace = alone.unitsPerSecond / 2
  for (const [what, path] of Object.entries(await readsOf(inlet.port, people))) {
    const reader = new Reader(inlet.port, path)
    await bench.load(inlet, store, { ...single, pace, extent: bench.timed(1) })
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

/** Returns the path of each read. */
const readsOf = async (port: number, people: number): Promise<Readonly<Record<string, string>>> => {
  const found = await read(port, `people?id=${manyEventsPerson}`, new Agent())
  const [, svcId] = /"svc_id":"([^"]+)"/.exec(found) ?? []
  if (svcId === undefined)
    throw new Error(`the person ${manyEventsPerson} is missing: ${found.slice(0, 200)}`)
  const from = new Date(Date.now() - dayMs).toISOString()
  return {
    "page of people": "people?limit=50",
    "prefix search": `people?q=p${String(Math.floor(people / 2))
      .padStart(10, "0")
      .slice(0, 8)}&limit=50`,
    "person with 100,000 events": `people/${svcId}/activity?limit=50`,
    "activity by a rare name": "activity?name=never&limit=50",
    "statistics of a day": `stats?from=${encodeURIComponent(from)}`,
  }
}

const read = (port: number, path: string, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      path: `/management/v1/workspaces/1/${path}`,
      headers: { authorization: `Bearer ${managementToken}` },
      agent,
    }
    get(options, (answer) => {
      let body = ""
      answer.setEncoding("utf8").on("data", (text: string) => (body += text))
      answer.once("error", reject)
      answer.once("end", () => {
        if (answer.statusCode === 200) resolve(body)
        else reject(new Error(`GET ${path} answered ${answer.statusCode}: ${body.slice(0, 200)}`))
      })
    }).once("error", reject)
  })

/** Reads one path again and again, and measures the milliseconds of each answer. */
class Reader {
  private isOpen = true
  private readonly milliseconds: Promise<ReadonlyArray<number>>

  constructor(port: number, path: string) {
    this.milliseconds = this.run(port, path)
  }

  close(): Promise<ReadonlyArray<number>> {
    this.isOpen = false
    return this.milliseconds
  }

  private async run(port: number, path: string): Promise<ReadonlyArray<number>> {
    const agent = new Agent({ keepAlive: true })
    const milliseconds: Array<number> = []
    while (this.isOpen) {
      const from = performance.now()
      await read(port, path, agent)
      milliseconds.push(performance.now() - from)
    }
    agent.destroy()
    return milliseconds
  }
}
