import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { waitForAddresses, type ListenAddresses } from "../../src/listenAddresses.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { fresh } from "../../src/fresh.ts"
import { send, type Answer } from "../../src/http.ts"
import { customerPath, trackBasic, type Headers } from "../../src/ingestion.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { launch, type Launched } from "../../src/Launched.ts"
import { head, RawConnection } from "../../src/RawConnection.ts"

const started: Array<Launched> = []
afterAll(() => Promise.all(started.map((process) => process.signal("SIGTERM"))))

const start = async (env: Record<string, string>): Promise<ListenAddresses> => {
  const process = launch({ ...variablesFor(join(freshDirectory(), "data")), ...env })
  started.push(process)
  return waitForAddresses(process)
}

const bearer = { authorization: `Bearer ${credentials.token}` }

const get = (url: string, path: string, headers: Headers = {}): Promise<Answer> =>
  send(url, { method: "GET", path, headers })

const identify = (url: string): Promise<Answer> =>
  send(url, {
    method: "PUT",
    path: customerPath(fresh("p")),
    headers: { authorization: trackBasic },
    body: "{}",
  })

/** An IPv4 address of this machine that is not loopback, or undefined. */
const externalAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address

describe("a separate address for operators", () => {
  it("surface INLET_OPERATOR_PORT: the operator address serves only management, console, metrics and health, and the other address only ingestion", async () => {
    const { operatorUrl = "", url } = await start({ INLET_OPERATOR_PORT: "0" })
    expect(operatorUrl).not.toBe(url)
    const operatorPaths = [
      "/management/v1/workspaces",
      "/management/v1/openapi.json",
      "/console/session",
      "/metrics",
      "/health/live",
      "/health/ready",
    ]
    for (const path of operatorPaths) {
      expect([path, (await get(operatorUrl, path, bearer)).status]).toEqual([path, 200])
      const variants = [path, `/${path}`, path.replace("m", "%6d").replace("h", "%68"), `${path}?a=b`]
      for (const variant of variants) {
        expect([variant, (await get(url, variant, bearer)).status]).toEqual([variant, 404])
      }
    }
    expect((await identify(url)).status).toBe(200)
    expect((await identify(operatorUrl)).status).toBe(404)
    const pipelines = { method: "POST", path: "/v1/track", body: "{}" }
    expect((await send(url, pipelines)).status).toBe(200)
    expect((await send(operatorUrl, pipelines)).status).toBe(404)
  })

  it("metrics at the operator address need no token, even through a proxy", async () => {
    const { operatorUrl = "" } = await start({
      INLET_OPERATOR_HOST: "127.0.0.1",
      INLET_OPERATOR_PORT: "0",
    })
    expect((await get(operatorUrl, "/metrics", { "x-forwarded-for": "203.0.113.9" })).status).toBe(200)
    expect((await get(operatorUrl, "/management/v1/workspaces")).status).toBe(401)
  })

  it("if both ports are the same, one listener serves operators and ingestion", async () => {
    const first = await Inlet.start()
    const port = String(first.port)
    await first.stop()
    const { operatorUrl, url } = await start({ INLET_PORT: port, INLET_OPERATOR_PORT: port })
    expect(operatorUrl).toBeUndefined()
    expect((await get(url, "/health/live")).status).toBe(200)
    expect((await identify(url)).status).toBe(200)
  })

  it("INLET_INGESTION_URL and --ingestion-url give inlet send the ingestion address of a server with two addresses", async () => {
    const { operatorUrl = "", url } = await start({ INLET_OPERATOR_PORT: "0" })
    const variables = { INLET_URL: operatorUrl, INLET_MANAGEMENT_TOKEN: credentials.token }
    const inlet = new CommandLine({ ...variables, INLET_INGESTION_URL: url })
    await inlet.lines("send", "identify", "ada")
    await inlet.lines("people", "delete", "ada", "--yes")
    const oneAddress = new CommandLine(variables)
    await oneAddress.lines("send", "identify", "bob", "--ingestion-url", `${url}/`)
    for (const key of [{}, { INLET_WRITE_KEY: credentials.writeKey }]) {
      const ran = await new CommandLine({ ...variables, ...key }).run(["send", "identify", "eve"])
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain(
        `inlet: the server at ${operatorUrl} does not answer ingestion calls: set --ingestion-url or INLET_INGESTION_URL to the address that does\n`,
      )
    }
    // The variable belongs to the server of INLET_URL, so the calls for another server must not go there.
    const elsewhere = await inlet.run(["send", "identify", "eve", "--url", "http://127.0.0.1:1"])
    expect(elsewhere.stderr).toContain("no server responds at http://127.0.0.1:1")
    expect(await inlet.lines("people", "list")).toEqual([expect.stringContaining("\tbob\t")])
  })

  it("if the operator port is in use, the server names INLET_OPERATOR_PORT and exits with 1", async () => {
    const { url } = await start({})
    const { port } = new URL(url)
    const second = launch({ ...variablesFor(join(freshDirectory(), "data")), INLET_OPERATOR_PORT: port })
    expect(await within("the server exits", second.exit)).toEqual({ code: 1, signal: null })
    expect(second.lines().at(-1)).toContain("INLET_OPERATOR_PORT")
  })

  it("a stopping server finishes the operator requests in flight and closes idle connections", async () => {
    const process = launch({ ...variablesFor(join(freshDirectory(), "data")), INLET_OPERATOR_PORT: "0" })
    const { operatorUrl = "", url } = await waitForAddresses(process)
    const idle = await RawConnection.open(Number(new URL(operatorUrl).port))
    const body = '{"name":"w"}'
    const path = "/management/v1/workspaces"
    const headers = { host: "h", ...bearer, "content-length": `${body.length}` }
    const raw = await RawConnection.open(
      Number(new URL(operatorUrl).port),
      head("POST", path, { ...headers, "content-type": "application/json", expect: "100-continue" }),
    )
    await eventually("the server asks for the body", () => (raw.statuses().includes(100) ? true : undefined))
    expect((await identify(url)).status).toBe(200)
    const stopped = process.signal("SIGTERM")
    raw.socket.write(body)
    expect(await within("the server exits", stopped)).toEqual({ code: 0, signal: null })
    expect(raw.statuses()).toEqual([100, 201])
    await idle.waitForClose()
  })
})

