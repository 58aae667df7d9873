import { Analytics as CustomerioAnalytics } from "@customerio/cdp-analytics-node"
import { Analytics as SegmentAnalytics } from "@segment/analytics-node"
import { PipelinesClient } from "customerio-node"
import { describe, expect, it } from "vitest"
import { waitMsMax } from "../../../tools/testing/patience.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

const properties = { total: 12.5, paid: true, note: null, items: [{ sku: "a", n: 1 }], deep: { a: [[]] } }
const timestamp = "2024-05-06T07:08:09.123Z"
const traits = { name: "Acme", object_type_id: "2", relationship_traits: { role: "ceo" } }
const related = [{ object_type_id: "2", object_id: "acme", attributes: { role: "ceo" } }]

/** Checks the state that the calls of this test must produce. */
const expectAll = async (source: PipelinesSource): Promise<void> => {
  const person = await source.person({ id: "ada" })
  expect(person).toMatchObject({ id: "ada", email: "ada@example.com", anonymous_ids: ["visitor"] })
  expect(person.attributes).toEqual({ plan: "pro", deep: { a: [[]] }, city: "Bonn" })
  expect(person.relationships).toEqual(related)
  expect(await source.object("2", "acme")).toMatchObject({ attributes: { name: "Acme" } })
  expect(await source.people({ id: "old" })).toEqual([])
  const own = { svc_id: person.svc_id }
  const bought = await source.event("Bought")
  expect(bought).toMatchObject({ source: "pipelines", subject: own, data: properties, outcome: "applied" })
  expect(Date.parse(bought.original_timestamp ?? "")).toBe(Date.parse(timestamp))
  expect(await source.event("Home")).toMatchObject({ kind: "page", subject: own, data: { url: "u" } })
  expect(await source.event("Start")).toMatchObject({ kind: "screen", subject: own })
}

/** The kinds of the log entries that the seven calls of a test must produce. */
const kinds = ["identify", "event", "identify", "page", "screen", "object_identify", "merge"].toSorted()

const expectOnce = async (source: PipelinesSource): Promise<void> => {
  const log = await source.log()
  expect(log.map(({ kind }) => kind).toSorted()).toEqual(kinds)
  expect(log.filter(({ outcome }) => outcome === "duplicate" || outcome === "rejected")).toEqual([])
  expect(new Set(log.map(({ id }) => id)).size).toBe(kinds.length)
}

const old = { userId: "old", traits: { city: "Bonn" } }
const event = { anonymousId: "visitor", event: "Bought", properties }
const ada = {
  userId: "ada",
  anonymousId: "visitor",
  traits: { email: "ada@example.com", plan: "pro", deep: { a: [[]] } },
}
const page = { userId: "ada", name: "Home", properties: { url: "u" } }
const screen = { userId: "ada", name: "Start" }
const group = { userId: "ada", groupId: "acme", traits }
const alias = { userId: "ada", previousId: "old" }

describe.each([
  ["default", false],
  ["strict", true],
])("customerio-node PipelinesClient in %s mode", (_mode, strictMode) => {
  const open = async () => {
    const source = await PipelinesSource.create()
    const url = `${source.inlet.url}/v1`
    return { source, client: new PipelinesClient(source.writeKey, { url, strictMode, timeout: waitMsMax }) }
  }

  it("pipelines-api §4 methods: every method of the client succeeds, and each call is stored once", async () => {
    const { client, source } = await open()
    const answers = [
      await client.identify(old),
      await client.track({ ...event, timestamp }),
      await client.identify(ada),
      await client.page(page),
      await client.screen(screen),
      await client.group(group),
      await client.alias(alias),
    ]
    expect(answers).toEqual(answers.map(() => ({ success: true })))
    await expectAll(source)
    await expectOnce(source)
  })

  it("pipelines-api §4 rule 1: a batch with every call type is applied in order, and sending the batch again has no effect", async () => {
    const { client, source } = await open()
    const items = [
      { type: "identify", ...old },
      { type: "track", ...event, timestamp },
      { type: "identify", ...ada },
      { type: "page", ...page },
      { type: "screen", ...screen },
      { type: "group", ...group },
      { type: "alias", ...alias },
    ] as const
    const batch = items.map((item, n) => ({ ...item, messageId: `message-${n}` }))
    expect(await client.batch(batch)).toEqual({ success: true })
    await expectAll(source)
    await expectOnce(source)
    expect(await client.batch(batch)).toEqual({ success: true })
    const again = (await source.log()).slice(batch.length)
    expect(again.map(({ outcome }) => outcome)).toEqual(batch.map(() => "duplicate"))
    await expectAll(source)
  })
})

type Failures = Array<unknown>

const openCustomerio = ({ inlet, writeKey }: PipelinesSource, failures: Failures) =>
  new CustomerioAnalytics({
    writeKey,
    host: inlet.url,
    maxEventsInBatch: 3,
    httpRequestTimeout: waitMsMax,
  }).on("error", (failure) => failures.push(failure))

const openSegment = ({ inlet, writeKey }: PipelinesSource, failures: Failures) =>
  new SegmentAnalytics({ writeKey, host: inlet.url, flushAt: 3, httpRequestTimeout: waitMsMax }).on(
    "error",
    (failure) => failures.push(failure),
  )

describe.each([
  ["@customerio/cdp-analytics-node", openCustomerio],
  ["@segment/analytics-node", openSegment],
] as const)("%s", (_name, open) => {
  it("contract §13 client libraries: every method of the client is delivered and stored once", async () => {
    const source = await PipelinesSource.create()
    const failures: Failures = []
    // One client sends its batches concurrently, so a later call can be applied before an earlier call. The test
    // therefore flushes a client before the calls that must come later.
    const first = open(source, failures)
    first.identify(old)
    first.track({ ...event, timestamp: new Date(timestamp) })
    await first.closeAndFlush({ timeout: waitMsMax })
    const second = open(source, failures)
    second.identify(ada)
    await second.closeAndFlush({ timeout: waitMsMax })
    const third = open(source, failures)
    third.page(page)
    third.screen(screen)
    third.group(group)
    third.alias(alias)
    await third.closeAndFlush({ timeout: waitMsMax })
    expect(failures).toEqual([])
    await expectAll(source)
    await expectOnce(source)
  })
})
