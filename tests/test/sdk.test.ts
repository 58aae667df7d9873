import { Inlet, isStored, type AnyEvents, type InletOptions, type Outcome } from "@inlet/sdk"
import { Schema } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { eventually, within } from "../src/eventually.ts"
import { FaultyProxy, type Fault } from "../src/FaultyProxy.ts"
import { fresh, freshEmail } from "../src/fresh.ts"
import { PipelinesSource } from "../src/PipelinesSource.ts"

/** A client, the workspace that it sends to, and the proxy between them. The workspace has the person ada. */
interface Setup {
  readonly inlet: Inlet
  readonly source: PipelinesSource
  readonly proxy: FaultyProxy
  readonly warnings: ReadonlyArray<string>
}

const set = async (
  options: InletOptions<AnyEvents> = {},
  ...faults: ReadonlyArray<Fault>
): Promise<Setup> => {
  const source = await sourceWithAda()
  const proxy = await FaultyProxy.start(source.inlet, ...faults)
  const warnings: Array<string> = []
  const inlet = new Inlet({
    url: proxy.url,
    writeKey: source.writeKey,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })
  onTestFinished(() => inlet.close())
  return { inlet, source, proxy, warnings }
}

const sourceWithAda = async (): Promise<PipelinesSource> => {
  const source = await PipelinesSource.create()
  await source.post("identify", { userId: "ada" })
  return source
}

/** Returns the log entries of the client's calls, oldest first. */
const logOf = async (source: PipelinesSource) => (await source.log()).slice(1)

/** Returns the number of stored events with this name. */
const countEvents = async (source: PipelinesSource, name: string): Promise<number> =>
  (await source.activity({ name, outcome: "applied" })).length

/** Returns the number of calls in each request that reached the proxy. */
const batchLengths = ({ requests }: FaultyProxy): ReadonlyArray<number> =>
  requests.map(({ body }) => Schema.decodeUnknownSync(BatchBody)(body).batch.length)

const BatchBody = Schema.fromJsonString(Schema.Struct({ batch: Schema.Array(Schema.Unknown) }))

const unavailable: Fault = { _tag: "Answer", status: 503, headers: { "retry-after": "0" } }

