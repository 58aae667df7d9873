import { describe, expect, it } from "vitest"
import { Deferred } from "../src/delivery/Deferred.ts"
import { Inlet, type AnyEvents, type InletOptions } from "../src/Inlet.ts"

/** Returns a client. The function `answer` answers its requests. */
const client = (answer: (request: Request) => Promise<Response>, options: InletOptions<AnyEvents> = {}) =>
  new Inlet({
    url: "http://127.0.0.1:1",
    writeKey: "key",
    onWarning: () => {},
    fetch: (url, init) => answer(new Request(url, init)),
    ...options,
  })

describe("the sender", () => {
  it("a closed client does not send the second half of a batch that was too large", async () => {
    let requests = 0
    const held = new Deferred()
    const answer = async ({ signal }: Request): Promise<Response> => {
      requests++
      if (requests === 1) return new Response("", { status: 413 })
      held.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    }
    const inlet = client(answer, { closeMs: 1, batchWaitMs: 0 })
    const sendings = ["a", "b", "c", "d"].map((event) => inlet.track({ userId: "ada", event }))
    await held.promise
    await inlet.close()
    const outcomes = await Promise.all(sendings.map((sending) => sending.outcome()))
    expect(outcomes.map(({ attempts, status }) => [status, attempts])).toEqual([
      ["undelivered", 2],
      ["undelivered", 2],
      ["undelivered", 1],
      ["undelivered", 1],
    ])
    expect(requests).toBe(2)
  })

  it("the SDK sends a call that is larger than a batch alone, and awaiting this call ends", async () => {
    const lengths: Array<number> = []
    const inlet = client(
      async (request) => {
        lengths.push(JSON.parse(await request.text()).batch.length)
        return new Response("{}")
      },
      { batchBytesMax: 1 },
    )
    for (const event of ["a", "b", "c"]) await inlet.track({ userId: "ada", event })
    await inlet.flush()
    expect(lengths).toEqual([1, 1, 1])
  })

  it.each([
    [
      "an error of Node's HTTP client",
      new AggregateError([new Error("connect ECONNREFUSED ::1:1"), new Error("other")]),
    ],
    [
      "an error of fetch",
      new TypeError("fetch failed", { cause: new AggregateError([new Error("connect ECONNREFUSED ::1:1")]) }),
    ],
  ])("the reason of an unreachable server names the first of several addresses: %s", async (_name, error) => {
    const warnings: Array<string> = []
    const inlet = new Inlet({
      url: "http://localhost:1",
      writeKey: "key",
      giveUpMs: 1,
      onWarning: (warning) => warnings.push(warning),
      fetch: () => Promise.reject(error),
    })
    const { reason } = await inlet.track({ userId: "ada", event: "e" }).outcome()
    expect(reason).toBe("given up after 1 ms: the server cannot be reached: connect ECONNREFUSED ::1:1")
  })
})
