import { describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import type { Fault } from "../../src/FaultyProxy.ts"
import { batchLengths, countEvents, logOf, startClient, unavailable } from "../../src/sdkClient.ts"

describe("batches of the SDK", () => {
  it("the SDK collects calls into requests of at most batchBytesMax bytes", async () => {
    const { inlet, proxy, source } = await startClient({ batchBytesMax: 100 * 1024, batchWaitMs: 60_000 })
    const note = "ü".repeat(400)
    for (let n = 0; n < 2500; n++) void inlet.track({ userId: "ada", event: "e", properties: { n, note } })
    await inlet.flush()
    const sizes = proxy.requests.map(({ body }) => Buffer.byteLength(body))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100 * 1024)
    expect(sizes.slice(0, -1).every((size) => size > 98 * 1024)).toBe(true)
    expect(batchLengths(proxy).reduce((sum, length) => sum + length, 0)).toBe(2500)
    expect(await countEvents(source, "e")).toBe(2500)
  })

  it("a request of the SDK has at most batchCallsMax calls", async () => {
    const { inlet, proxy } = await startClient({ batchCallsMax: 10 })
    for (let n = 0; n < 25; n++) void inlet.track({ userId: "ada", event: "e" })
    await inlet.flush()
    expect(batchLengths(proxy)).toEqual([10, 10, 5])
  })

  it("the SDK sends calls that are too few to fill a batch, even if flush is not called", async () => {
    const { inlet, source } = await startClient()
    const sending = inlet.track({ userId: "ada", event: "e" })
    await eventually("the call is sent", async () => ((await logOf(source)).length === 1 ? true : undefined))
    await sending.outcome()
    expect(inlet.pending).toBe(0)
  })

  it("the SDK sends a batch again in halves if a proxy rejects it as too large", async () => {
    const tooLarge: Fault = { _tag: "Answer", status: 413, body: "Request Entity Too Large" }
    const { inlet, proxy } = await startClient({}, tooLarge, tooLarge, tooLarge)
    const sendings = ["a", "b", "c", "d"].map((event) => inlet.track({ userId: "ada", event }))
    await inlet.flush()
    const outcomes = await Promise.all(sendings.map((sending) => sending.outcome()))
    expect(outcomes).toMatchObject([
      { status: "rejected", reason: "the server answered 413: Request Entity Too Large" },
      { status: "applied" },
      { status: "applied" },
      { status: "applied" },
    ])
    expect(batchLengths(proxy)).toEqual([4, 2, 1, 1, 2])
  })
})

describe("retries of the SDK", () => {
  it("a call is applied once if the answer to its first attempt is lost", async () => {
    const { inlet, proxy, source } = await startClient({}, { _tag: "DropAnswer" })
    const outcome = await inlet.track({ userId: "ada", event: "paid" }).outcome()
    expect(outcome).toMatchObject({ status: "duplicate", rule: "contract §8 deduplication", attempts: 2 })
    expect(proxy.requests).toHaveLength(2)
    expect(await countEvents(source, "paid")).toBe(1)
  })

  it.each<readonly [string, Fault]>([
    ["503", unavailable],
    ["500", { _tag: "Answer", status: 500, body: "oops" }],
    ["429", { _tag: "Answer", status: 429, headers: { "retry-after": "1" } }],
    ["a connection that is closed", { _tag: "Refuse" }],
  ])("a call is sent again after %s", async (_name, fault) => {
    const { inlet, source, warnings } = await startClient({}, fault, fault)
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({ status: "applied", attempts: 3 })
    expect(await countEvents(source, "e")).toBe(1)
    expect(warnings).toHaveLength(1)
  })

  it("the SDK keeps the order of calls when it repeats a request", async () => {
    const { inlet, source } = await startClient({ batchCallsMax: 2 }, unavailable, { _tag: "Refuse" })
    const names = Array.from({ length: 9 }, (_, n) => `event ${n}`)
    for (const event of names) void inlet.track({ userId: "ada", event })
    await inlet.flush()
    expect((await logOf(source)).map(({ name }) => name)).toEqual(names)
  })

  it("a call that could not be sent within giveUpMs gets the outcome undelivered", async () => {
    const faults = Array.from({ length: 100 }, () => unavailable)
    const { inlet, source } = await startClient({ giveUpMs: 1 }, ...faults)
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({
      status: "undelivered",
      reason: expect.stringContaining("given up after 1 ms: the server answered 503"),
    })
    expect(await logOf(source)).toEqual([])
  })

  it.each<readonly [string, Fault, string]>([
    [
      "an answer that is not JSON",
      { _tag: "Answer", status: 200, body: "<html>" },
      "the response does not come from an Inlet server: check the url",
    ],
    [
      "a redirect",
      { _tag: "Answer", status: 301, headers: { location: "https://example.com/" } },
      "the server redirects to https://example.com/: use that address as url",
    ],
    ["404", { _tag: "Answer", status: 404, body: "not here" }, "the server answered 404: not here"],
  ])("a call is rejected after %s", async (_name, fault, reason) => {
    const { inlet, proxy } = await startClient({}, fault)
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({ status: "rejected", reason, attempts: 1 })
    expect(proxy.requests).toHaveLength(1)
  })

  it("a call with an unknown write key is rejected, and the client warns", async () => {
    const { inlet, warnings } = await startClient({ writeKey: "wrong" })
    const sending = inlet.track({ userId: "ada", event: "e" })
    expect(await sending.outcome()).toMatchObject({
      status: "rejected",
      reason: "unknown write key",
      rule: "contract §3 unauthorized calls",
    })
    expect(warnings).toEqual([`inlet: the call ${sending.messageId} is rejected: unknown write key`])
  })

  it("calls get the outcome accepted if the server's answer lists no outcomes", async () => {
    const { inlet } = await startClient({}, { _tag: "Answer", status: 200, body: "{}\n" })
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({ status: "accepted", reason: null })
  })

  it("the SDK repeats a request that is not answered within requestTimeoutMs", async () => {
    const { inlet, source } = await startClient({ requestTimeoutMs: 1000 }, { _tag: "Hold" })
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({ status: "applied", attempts: 2 })
    expect(await countEvents(source, "e")).toBe(1)
  })
})
