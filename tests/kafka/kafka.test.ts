import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../src/cleanup.ts"
import { eventually } from "../src/eventually.ts"
import { batch } from "../src/ingestion.ts"
import { Inlet } from "../src/Inlet.ts"
import { Management } from "../src/Management.ts"
import { KafkaBroker } from "./KafkaBroker.ts"
import { serverState } from "./serverState.ts"
import { readTopic } from "./readTopic.ts"

/**
 * The number of log entries in one run of the test. For a longer run, `INLET_TEST_KAFKA_ENTRIES` sets a larger number,
 * such as 1000000.
 */
const entriesTotal = Number(process.env["INLET_TEST_KAFKA_ENTRIES"] ?? 50_000)
const people = 200
const batchSize = 500
const topic = "crash.activity"

const eventOf = (number: number) => ({
  type: "person",
  action: "event",
  identifiers: { id: `person-${number % people}` },
  name: "happened",
  attributes: { number },
})

/**
 * Makes the server copy the log of workspace 1 to a topic. The server begins within seconds, because it reads the
 * settings of workspaces every 5 seconds.
 */
const copyTo = async (inlet: Inlet, name: string): Promise<void> => {
  const management = new Management(inlet)
  const answer = await management.call("PATCH", management.pathOf(""), { kafka: { topic: name } })
  expect(answer.status, answer.text).toBe(200)
}

const waitUntilCopied = (inlet: Inlet) =>
  eventually("Kafka has all entries", async () => {
    const { kafka } = await serverState(inlet)
    return kafka?.workspaces === 1 && kafka.lag_entries === 0 && kafka.failure === null ? true : undefined
  })

describe("a topic of a server and a broker that are killed with SIGKILL", () => {
  it("the topic has every log entry, and the entries of each person appear for the first time in the order of the log", async () => {
    const broker = await KafkaBroker.start()
    const dataDir = join(freshDirectory(), "data")
    const start = () => Inlet.start({ dataDir, env: { INLET_KAFKA: broker.address } })
    let inlet = await start()
    await copyTo(inlet, topic)
    await eventually("the feed starts", async () =>
      (await serverState(inlet)).kafka?.workspaces === 1 ? true : undefined,
    )

    let ingested = 0
    const ingestTo = async (total: number) => {
      for (; ingested < total; ingested += batchSize) {
        const items = Array.from({ length: batchSize }, (_, n) => eventOf(ingested + n))
        expect((await batch(inlet, items)).status).toBe(200)
      }
    }
    const restartInlet = async () => {
      await inlet.kill()
      inlet = await start()
    }
    const part = Math.ceil(entriesTotal / 6 / batchSize) * batchSize
    for (let round = 1; round <= 2; round++) {
      await ingestTo(part * (3 * round - 2))
      await broker.kill()
      // The broker is down now. The server must still accept these events.
      await ingestTo(part * (3 * round - 1))
      await broker.restart()
      await ingestTo(part * 3 * round - part / 2)
      await restartInlet()
    }
    await ingestTo(entriesTotal)
    await waitUntilCopied(inlet)

    const first = new Map<string, number>()
    const lastOf = new Map<string, number>()
    let repeated = 0
    await readTopic(broker.address, topic, ({ key, operationId, value }) => {
      const entry: { readonly operation_id: string; readonly data: { readonly number: number } } =
        JSON.parse(value)
      expect(entry.operation_id).toBe(operationId)
      const { number } = entry.data
      if (first.has(operationId)) {
        repeated++
        expect(first.get(operationId)).toBe(number)
        return
      }
      first.set(operationId, number)
      expect(number).toBeGreaterThan(lastOf.get(key) ?? -1)
      lastOf.set(key, number)
    })
    console.log(`${first.size} entries in Kafka, ${repeated} of them more than once`)
    expect(new Set(first.values()).size).toBe(ingested)
    expect(first.size).toBe(ingested)
    expect(lastOf.size).toBe(people)
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  })
})
