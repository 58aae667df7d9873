import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { BatchReceiver } from "../../src/forwards/BatchReceiver.ts"
import { createForward, forwardAttempts, untilDone } from "../../src/forwards/forwardCalls.ts"
import { send } from "../../src/http.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"

let database: PostgresServer
let url: string

beforeAll(async () => {
  database = await PostgresServer.start()
  url = database.url(await database.createDatabase())
})
afterAll(() => database.remove())

const start = (): Promise<Inlet> =>
  Inlet.start({
    env: { INLET_STORE: url, INLET_SECRET: "s".repeat(32), INLET_WEBHOOK_ALLOW: "127.0.0.1/32" },
  })

/** Returns the number of requests that forwards of a server have sent since it started. */
const requestsOf = async (inlet: Inlet): Promise<number> => {
  const { text } = await send(inlet.url, { method: "GET", path: "/metrics" })
  return Number(/^inlet_forward_requests_total (\d+)/m.exec(text)?.[1] ?? Number.NaN)
}

const people = 7

const events = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    type: "person",
    action: "event",
    identifiers: { id: `p${(from + n) % people}` },
    name: "counted",
    attributes: { n: from + n },
  }))

it("one of two nodes sends, and the other goes on after it is killed, in order and without a gap", async () => {
  const [one, other] = await Promise.all([start(), start()])
  const receiver = await BatchReceiver.start()
  const tenant = await Tenant.create({}, one)
  const settings = { name: "next", to: "segment", url: receiver.url, key: "key" }
  const { forward_id } = await createForward(tenant, settings)
  // Both nodes accept calls, whichever of them sends.
  for (const [n, node] of [one, other, one].entries()) {
    expect((await tenant.on(node).batch(events(n * 50, 50))).status).toBe(200)
  }
  await untilDone(tenant, forward_id)
  const counts = await Promise.all([requestsOf(one), requestsOf(other)])
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, receiver.sizes.length])
  const [sender, heir] = counts[0] === 0 ? [other, one] : [one, other]

  // The receiver takes a request whose answer the sender never gets.
  receiver.react = () => "lost"
  const before = receiver.sizes.length
  expect((await tenant.on(heir).batch(events(150, 100))).status).toBe(200)
  await eventually("a request without an answer", () => (receiver.sizes.length > before ? true : undefined))
  await sender.kill()
  const lost = receiver.sizes.slice(before).reduce((sum, size) => sum + size, 0)
  receiver.react = () => ({ status: 200 })
  const left = tenant.on(heir)
  expect((await left.batch(events(250, 50))).status).toBe(200)
  await untilDone(left, forward_id)

  expect(receiver.numbers).toEqual(Array.from({ length: 300 }, (_, n) => n))
  expect(receiver.again).toBe(lost)
  for (let n = 0; n < people; n++) {
    const own = [...receiver.taken.values()].filter(({ userId }) => userId === `p${n}`)
    const numbers = own.map(({ properties }) => Number(properties?.["n"]))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
  expect(await requestsOf(heir)).toBeGreaterThan(0)
  expect(receiver.atOnceMax).toBe(1)
  const attempts = await forwardAttempts(left, forward_id)
  expect(attempts.map(({ status }) => status)).toEqual(Array.from({ length: 300 }, () => "delivered"))
  await heir.stop()
})
