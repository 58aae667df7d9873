import { describe, expect, it } from "vitest"
import { Inlet, type AnyEvents, type InletOptions } from "../src/Inlet.ts"

const client = (options: InletOptions<AnyEvents>) =>
  new Inlet({
    url: "http://127.0.0.1:1",
    writeKey: "key",
    batchWaitMs: 0,
    onWarning: () => {},
    fetch: () => Promise.resolve(new Response("{}")),
    ...options,
  })

const fails = () => {
  throw new Error("a bug of the program")
}

describe("a function of the program that throws", () => {
  it("onOutcome: the client warns and sends further calls", async () => {
    const warnings: Array<string> = []
    const inlet = client({ onOutcome: fails, onWarning: (warning) => warnings.push(warning) })
    for (const event of ["one", "two"]) {
      expect(await inlet.track({ userId: "ada", event }).outcome()).toMatchObject({ status: "accepted" })
    }
    await inlet.flush()
    expect(warnings).toEqual(["inlet: onOutcome threw an error: Error: a bug of the program"])
  })

  it("onOutcome: a promise that rejects becomes a warning", async () => {
    const warnings: Array<string> = []
    const inlet = client({
      onOutcome: () => Promise.reject(new Error("a bug of the program")),
      onWarning: (warning) => {
        warnings.push(warning)
        return Promise.reject(new Error("another bug"))
      },
    })
    expect(await inlet.track({ userId: "ada", event: "e" }).outcome()).toMatchObject({ status: "accepted" })
    await inlet.flush()
    expect(warnings).toEqual(["inlet: onOutcome threw an error: Error: a bug of the program"])
  })

  it("onOutcome: a call that is rejected at once does not throw", async () => {
    const inlet = client({ onOutcome: fails, callBytesMax: 1 })
    expect(await inlet.track({ userId: "ada", event: "e" }).outcome()).toMatchObject({ status: "rejected" })
  })

  it("onWarning: the client retries and sends further calls", async () => {
    const answers = [503, 400, 200]
    const inlet = client({
      onWarning: fails,
      fetch: () => Promise.resolve(new Response("{}", { status: answers.shift() ?? 200 })),
    })
    const statuses = []
    for (const event of ["one", "two"]) {
      const { status } = await inlet.track({ userId: "ada", event }).outcome()
      statuses.push(status)
    }
    await inlet.flush()
    expect(statuses).toEqual(["rejected", "accepted"])
  })

  it("waitUntil: the call does not throw and is sent", async () => {
    const warnings: Array<string> = []
    const inlet = client({ waitUntil: fails, onWarning: (warning) => warnings.push(warning) })
    expect(await inlet.track({ userId: "ada", event: "e" }).outcome()).toMatchObject({ status: "accepted" })
    expect(warnings).toEqual(["inlet: waitUntil threw an error: Error: a bug of the program"])
  })
})
