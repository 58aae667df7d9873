import { Inlet, isStored, type Outcome } from "@inlethq/sdk"
import { describe, expect, it } from "vitest"
import { eventually, within } from "../../src/eventually.ts"
import { batchLengths, countEvents, logOf, sourceWithAda, startClient } from "../../src/sdkClient.ts"

describe("the buffer of the SDK", () => {
  it("awaiting each call slows down a program that makes calls faster than the server accepts them", async () => {
    const { inlet, proxy } = await startClient({ bufferCallsMax: 20, batchCallsMax: 5 }, { _tag: "Hold" })
    let queued = 0
    const producing = (async () => {
      for (let n = 0; n < 100; n++) {
        await inlet.track({ userId: "ada", event: "e" })
        queued++
      }
    })()
    await eventually("the first request is held", () => (proxy.requests.length === 1 ? true : undefined))
    // The proxy holds a request with the first 5 calls. The next 5 calls are a full batch, which waits in the buffer.
    // The program then waits in the tenth call, after 9 calls have returned.
    await eventually("the producer waits", () => (queued >= 9 ? true : undefined))
    expect(inlet.pending).toBeLessThanOrEqual(15)
    proxy.release()
    await within("the producer ends", producing)
    await inlet.flush()
    expect(batchLengths(proxy).reduce((sum, length) => sum + length, 0)).toBe(100)
  })

  it("calls that exceed the capacity of the call buffer of the SDK get the outcome undelivered at once", async () => {
    const { inlet, proxy, source } = await startClient(
      { bufferCallsMax: 4, batchCallsMax: 2 },
      { _tag: "Hold" },
    )
    const first = [inlet.track({ userId: "ada", event: "e" }), inlet.track({ userId: "ada", event: "e" })]
    await eventually("the first request is held", () => (proxy.requests.length === 1 ? true : undefined))
    const others = Array.from({ length: 6 }, () => inlet.track({ userId: "ada", event: "e" }))
    const lost = await Promise.all(others.slice(4).map((sending) => sending.outcome()))
    for (const outcome of lost) {
      expect(outcome).toMatchObject({
        status: "undelivered",
        reason: "the buffer is full: await each call, or raise bufferCallsMax and bufferBytesMax",
      })
    }
    proxy.release()
    await inlet.flush()
    const stored = await Promise.all([...first, ...others.slice(0, 4)].map((sending) => sending.outcome()))
    expect(stored.every(isStored)).toBe(true)
    expect(await countEvents(source, "e")).toBe(6)
  })
})

describe("flush and close of the SDK", () => {
  it("flush also waits for the outcomes of calls in flight", async () => {
    const { inlet, proxy } = await startClient({}, { _tag: "Hold" })
    const outcomes: Array<Outcome> = []
    const inFlight = inlet.track({ userId: "ada", event: "e" })
    void inFlight.outcome().then((outcome) => outcomes.push(outcome))
    await eventually("the request is held", () => (proxy.requests.length === 1 ? true : undefined))
    const flushed = inlet.flush().then(() => outcomes.length)
    proxy.release()
    expect(await within("the flush ends", flushed)).toBe(1)
  })

  it("`await using` delivers every call before its block ends", async () => {
    const source = await sourceWithAda()
    {
      await using inlet = new Inlet({ url: source.inlet.url, writeKey: source.writeKey })
      void inlet.track({ userId: "ada", event: "e" })
    }
    expect(await logOf(source)).toMatchObject([{ name: "e", outcome: "applied" }])
  })

  it("a closed client delivers the queued calls and refuses later calls", async () => {
    const { inlet, source } = await startClient()
    void inlet.track({ userId: "ada", event: "before" })
    await inlet.close()
    await inlet.close()
    const late = await inlet.track({ userId: "ada", event: "after" }).outcome()
    expect(late).toMatchObject({ status: "undelivered", reason: "the client is closed", attempts: 0 })
    expect((await logOf(source)).map(({ name }) => name)).toEqual(["before"])
  })

  it("close of the SDK stops waiting for outcomes after closeMs", async () => {
    const { inlet } = await startClient({ closeMs: 1 }, { _tag: "Hold" })
    const sending = inlet.track({ userId: "ada", event: "e" })
    await within("the client closes", inlet.close())
    expect(await sending.outcome()).toMatchObject({
      status: "undelivered",
      reason: "the client was closed and the server did not answer within 1 ms",
    })
  })

  it("the promise passed to waitUntil resolves when all calls have outcomes", async () => {
    const promises: Array<Promise<unknown>> = []
    const { inlet, proxy } = await startClient(
      { waitUntil: (promise) => promises.push(promise) },
      { _tag: "Hold" },
    )
    void inlet.track({ userId: "ada", event: "one" })
    await eventually("the request is held", () => (proxy.requests.length === 1 ? true : undefined))
    void inlet.track({ userId: "ada", event: "two" })
    expect(promises).toHaveLength(1)
    proxy.release()
    await within("all calls are delivered", Promise.all(promises))
    expect(inlet.pending).toBe(0)
    expect(proxy.requests).toHaveLength(2)
  })
})
