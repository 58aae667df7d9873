import { describe, expect, it } from "vitest"
import { eventually } from "../src/eventually.ts"
import { send } from "../src/http.ts"
import { event } from "../src/ingestion.ts"
import { Inlet } from "../src/Inlet.ts"
import { Management } from "../src/Management.ts"
import { KafkaBroker, kafkaUser } from "./KafkaBroker.ts"
import { readTopic } from "./readTopic.ts"
import { serverState } from "./serverState.ts"

const broker = await KafkaBroker.start()

/**
 * Starts a server that connects to the TLS address of the broker. Then sends an event to the server, which copies the
 * event to the topic.
 */
const start = async (topic: string, env: Record<string, string>): Promise<Inlet> => {
  const inlet = await Inlet.start({
    env: {
      INLET_KAFKA: broker.secureAddress,
      INLET_KAFKA_TLS: broker.certificateFile,
      INLET_KAFKA_SASL: "plain",
      INLET_KAFKA_USERNAME: kafkaUser.name,
      INLET_KAFKA_PASSWORD: kafkaUser.password,
      ...env,
    },
  })
  const management = new Management(inlet)
  const answer = await management.call("PATCH", management.pathOf(""), { kafka: { topic } })
  expect(answer.status, answer.text).toBe(200)
  await eventually("the feed starts", async () =>
    (await serverState(inlet)).kafka?.workspaces === 1 ? true : undefined,
  )
  expect((await event(inlet, "ada", { name: "happened" })).status).toBe(200)
  return inlet
}

describe("a broker that requires TLS and a password", () => {
  it.each(["plain", "scram-sha-256"])("gets the entries of a server that uses %s", async (mechanism) => {
    const topic = `secure.${mechanism}`
    const inlet = await start(topic, { INLET_KAFKA_SASL: mechanism })
    await eventually("Kafka has stored the entry", async () => {
      const metrics = await send(inlet.url, { method: "GET", path: "/metrics" })
      return /^inlet_kafka_sent_total [1-9]/m.test(metrics.text) ? true : undefined
    })
    const names: Array<unknown> = []
    await readTopic(broker.address, topic, ({ value }) => names.push(JSON.parse(value).name))
    expect(names).toContain("happened")
    await inlet.stop()
  })

  it.each([
    ["a wrong password", { INLET_KAFKA_PASSWORD: "wrong" }, /authentication/i],
    ["an authority that did not sign the certificate", { INLET_KAFKA_TLS: "on" }, /certificate/i],
    ["no TLS", { INLET_KAFKA_TLS: "off" }, /requires TLS/],
  ])("refuses a server with %s, and the status of the server says why", async (_, env, reason) => {
    const inlet = await start("secure.refused", env)
    const failure = await eventually(
      "the status shows a failure",
      async () => (await serverState(inlet)).kafka?.failure ?? undefined,
    )
    expect(failure).toMatch(reason)
    expect(failure).not.toContain(kafkaUser.password)
    await inlet.kill()
  })
})
