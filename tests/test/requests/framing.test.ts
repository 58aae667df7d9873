import { afterAll, describe, expect, it } from "vitest"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import { track, trackBasic } from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { head, RawConnection } from "../../src/RawConnection.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const body = '{"plan":"pro"}'
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const authorization = `authorization: ${trackBasic}\r\n`

const pathOf = (id: string) => `/api/v1/customers/${id}`

/** Returns a complete and well-formed request. */
const valid = (id: string): string =>
  head("PUT", pathOf(id), {
    host: "h",
    authorization: trackBasic,
    "content-length": String(body.length),
  }) + body

const badlyFramed: ReadonlyArray<readonly [string, (id: string) => string]> = [
  [
    "HTTP/1.0 with Transfer-Encoding",
    (id) =>
      `PUT ${pathOf(id)} HTTP/1.0\r\nhost: h\r\n${authorization}transfer-encoding: chunked\r\n\r\n${chunked}`,
  ],
  [
    "HTTP/1.0 with Transfer-Encoding and keep-alive",
    (id) =>
      `PUT ${pathOf(id)} HTTP/1.0\r\nhost: h\r\nconnection: keep-alive\r\n${authorization}transfer-encoding: chunked\r\n\r\n${chunked}`,
  ],
  [
    "two Host headers",
    (id) =>
      `PUT ${pathOf(id)} HTTP/1.1\r\nhost: h\r\n${authorization}Host: other\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  ],
  [
    "two equal Host headers",
    (id) =>
      `PUT ${pathOf(id)} HTTP/1.1\r\nhost: h\r\nHOST: h\r\n${authorization}content-length: ${body.length}\r\n\r\n${body}`,
  ],
  [
    "Transfer-Encoding and Content-Length",
    (id) =>
      `PUT ${pathOf(id)} HTTP/1.1\r\nhost: h\r\n${authorization}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n${chunked}`,
  ],
]

describe.concurrent("a request with ambiguous framing", () => {
  it.each(badlyFramed)(
    "contract §4 framing: a request with %s gets a 400, is not applied, and its connection is closed",
    async (_name, bytes) => {
      const [before, bad, after] = [fresh("p"), fresh("p"), fresh("p")]
      const raw = await RawConnection.open(inlet.port, `${valid(before)}${bytes(bad)}${valid(after)}`)
      await raw.waitForClose()
      expect(raw.statuses()).toEqual([200, 400])
      expect(raw.text.toLowerCase()).toContain("connection: close")
      expect((await management.person({ id: before })).attributes).toEqual({ plan: "pro" })
      for (const id of [bad, after]) expect(await management.people({ id })).toEqual([])
    },
  )

  it.each([
    ["an ambiguous request", badlyFramed[2]?.[1]("p") ?? "", 400],
    ["bytes that are not HTTP", "NONSENSE\r\n\r\n", 400],
    ["a character that must be escaped", "GET /api/v1/customers/\u00e9 HTTP/1.1\r\nhost: h\r\n\r\n", 400],
    ["a missing Host", "GET /health/live HTTP/1.1\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nx: ${"x".repeat(100_000)}\r\n\r\n`, 431],
  ])("answers %s with a JSON error and closes the connection", async (_name, bytes, status) => {
    const raw = await RawConnection.open(inlet.port, bytes)
    await raw.waitForClose()
    expect(raw.statuses()).toEqual([status])
    const text = raw.text.slice(raw.text.indexOf("\r\n\r\n") + 4)
    expect(JSON.parse(text)).toEqual({ meta: { error: expect.stringMatching(/\w+ \w+/) } })
  })
})

describe.concurrent("a path that begins with two slashes", () => {
  it("contract §1 slashes: the server reads a path that begins with two slashes like a path that begins with one slash", async () => {
    const [first, second] = [fresh("p"), fresh("p")]
    expectTrackSuccess(await track(inlet, "PUT", `/${pathOf(first)}`, { plan: "pro" }))
    expectTrackSuccess(await track(inlet, "PUT", `http://inlet.example/${pathOf(second)}`, { plan: "pro" }))
    for (const id of [first, second]) expect((await management.person({ id })).id).toBe(id)
    const path = "//management/v1/workspaces"
    const headers = { authorization: `Bearer ${credentials.token}` }
    expect((await send(inlet.url, { method: "GET", path, headers })).status).toBe(200)
    expect((await send(inlet.url, { method: "GET", path: "//health/live" })).status).toBe(200)
  })

  it("a run of slashes counts as one, wherever in a path it is", async () => {
    expect((await track(inlet, "PUT", `/api/v1//customers/${fresh("p")}`, {})).status).toBe(200)
  })
})