describe("INLET_METRICS", () => {
  it("INLET_METRICS=token requires the management token except from loopback without a proxy", async () => {
    const { url } = await start({ INLET_HOST: "0.0.0.0" })
    expect((await identify(url)).status).toBe(200)
    expect((await get(url, "/metrics")).text).toContain("inlet_operations_total")
    const proxied = [
      { "x-forwarded-for": "203.0.113.9" },
      { forwarded: "for=203.0.113.9" },
      { "x-real-ip": "203.0.113.9" },
    ]
    for (const headers of proxied) {
      const refused = await get(url, "/metrics", headers)
      expect(refused.status).toBe(401)
      expect(refused.headers["content-type"]).toContain("application/problem+json")
      expect(refused.headers["www-authenticate"]).toBe("Bearer")
      expect(refused.text).not.toContain("inlet_operations_total")
      expect((await get(url, "/metrics", { ...headers, ...bearer })).status).toBe(200)
      const wrong = { ...headers, authorization: "Bearer wrong" }
      expect((await get(url, "/metrics", wrong)).status).toBe(401)
      expect((await get(url, "/%6detrics", headers)).status).not.toBe(200)
    }
  })

  it.runIf(externalAddress !== undefined)(
    "INLET_METRICS=token requires the management token from an address other than loopback",
    async () => {
      const { url } = await start({ INLET_HOST: "0.0.0.0" })
      const from = `http://${externalAddress}:${new URL(url).port}`
      expect((await get(from, "/metrics")).status).toBe(401)
      expect((await get(from, "/metrics", bearer)).status).toBe(200)
    },
  )

  it("INLET_METRICS=open serves metrics without a token", async () => {
    const { url } = await start({ INLET_METRICS: "open" })
    expect((await get(url, "/metrics", { "x-forwarded-for": "203.0.113.9" })).status).toBe(200)
  })

  it("INLET_METRICS=off serves no metrics", async () => {
    const { url } = await start({ INLET_METRICS: "off" })
    expect((await get(url, "/metrics", bearer)).status).toBe(404)
  })
})
