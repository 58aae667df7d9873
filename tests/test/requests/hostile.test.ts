import { gunzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { gzipBomb } from "../../src/gzipBomb.ts"
import { eventually, within } from "../../src/eventually.ts"
import { expectTrackSuccess, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import {
  entity,
  event,
  identify,
  pipelines,
  pipelinesBasic,
  strict,
  track,
  trackBasic,
} from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { head, RawConnection } from "../../src/RawConnection.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const mebibyte = 1024 * 1024
const memoryMax = 512 * mebibyte
/**
 * The largest CPU time, in seconds, that the server may use to reject all 50 compression bombs. Inflating them would
 * take minutes.
 */
const refusingCpuSecondsMax = 10
const authorization = trackBasic
const host = "inlet.example"
const json = (length: number) => ({
  host,
  authorization,
  "content-type": "application/json",
  "content-length": `${length}`,
})
const path = () => `/api/v1/customers/${fresh("slow")}`

/**
 * Sends `bytes` on a connection and then `drip` twice a second until the server closes the connection. If `drip` is
 * empty, only `bytes` are sent. Returns the connection and the elapsed milliseconds.
 */
const untilEnded = async (
  bytes: string,
  drip: string,
): Promise<{ readonly raw: RawConnection; readonly took: number }> => {
  const opened = performance.now()
  const raw = await RawConnection.open(inlet.port, bytes)
  const dripping = setInterval(
    () => drip !== "" && raw.socket.writable && raw.socket.write(drip, "latin1"),
    500,
  )
  try {
    await raw.waitForClose()
  } finally {
    clearInterval(dripping)
  }
  return { raw, took: (raw.closedAt ?? 0) - opened }
}

const slowHeads: ReadonlyArray<readonly [string, string, string]> = [
  ["half a request line", "PUT /api/v1/cust", ""],
  ["half of the headers", `PUT ${path()} HTTP/1.1\r\nhost: ${host}\r\nauthor`, ""],
  ["headers sent one character at a time", `PUT ${path()} HTTP/1.1\r\nhost: ${host}\r\nx-slow: `, "a"],
]

const slowBodies: ReadonlyArray<readonly [string, string, string]> = [
  ["no body", head("PUT", path(), json(1000)), ""],
  ["half a body", `${head("PUT", path(), json(1000))}{"plan":`, ""],
  ["a body sent one character at a time", `${head("PUT", path(), json(10_000))}{"plan":"`, "x"],
  [
    "a chunked body that stops",
    `${head("POST", "/v1/track", { host, authorization: pipelinesBasic, "transfer-encoding": "chunked" })}5\r\n{"use\r\n`,
    "",
  ],
]

const open = (n: number) =>
  RawConnection.open(
    inlet.port,
    n % 2 === 0 ? "PUT /api/v1/cust" : `${head("PUT", path(), json(1000))}{"plan":`,
  )

describe.concurrent("a slow client", () => {
  it.each(slowHeads)(
    "contract §4 slow headers: a client that has sent %s gets a 408 after 10 s",
    async (_name, bytes, drip) => {
      const { raw, took } = await untilEnded(bytes, drip)
      expect(raw.statuses()).toEqual([408])
      expect(took).toBeGreaterThan(9500)
    },
  )

  it.each(slowBodies)(
    "contract §4 slow bodies: a client that has sent %s gets a 408 after 30 s",
    async (_name, bytes, drip) => {
      const { raw, took } = await untilEnded(bytes, drip)
      expect(raw.statuses()).toEqual([408])
      expect(took).toBeGreaterThan(29_500)
    },
  )

  it("500 slow clients at once do not delay the requests of others", async () => {
    const ids = Array.from({ length: 100 }, () => fresh("p"))
    // The server disconnects slow clients after a time limit. If a slow client is still connected after the last call,
    // the calls did not wait for slow clients. If all slow clients were disconnected, this callback runs again with new
    // clients.
    await eventually("the calls are answered while slow clients are connected", async () => {
      const halfOpen = await Promise.all(Array.from({ length: 500 }, (_, n) => open(n)))
      const answers = await Promise.all(ids.map((id) => identify(inlet, id, { plan: "pro" })))
      const left = halfOpen.filter(({ closedAt }) => closedAt === undefined)
      for (const raw of halfOpen) raw.destroy()
      for (const answer of answers) expectTrackSuccess(answer)
      return left.length > 0 ? true : undefined
    })
    for (const id of ids) expect((await management.person({ id })).attributes).toEqual({ plan: "pro" })
  })
})

describe.concurrent("a compression bomb", () => {
  const zeros = gzipBomb(1024, 0)
  const letters = gzipBomb(1024, 0x78)

  it("the generated gzip file inflates to the intended size and content", () => {
    const small = gunzipSync(gzipBomb(3, 0x78))
    expect(small.length).toBe(3 * mebibyte)
    expect(small.every((byte) => byte === 0x78)).toBe(true)
    expect(zeros.length).toBeLessThan(2 * mebibyte)
  })

  it("the server rejects a compression bomb without inflating it", async () => {
    const before = inlet.process.memory().now
    const headers = { "content-encoding": "gzip" }
    const cpuBefore = inlet.process.cpuSeconds()
    for (const bomb of [zeros, letters]) {
      expect((await track(inlet, "PUT", path(), bomb, headers)).status).toBe(413)
      expect((await entity(inlet, bomb, headers)).status).toBe(413)
      expect((await track(inlet, "POST", "/v2/batch", bomb, headers)).status).toBe(413)
      expect((await pipelines(inlet, "/v1/batch", bomb, { ...headers, ...strict })).status).toBe(400)
      expectPipelinesSuccess(await pipelines(inlet, "/v1/batch", bomb, headers))
    }
    const many = Array.from({ length: 40 }, () => track(inlet, "POST", "/v2/batch", zeros, headers))
    for (const answer of await Promise.all(many)) expect(answer.status).toBe(413)
    expect(inlet.process.cpuSeconds() - cpuBefore).toBeLessThan(refusingCpuSecondsMax)
    expect(inlet.process.memory().peak).toBeLessThan(Math.max(before + 256 * mebibyte, memoryMax))
  })
})

const chunkOf = (bytes: number): string => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`

describe.concurrent("a body that is too large", () => {
  it.each([
    ["/v2/batch", trackBasic, 413],
    ["/v1/batch", pipelinesBasic, 200],
  ])(
    "a chunked body that is too large is rejected without being held in memory (path %s)",
    async (target, credentials, status) => {
      const start = head("POST", target, { host, authorization: credentials, "transfer-encoding": "chunked" })
      const chunk = chunkOf(mebibyte)
      // The server may close the connection before it has read the whole body. TCP can then discard the answer before
      // this process reads it. In this case, the callback runs again on a new connection.
      const statuses = await eventually("the server answers", async () => {
        const raw = await RawConnection.open(inlet.port, start)
        for (let n = 0; n < 64 && raw.socket.writable; n++) {
          await new Promise((resolve) => raw.socket.write(chunk, "latin1", resolve))
        }
        if (raw.socket.writable) raw.socket.write("0\r\n\r\n")
        await eventually("the server answers or closes the connection", () =>
          raw.statuses().length > 0 || raw.closedAt !== undefined ? true : undefined,
        )
        raw.destroy()
        return raw.statuses().length > 0 ? raw.statuses() : undefined
      })
      expect(statuses).toEqual([status])
      expect(inlet.process.memory().peak).toBeLessThan(memoryMax)
    },
  )

  it.each([
    [
      "a chunked body without end",
      `${head("POST", "/v2/batch", { host, authorization, "transfer-encoding": "chunked" })}`,
    ],
    ["a body with a content-length of 10 GB", head("PUT", path(), json(10_000_000_000))],
  ])("%s is rejected before it ends, and the connection is closed", async (_name, bytes) => {
    const { raw } = await untilEnded(
      bytes,
      bytes.includes("chunked") ? chunkOf(100_000) : "x".repeat(100_000),
    )
    expect([[413], [408]]).toContainEqual(raw.statuses())
  })
})

describe.concurrent("request headers that are too large", () => {
  it.each([
    ["one header", (size: number) => `x-large: ${"x".repeat(size)}\r\n`],
    ["many headers", (size: number) => "x-some: 0123456789\r\n".repeat(size / 20)],
    ["an authorization header", (size: number) => `authorization: Basic ${"QUFB".repeat(size / 4)}\r\n`],
  ])("a request with %s of 200 KB gets a 431", async (_name, headers) => {
    const raw = await RawConnection.open(
      inlet.port,
      `PUT ${path()} HTTP/1.1\r\nhost: ${host}\r\n${headers(200_000)}\r\n`,
    )
    await raw.waitForClose()
    expect(raw.statuses()).toEqual([431])
  })
})

const put = (id: string) => {
  const body = '{"plan":"pro"}'
  return `${head("PUT", `/api/v1/customers/${id}`, json(body.length))}${body}`
}

describe.concurrent("pipelined requests on one connection", () => {
  it("pipelined requests are answered in order", async () => {
    const ids = Array.from({ length: 20 }, () => fresh("p"))
    const raw = await RawConnection.open(inlet.port, ids.map(put).join(""))
    await eventually("20 answers arrive", () => (raw.statuses().length >= 20 ? true : undefined))
    expect(raw.statuses()).toEqual(ids.map(() => 200))
    raw.destroy()
    for (const id of ids) expect((await management.person({ id })).id).toBe(id)
  })

  // The server must answer requests in order. The error for the garbage at the end must not replace the answer to a
  // valid request before it.
  it.each([
    "\u0000\u0001\u0002",
    "NONSENSE\r\n\r\n",
    "PUT / HTTP/9.9\r\n\r\n",
    "{}\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000\u0001",
  ])("valid requests before the garbage %j on the same connection get their own answers", async (garbage) => {
    const [first, second] = [fresh("p"), fresh("p")]
    const raw = await RawConnection.open(inlet.port, `${put(first)}${put(second)}${garbage}${garbage}`)
    await raw.waitForClose()
    expect(raw.statuses().slice(0, 2)).toEqual([200, 200])
    expect(
      raw
        .statuses()
        .slice(2)
        .every((status) => status === 400 || status === 505),
    ).toBe(true)
    for (const id of [first, second]) expect((await management.person({ id })).id).toBe(id)
  })
})

describe.concurrent("a client that disconnects", () => {
  it("a request is not applied if its client disconnects in the middle of the body", async () => {
    const ids = Array.from({ length: 50 }, () => fresh("left"))
    await Promise.all(
      ids.map(async (id, n) => {
        const body = JSON.stringify({ plan: "x".repeat(900) })
        const raw = await RawConnection.open(
          inlet.port,
          head("PUT", `/api/v1/customers/${id}`, json(body.length)),
        )
        raw.socket.write(body.slice(0, n * 18), "latin1")
        raw.socket.resetAndDestroy()
        await within("the connection closes", raw.closed)
      }),
    )
    expectTrackSuccess(await identify(inlet, fresh("p"), {}))
    for (const id of ids) expect(await management.people({ id })).toEqual([])
  })

  it("a batch of a client that disconnects before the answer is applied completely or not at all", async () => {
    const names = Array.from({ length: 50 }, () => fresh("left"))
    await Promise.all(
      names.map(async (name) => {
        const item = { type: "person", identifiers: { id: name }, action: "event", name }
        const body = JSON.stringify({ batch: Array.from({ length: 20 }, () => item) })
        const raw = await RawConnection.open(
          inlet.port,
          `${head("POST", "/v2/batch", json(body.length))}${body}`,
        )
        raw.destroy()
        await within("the connection closes", raw.closed)
      }),
    )
    expectTrackSuccess(await identify(inlet, fresh("p"), {}))
    for (const name of names) expect([0, 20]).toContain((await management.activity({ name })).length)
  })
})

describe("the server after all hostile requests", () => {
  it("after all hostile requests, the server accepts and stores events and uses less than 512 MiB of memory", async () => {
    const names = Array.from({ length: 200 }, () => fresh("e"))
    const answers = await Promise.all(names.map((name) => event(inlet, "steady", { name, id: name })))
    for (const answer of answers) expectTrackSuccess(answer)
    for (const name of names) expect((await management.event(name)).id).toBe(name)
    expect(await inlet.readiness()).toBe(200)
    expect(inlet.process.exited).toBeUndefined()
    expect(inlet.process.memory().now).toBeLessThan(memoryMax)
  })
})