describe("calls of the SDK", () => {
  it("the call of each method of the SDK is applied, and recorded as an operation of the matching kind", async () => {
    const { inlet, source } = await set()
    const email = freshEmail()
    inlet.identify({ userId: "grace", traits: { email, plan: "pro" } })
    inlet.track({ userId: "grace", event: "signed_up", properties: { source: "web" } })
    inlet.page({ userId: "grace", name: "home" })
    inlet.screen({ userId: "grace", name: "start" })
    inlet.group({ userId: "grace", groupId: "acme", traits: { name: "Acme" } })
    inlet.addDevice({ userId: "grace", device: { token: "phone", type: "ios" } })
    inlet.addDevice({ userId: "grace", device: { token: "tablet", type: "ios" } })
    inlet.deleteDevice({ userId: "grace", device: { token: "tablet" } })
    inlet.identify({ userId: "twin", traits: { city: "Bonn" } })
    inlet.alias({ userId: "grace", previousId: "twin" })
    inlet.identify({ userId: "bob" })
    inlet.deletePerson({ userId: "bob" })
    inlet.identify({ userId: "eve" })
    inlet.suppressPerson({ userId: "eve" })
    inlet.unsuppressPerson({ userId: "eve" })
    await inlet.flush()

    expect(await source.person({ id: "grace" })).toMatchObject({
      email,
      attributes: { plan: "pro", city: "Bonn" },
      devices: [{ token: "phone", platform: "ios" }],
      relationships: [{ object_type_id: "1", object_id: "acme" }],
    })
    expect(await source.people({ id: "bob" })).toEqual([])
    expect(await source.isSuppressed({ id: "eve" })).toBe(false)
    const log = await logOf(source)
    expect(log.map(({ kind }) => kind)).toEqual([
      "identify",
      "event",
      "page",
      "screen",
      "object_identify",
      "add_device",
      "add_device",
      "delete_device",
      "identify",
      "merge",
      "identify",
      "delete",
      "identify",
      "suppress",
      "unsuppress",
    ])
  })

  it("the outcome of a call has the reason, the rule and the operation id of its log entry", async () => {
    const { inlet, source } = await set()
    const email = freshEmail()
    const sendings = [
      inlet.identify({ userId: "grace", traits: { email } }),
      inlet.identify({ userId: "bob", traits: { email } }),
      inlet.track({ userId: "svc_unknown", event: "seen" }),
      inlet.track({ anonymousId: "visitor", event: "seen" }),
      inlet.track({ userId: "grace", event: "" }),
    ]
    await inlet.flush()
    const outcomes = await Promise.all(sendings.map((sending) => sending.outcome()))
    const log = await logOf(source)
    expect(outcomes).toEqual(
      log.map(({ operation_id, outcome, reason, rule }, at) => ({
        messageId: sendings[at]?.messageId,
        status: outcome,
        reason,
        rule,
        operationId: operation_id,
        attempts: 1,
      })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([
      "created",
      "partial",
      "dropped",
      "pending",
      "rejected",
    ])
    expect(outcomes.map(isStored)).toEqual([true, true, false, true, false])
  })

  it("a call that a program makes twice with the same messageId is applied once", async () => {
    const { inlet, source } = await set()
    const call = { userId: "ada", event: "paid", messageId: fresh("payment"), timestamp: new Date(1e12) }
    const outcomes = [await inlet.track(call).outcome(), await inlet.track(call).outcome()]
    expect(outcomes.map(({ status }) => status)).toEqual(["applied", "duplicate"])
    expect(await logOf(source)).toMatchObject([
      { id: call.messageId, original_timestamp: "2001-09-09T01:46:40.000Z" },
      { outcome: "duplicate" },
    ])
  })

  it("a call that cannot be sent gets the outcome rejected with the reason", async () => {
    const { inlet, proxy } = await set()
    const outcomes = [
      await inlet.track({ userId: "ada", event: "e", properties: { big: "x".repeat(32 * 1024) } }).outcome(),
      await inlet.track({ userId: "ada", event: "e", properties: { count: 1n } }).outcome(),
    ]
    expect(outcomes).toMatchObject([
      {
        status: "rejected",
        reason: expect.stringMatching(/^the call has \d+ bytes: expected at most 32768$/),
        attempts: 0,
      },
      { status: "rejected", reason: expect.stringContaining("BigInt"), attempts: 0 },
    ])
    expect(proxy.requests).toEqual([])
  })

  it("properties that do not fit the schema of their event are rejected before they are sent", async () => {
    const source = await sourceWithAda()
    const signedUp = Schema.Struct({ plan: Schema.Literals(["free", "pro"]) })
    await using inlet = new Inlet({
      url: source.inlet.url,
      writeKey: source.writeKey,
      events: { signed_up: Schema.toStandardSchemaV1(signedUp) },
      onWarning: () => {},
    })
    const valid = inlet.track({ userId: "ada", event: "signed_up", properties: { plan: "pro" } })
    const input: unknown = JSON.parse('{"plan":"gold"}')
    // @ts-expect-error The type of the properties is unknown.
    const invalid = inlet.track({ userId: "ada", event: "signed_up", properties: input })
    expect(await valid.outcome()).toMatchObject({ status: "applied" })
    expect(await invalid.outcome()).toMatchObject({
      status: "rejected",
      reason: expect.stringContaining("properties.plan: "),
      attempts: 0,
    })
    expect(await logOf(source)).toHaveLength(1)
  })
})

describe("batches of the SDK", () => {
  it("calls are collected into requests of at most batchBytesMax bytes", async () => {
    const { inlet, proxy, source } = await set({ batchBytesMax: 100 * 1024, batchWaitMs: 60_000 })
    const note = "ü".repeat(400)
    for (let n = 0; n < 2500; n++) void inlet.track({ userId: "ada", event: "e", properties: { n, note } })
    await inlet.flush()
    const sizes = proxy.requests.map(({ body }) => Buffer.byteLength(body))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100 * 1024)
    expect(sizes.slice(0, -1).every((size) => size > 98 * 1024)).toBe(true)
    expect(batchLengths(proxy).reduce((sum, length) => sum + length, 0)).toBe(2500)
    expect(await countEvents(source, "e")).toBe(2500)
  })

  it("a request has at most batchCallsMax calls", async () => {
    const { inlet, proxy } = await set({ batchCallsMax: 10 })
    for (let n = 0; n < 25; n++) void inlet.track({ userId: "ada", event: "e" })
    await inlet.flush()
    expect(batchLengths(proxy)).toEqual([10, 10, 5])
  })

  it("calls that are too few to fill a batch are sent even if flush is not called", async () => {
    const { inlet, source } = await set()
    const sending = inlet.track({ userId: "ada", event: "e" })
    await eventually("the call is sent", async () => ((await logOf(source)).length === 1 ? true : undefined))
    await sending.outcome()
    expect(inlet.pending).toBe(0)
  })

  it("a batch that a proxy rejects as too large is sent again in halves", async () => {
    const tooLarge: Fault = { _tag: "Answer", status: 413, body: "Request Entity Too Large" }
    const { inlet, proxy } = await set({}, tooLarge, tooLarge, tooLarge)
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
    const { inlet, proxy, source } = await set({}, { _tag: "DropAnswer" })
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
    const { inlet, source, warnings } = await set({}, fault, fault)
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({ status: "applied", attempts: 3 })
    expect(await countEvents(source, "e")).toBe(1)
    expect(warnings).toHaveLength(1)
  })

  it("calls keep their order when a request is repeated", async () => {
    const { inlet, source } = await set({ batchCallsMax: 2 }, unavailable, { _tag: "Refuse" })
    const names = Array.from({ length: 9 }, (_, n) => `event ${n}`)
    for (const event of names) void inlet.track({ userId: "ada", event })
    await inlet.flush()
    expect((await logOf(source)).map(({ name }) => name)).toEqual(names)
  })

  it("a call that could not be sent within giveUpMs gets the outcome undelivered", async () => {
    const faults = Array.from({ length: 100 }, () => unavailable)
    const { inlet, source } = await set({ giveUpMs: 1 }, ...faults)
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
      "the answer is not that of Inlet: check the url",
    ],
    [
      "a redirect",
      { _tag: "Answer", status: 301, headers: { location: "https://example.com/" } },
      "the server redirects to https://example.com/: use that address as url",
    ],
    ["404", { _tag: "Answer", status: 404, body: "not here" }, "the server answered 404: not here"],
  ])("a call is rejected after %s", async (_name, fault, reason) => {
    const { inlet, proxy } = await set({}, fault)
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({ status: "rejected", reason, attempts: 1 })
    expect(proxy.requests).toHaveLength(1)
  })

  it("a call with an unknown write key is rejected, and the client warns", async () => {
    const { inlet, warnings } = await set({ writeKey: "wrong" })
    const sending = inlet.track({ userId: "ada", event: "e" })
    expect(await sending.outcome()).toMatchObject({
      status: "rejected",
      reason: "unknown write key",
      rule: "contract §3 unauthorized calls",
    })
    expect(warnings).toEqual([`inlet: the call ${sending.messageId} is rejected: unknown write key`])
  })

  it("calls get the outcome accepted if the server's answer lists no outcomes", async () => {
    const { inlet } = await set({}, { _tag: "Answer", status: 200, body: "{}\n" })
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({ status: "accepted", reason: null })
  })

  it("a request that is not answered within requestTimeoutMs is repeated", async () => {
    const { inlet, source } = await set({ requestTimeoutMs: 1000 }, { _tag: "Hold" })
    const outcome = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(outcome).toMatchObject({ status: "applied", attempts: 2 })
    expect(await countEvents(source, "e")).toBe(1)
  })
})

