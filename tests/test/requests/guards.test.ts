import { connect } from "node:net"
import { afterAll, describe, expect, it } from "vitest"
import { send, type Answer } from "../../src/http.ts"
import type { Headers } from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { head, RawConnection } from "../../src/RawConnection.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())

const bearer = { authorization: `Bearer ${credentials.token}` }

const get = (path: string, headers: Headers = bearer): Promise<Answer> =>
  send(inlet.url, { method: "GET", path, headers })

describe("requests without credentials", () => {
  it("do not keep operators from streams, exports and lists", async () => {
    const host = { host: "inlet.example" }
    const workspace = "/management/v1/workspaces/1"
    const requests = [
      head("GET", "/management/v1/openapi.json", host).repeat(64),
      head("GET", `${workspace}/activity/stream`, host).repeat(200),
      head("GET", `${workspace}/people`, host).repeat(8),
    ]
    const socket = connect({ host: "127.0.0.1", port: inlet.port }).pause()
    socket.write(requests.join(""))
    try {
      for (let n = 0; n < 5; n++) {
        expect((await get(`${workspace}/people`)).status).toBe(200)
        expect((await get(`${workspace}/export/people`)).status).toBe(200)
      }
    } finally {
      socket.destroy()
    }
  })
})

describe("the management token", () => {
  it("wrong tokens get a 429 after ten in a minute from one address, and the right token is accepted", async () => {
    const own = await Inlet.start()
    const answerTo = (path: string, token: string): Promise<Answer> =>
      send(own.url, {
        method: "GET",
        path,
        headers: { authorization: `Bearer ${token}`, host: "inlet.example" },
      })
    const paths = ["/management/v1/workspaces", "/metrics"]
    for (let guess = 0; guess < 10; guess++) {
      expect((await answerTo(paths[guess % 2] ?? "", `guess-${guess}`)).status).toBe(401)
    }
    for (const path of paths) {
      const refused = await answerTo(path, "another-guess")
      expect([path, refused.status, refused.json]).toEqual([
        path,
        429,
        expect.objectContaining({ status: 429 }),
      ])
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
      expect((await answerTo(path, credentials.token)).status).toBe(200)
    }
    expect((await send(own.url, { method: "GET", path: paths[0] ?? "" })).status).toBe(401)
    await own.stop()
  })
})

describe("metrics without a token", () => {
  it("are served to a Host that means this machine, and not to a web page with a name of its own", async () => {
    const port = `:${inlet.port}`
    for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.0.0.2", "[::1]", "inlet.localhost"]) {
      expect([host, (await get("/metrics", { host: host + port })).status]).toEqual([host, 200])
    }
    for (const host of ["rebound.example", "localhost.rebound.example", "127.0.0.1.rebound.example", "x"]) {
      expect([host, (await get("/metrics", { host: host + port })).status]).toEqual([host, 401])
      expect((await get("/metrics", { host: host + port, ...bearer })).status).toBe(200)
    }
  })
})

describe("X-Content-Type-Options", () => {
  it("is nosniff on every answer", async () => {
    const paths = [
      "/management/v1/workspaces",
      "/management/v1/openapi.json",
      "/management/v1/nothing",
      "/health/live",
      "/metrics",
      "/",
      "/console/",
      "/console/session",
      "/api/v1/accounts/region",
      "/nothing",
      "/v1/nothing",
    ]
    for (const path of paths) {
      const { headers } = await get(path)
      expect([path, headers["x-content-type-options"]]).toEqual([path, "nosniff"])
    }
    for (const bytes of ["not HTTP\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"]) {
      const raw = await RawConnection.open(inlet.port, bytes)
      await raw.waitForClose()
      expect(raw.text).toMatch(/^x-content-type-options: nosniff\r$/im)
    }
  })
})
