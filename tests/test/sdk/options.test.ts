import { Inlet, type AnyEvents, type InletOptions, type Outcome } from "@inlethq/sdk"
import { make } from "@inlethq/sdk/effect"
import { FileSpool } from "@inlethq/sdk/spool"
import { Effect } from "effect"
import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import type { Fault } from "../../src/FaultyProxy.ts"
import { logOf, startClient } from "../../src/sdkClient.ts"

type BeforeSend = NonNullable<InletOptions<AnyEvents>["beforeSend"]>

const text = "a text that occurs in every call ".repeat(20)

describe("the option gzip of the SDK", () => {
  it("requests of at least 1,024 bytes are compressed, and the server applies their calls", async () => {
    const { inlet, proxy, source } = await startClient({ gzip: true })
    const { status } = await inlet.track({ userId: "ada", event: "small" }).outcome()
    const calls = Array.from({ length: 100 }, () =>
      inlet.track({ userId: "ada", event: "large", properties: { text } }),
    )
    const outcomes = await Promise.all(calls.map((call) => call.outcome()))
    expect(status).toBe("applied")
    expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(new Set(["applied"]))
    const [small, large] = proxy.requests
    expect(small?.headers["content-encoding"]).toBeUndefined()
    expect(large?.headers["content-encoding"]).toBe("gzip")
    expect(large?.bytes).toBeLessThan((100 * text.length) / 10)
    expect((await logOf(source)).at(-1)).toMatchObject({ data: { text } })
  })

  it("requests are not compressed by default", async () => {
    const { inlet, proxy } = await startClient()
    await inlet.track({ userId: "ada", event: "large", properties: { text: text.repeat(2) } }).outcome()
    expect(proxy.requests.map(({ headers }) => headers["content-encoding"])).toEqual([undefined])
  })

  it("a server that answers a compressed request with 415 gets it again without compression", async () => {
    const refused: Fault = { _tag: "Answer", status: 415 }
    const { inlet, proxy } = await startClient({ gzip: true }, refused)
    for (let n = 0; n < 2; n++) {
      const properties = { text: text.repeat(2) }
      const outcome = await inlet.track({ userId: "ada", event: "large", properties }).outcome()
      expect(outcome).toMatchObject({ status: "applied", attempts: 1 })
    }
    const encodings = proxy.requests.map(({ headers }) => headers["content-encoding"])
    expect(encodings).toEqual(["gzip", undefined, undefined])
  })
})

describe("the option context of the SDK", () => {
  it("a call gets the default context, and its own fields replace those of the default", async () => {
    const { inlet, proxy } = await startClient({ context: { app: { name: "shop" }, locale: "en" } })
    await inlet.track({ userId: "ada", event: "plain" }).outcome()
    await inlet.track({ userId: "ada", event: "own", context: { locale: "de", ip: "127.0.0.1" } }).outcome()
    const contexts = proxy.requests.map(({ body }) => JSON.parse(body).batch[0].context)
    expect(contexts).toEqual([
      { app: { name: "shop" }, locale: "en" },
      { app: { name: "shop" }, locale: "de", ip: "127.0.0.1" },
    ])
  })
})

describe("the option beforeSend of the SDK", () => {
  it("calls are sent as beforeSend returns them, and discarded calls are counted", async () => {
    const outcomes: Array<Outcome> = []
    const { inlet, source, warnings } = await startClient({
      context: { locale: "en" },
      onOutcome: (outcome) => outcomes.push(outcome),
      beforeSend: (call) =>
        call["event"] === "Internal"
          ? null
          : { ...call, messageId: "another", properties: { context: call["context"] } },
    })
    const paid = inlet.track({ userId: "ada", event: "Paid", properties: { card: "4111" } })
    const internal = await inlet.track({ userId: "ada", event: "Internal" }).outcome()
    expect(internal).toMatchObject({ status: "discarded", reason: "beforeSend returned null", attempts: 0 })
    expect(await paid.outcome()).toMatchObject({ status: "applied", messageId: paid.messageId })
    expect(inlet.discarded).toBe(1)
    expect(outcomes.map(({ status }) => status)).toEqual(["discarded", "applied"])
    expect(warnings).toEqual([])
    expect(await logOf(source)).toMatchObject([
      { id: paid.messageId, name: "Paid", data: { context: { locale: "en" } } },
    ])
  })

  it.each<readonly [string, BeforeSend, string]>([
    ["throws", () => raise(), "beforeSend threw an error: Error: no such field"],
    [
      "returns a text",
      () => JSON.parse('"text"'),
      "beforeSend must return a call or null: it returned string",
    ],
    [
      "returns a promise",
      () => Reflect.get({ late: Promise.reject(new Error("late")) }, "late"),
      "beforeSend must return a call or null: it returned a promise",
    ],
  ])("a call for which beforeSend %s is rejected, and other calls are sent", async (_, fail, reason) => {
    const { inlet, source } = await startClient({
      beforeSend: (call) => (call["event"] === "broken" ? fail(call) : call),
    })
    const broken = inlet.track({ userId: "ada", event: "broken" })
    const whole = inlet.track({ userId: "ada", event: "whole" })
    expect(await broken.outcome()).toMatchObject({ status: "rejected", reason, attempts: 0 })
    expect(await whole.outcome()).toMatchObject({ status: "applied" })
    expect((await logOf(source)).map(({ name }) => name)).toEqual(["whole"])
    expect(inlet.discarded).toBe(0)
  })

  it("the Effect client calls beforeSend and counts discarded calls", async () => {
    const { proxy, source } = await startClient()
    const program = Effect.gen(function* () {
      const inlet = yield* make({
        url: proxy.url,
        writeKey: source.writeKey,
        gzip: true,
        context: { locale: "en" },
        beforeSend: (call) => (call["event"] === "Internal" ? null : call),
      })
      yield* inlet.track({ userId: "ada", event: "Internal" })
      yield* inlet.track({ userId: "ada", event: "Paid", properties: { text: text.repeat(2) } })
      yield* inlet.flush
      return yield* inlet.discarded
    })
    expect(await Effect.runPromise(Effect.scoped(program))).toBe(1)
    expect((await logOf(source)).map(({ name }) => name)).toEqual(["Paid"])
    expect(proxy.requests.map(({ headers }) => headers["content-encoding"])).toEqual(["gzip"])
  })
})

const raise = (): never => {
  throw new Error("no such field")
}

describe("a disabled client of the SDK", () => {
  it("sends nothing, needs no address, and leaves the calls of the spool on disk", async () => {
    const { inlet: stopped, proxy } = await startClient({ giveUpMs: 1 }, { _tag: "Refuse" })
    const directory = freshDirectory()
    const spool = new FileSpool({ directory })
    expect(spool.keep('{"type":"track","messageId":"m1","userId":"ada","event":"kept"}')).toBe(true)
    const outcomes: Array<Outcome> = []
    const inlet = new Inlet({
      disabled: true,
      flushOnSignals: ["SIGTERM"],
      spool,
      onOutcome: (outcome) => outcomes.push(outcome),
      beforeSend: raise,
    })
    const sending = inlet.track({ userId: "ada", event: "e" })
    await sending
    expect(await sending.outcome()).toMatchObject({ status: "discarded", reason: "the client is disabled" })
    await inlet.flush()
    await inlet.close()
    expect(inlet).toMatchObject({ discarded: 1, pending: 0 })
    expect(outcomes).toHaveLength(1)
    expect(readdirSync(directory)).toHaveLength(1)
    expect(process.listenerCount("SIGTERM")).toBe(0)
    await stopped.close()
    expect(proxy.requests).toEqual([])
  })
})