describe("the buffer of the SDK", () => {
  it("awaiting each call slows down a program that makes calls faster than the server accepts them", async () => {
    const { inlet, proxy } = await set({ bufferCallsMax: 20, batchCallsMax: 5 }, { _tag: "Hold" })
    let queued = 0
    const producing = (async () => {
      for (let n = 0; n < 100; n++) {
        await inlet.track({ userId: "ada", event: "e" })
        queued++
      }
    })()
    await eventually("the first request is held", () => (proxy.requests.length === 1 ? true : undefined))
    // The held request contains 5 calls. When the buffer is half full, awaiting a call pauses the program.
    await eventually("the producer waits", () => (queued >= 9 ? true : undefined))
    expect(inlet.pending).toBeLessThanOrEqual(15)
    proxy.release()
    await within("the producer ends", producing)
    await inlet.flush()
    expect(batchLengths(proxy).reduce((sum, length) => sum + length, 0)).toBe(100)
  })

  it("calls that exceed the capacity of the buffer get the outcome undelivered at once", async () => {
    const { inlet, proxy, source } = await set({ bufferCallsMax: 4, batchCallsMax: 2 }, { _tag: "Hold" })
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
    const { inlet, proxy } = await set({}, { _tag: "Hold" })
    const outcomes: Array<Outcome> = []
    const inFlight = inlet.track({ userId: "ada", event: "e" })
    void inFlight.outcome().then((outcome) => outcomes.push(outcome))
    await eventually("the request is held", () => (proxy.requests.length === 1 ? true : undefined))
    const flushed = inlet.flush().then(() => outcomes.length)
    proxy.release()
    expect(await within("the flush ends", flushed)).toBe(1)
  })

  it("await using delivers every call before its block ends", async () => {
    const source = await sourceWithAda()
    {
      await using inlet = new Inlet({ url: source.inlet.url, writeKey: source.writeKey })
      void inlet.track({ userId: "ada", event: "e" })
    }
    expect(await logOf(source)).toMatchObject([{ name: "e", outcome: "applied" }])
  })

  it("a closed client delivers the queued calls and refuses later calls", async () => {
    const { inlet, source } = await set()
    void inlet.track({ userId: "ada", event: "before" })
    await inlet.close()
    await inlet.close()
    const late = await inlet.track({ userId: "ada", event: "after" }).outcome()
    expect(late).toMatchObject({ status: "undelivered", reason: "the client is closed", attempts: 0 })
    expect((await logOf(source)).map(({ name }) => name)).toEqual(["before"])
  })

  it("close gives up waiting for outcomes after closeMs", async () => {
    const { inlet } = await set({ closeMs: 1 }, { _tag: "Hold" })
    const sending = inlet.track({ userId: "ada", event: "e" })
    await within("the client closes", inlet.close())
    expect(await sending.outcome()).toMatchObject({
      status: "undelivered",
      reason: "the client was closed and the server did not answer within 1 ms",
    })
  })

  it("the promise passed to waitUntil resolves when all calls have outcomes", async () => {
    const promises: Array<Promise<unknown>> = []
    const { inlet, proxy } = await set({ waitUntil: (promise) => promises.push(promise) }, { _tag: "Hold" })
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
