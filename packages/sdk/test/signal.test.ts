import { describe, expect, it } from "vitest"
import { Inlet, type AnyEvents, type InletOptions } from "../src/Inlet.ts"

const client = (options: InletOptions<AnyEvents> = {}) =>
  new Inlet({ url: "http://127.0.0.1:1", writeKey: "key", batchWaitMs: 0, onWarning: () => {}, ...options })

describe("the signal of a call", () => {
  it("discards a call that waits, and sends the others", async () => {
    const bodies: Array<string> = []
    const inlet = client({
      batchWaitMs: 60_000,
      fetch: (_, init) => {
        bodies.push(new TextDecoder().decode(init?.body instanceof Uint8Array ? init.body : undefined))
        return Promise.resolve(new Response("{}"))
      },
    })
    const over = new AbortController()
    const waiting = inlet.track({ userId: "ada", event: "waits", signal: over.signal })
    const other = inlet.track({ userId: "ada", event: "other" })
    over.abort()
    expect(await waiting.outcome()).toMatchObject({ status: "discarded", code: "aborted", attempts: 0 })
    await inlet.flush()
    expect(await other.outcome()).toMatchObject({ status: "accepted", code: null })
    expect(inlet.discarded).toBe(1)
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).not.toContain("waits")
    expect(bodies[0]).not.toContain("signal")
  })

  it("discards a call at once if it is aborted already", async () => {
    const inlet = client()
    const sending = inlet.identify({ userId: "ada", signal: AbortSignal.abort() })
    expect(await sending.outcome()).toMatchObject({ status: "discarded", code: "aborted", attempts: 0 })
  })

  it("says with attempts that a call was being sent", async () => {
    const started = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<Response>()
    const inlet = client({
      fetch: () => {
        started.resolve()
        return ended.promise
      },
    })
    const over = new AbortController()
    const sending = inlet.track({ userId: "ada", event: "e", signal: over.signal })
    await started.promise
    over.abort()
    expect(await sending.outcome()).toMatchObject({ status: "discarded", code: "aborted", attempts: 1 })
    ended.resolve(new Response("{}"))
    await inlet.flush()
  })
})

describe("the code of an outcome", () => {
  it.each([
    [{ callBytesMax: 1 }, "call_too_large"],
    [{ beforeSend: () => null }, "before_send_discarded"],
    [{ disabled: true }, "disabled"],
    [{ fetch: () => Promise.resolve(new Response("{}", { status: 400 })) }, "answered"],
    [{ giveUpMs: 1, fetch: () => Promise.reject(new Error("no route")) }, "given_up"],
  ] as const)("with the options %j is %s", async (options, code) => {
    expect(await client(options).track({ userId: "ada", event: "e" }).outcome()).toMatchObject({ code })
  })

  it("is the server's, where the server decided", async () => {
    const listed = {
      index: 0,
      outcome: "partial",
      reason: "r",
      code: "taken",
      rule: "contract §6",
      operation_id: "op1",
    }
    const inlet = client({
      fetch: () => Promise.resolve(new Response(JSON.stringify({ success: true, outcomes: [listed] }))),
    })
    expect(await inlet.track({ userId: "ada", event: "e" }).outcome()).toMatchObject({
      status: "partial",
      code: "taken",
    })
  })
})
