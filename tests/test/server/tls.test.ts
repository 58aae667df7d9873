import { rmSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:https"
import { join } from "node:path"
import type { TLSSocket } from "node:tls"
import { afterAll, describe, expect, it } from "vitest"
import { waitForAddresses } from "../../src/listenAddresses.ts"
import { makeCertificate, type Pem } from "@inlethq/postgres-server/certificate"
import { eventually, within } from "../../src/eventually.ts"
import { fresh } from "../../src/fresh.ts"
import { base64, customerPath, trackBasic } from "../../src/ingestion.ts"
import { credentials, variablesFor } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { launch, type Launched } from "../../src/Launched.ts"
import { RawConnection } from "../../src/RawConnection.ts"

const started: Array<Launched> = []
afterAll(() => Promise.all(started.map((process) => process.signal("SIGTERM"))))

const [first, second] = [makeCertificate("first"), makeCertificate("second")]

/** Certificate files in a separate directory, and the environment variables with their paths. */
class CertificateFiles {
  readonly cert: string
  readonly key: string
  readonly dataDir: string

  constructor(pem: Pem) {
    const directory = freshDirectory()
    this.cert = join(directory, "cert.pem")
    this.key = join(directory, "key.pem")
    this.dataDir = join(directory, "data")
    this.write(pem)
  }

  write({ cert, key }: Pem): void {
    writeFileSync(this.cert, cert)
    writeFileSync(this.key, key)
  }

  get variables(): Record<string, string> {
    return { ...variablesFor(this.dataDir), INLET_TLS_CERT: this.cert, INLET_TLS_KEY: this.key }
  }
}

interface TlsAnswer {
  readonly status: number
  readonly text: string
  readonly commonName: string
}

interface TlsRequest {
  readonly method?: string
  readonly path: string
  readonly authorization?: string
  readonly body?: string
}

/**
 * Sends a request over a new connection that trusts only the test certificates. Also returns the common name in the
 * server's certificate.
 */
const ask = (
  url: string,
  { authorization, body = "", method = "GET", path }: TlsRequest,
): Promise<TlsAnswer> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ ca: [first.cert, second.cert], maxCachedSessions: 0 })
    const headers = {
      "content-length": body.length,
      ...(authorization === undefined ? {} : { authorization }),
    }
    const outgoing = request(new URL(path, url), { agent, method, headers }, (incoming) => {
      const { subject } = (outgoing.socket as TLSSocket).getPeerCertificate()
      let text = ""
      incoming.setEncoding("utf8").on("data", (part: string) => (text += part))
      incoming.once("end", () => {
        agent.destroy()
        resolve({ status: incoming.statusCode ?? 0, text, commonName: String(subject.CN) })
      })
    })
    outgoing.once("error", reject)
    outgoing.end(body)
  })

const start = async (variables: Record<string, string>) => {
  const process = launch(variables)
  started.push(process)
  return { process, ...(await waitForAddresses(process)) }
}

const region = { path: "/api/v1/accounts/region", authorization: trackBasic }

describe("INLET_TLS_CERT and INLET_TLS_KEY", () => {
  it("both addresses of a server use HTTPS, and the settings and the region lookup name an https address", async () => {
    const files = new CertificateFiles(first)
    const { operatorUrl = "", process, url } = await start({ ...files.variables, INLET_OPERATOR_PORT: "0" })
    expect(url).toMatch(/^https:/)
    expect(operatorUrl).toMatch(/^https:/)
    const identify = { method: "PUT", path: customerPath(fresh("p")), authorization: trackBasic, body: "{}" }
    expect(await ask(url, identify)).toMatchObject({ status: 200, commonName: "first" })
    const people = {
      path: "/management/v1/workspaces/1/people",
      authorization: `Bearer ${credentials.token}`,
    }
    expect((await ask(operatorUrl, people)).status).toBe(200)
    expect(JSON.parse((await ask(url, region)).text)).toMatchObject({ url })
    const settings = await ask(url, {
      path: `/v1/projects/${encodeURIComponent(credentials.writeKey)}/settings`,
      authorization: `Basic ${base64(`${credentials.writeKey}:`)}`,
    })
    expect(settings.text).toContain('"protocol":"https"')
    expect(await within("the server exits", process.signal("SIGTERM"))).toEqual({ code: 0, signal: null })
  })

  it("the server closes a connection that does not speak TLS, and other connections are still served", async () => {
    const { url } = await start(new CertificateFiles(first).variables)
    const raw = await RawConnection.open(
      Number(new URL(url).port),
      "GET /health/live HTTP/1.1\r\nhost: h\r\n\r\n",
    )
    await raw.waitForClose()
    expect(raw.statuses()).toEqual([])
    expect((await ask(url, { path: "/health/live" })).status).toBe(200)
  })

  it("a changed certificate is loaded without a restart, and an unusable certificate is logged once and not used", async () => {
    const files = new CertificateFiles(first)
    const { process, url } = await start(files.variables)
    const commonName = async () => (await ask(url, { path: "/health/live" })).commonName
    const logged = (text: string) => process.lines().filter((line) => line.includes(text))
    expect(await commonName()).toBe("first")

    files.write({ cert: "not a certificate", key: first.key })
    await eventually("the server logs INLET_TLS_CERT", () =>
      logged("INLET_TLS_CERT").length > 0 ? true : undefined,
    )
    expect(await commonName()).toBe("first")

    files.write({ cert: second.cert, key: first.key })
    await eventually("the server logs INLET_TLS_KEY", () =>
      logged("INLET_TLS_KEY").length > 0 ? true : undefined,
    )
    expect(await commonName()).toBe("first")

    rmSync(files.key)
    await eventually("the server logs INLET_TLS_KEY again", () =>
      logged("INLET_TLS_KEY").length > 1 ? true : undefined,
    )
    expect(await commonName()).toBe("first")

    files.write(second)
    await eventually("the server uses the new certificate", async () =>
      (await commonName()) === "second" ? true : undefined,
    )
    expect(logged("INLET_TLS_CERT")).toHaveLength(1)
    expect(logged("INLET_TLS_KEY")).toHaveLength(2)
    expect(process.exited).toBeUndefined()
  })
})

describe("invalid certificate settings", () => {
  const mismatched = new CertificateFiles({ cert: first.cert, key: second.key })
  const notPem = new CertificateFiles({ cert: "hello", key: first.key })
  const noKey = new CertificateFiles({ cert: first.cert, key: "hello" })
  const complete = new CertificateFiles(first)
  it.each<readonly [string, string, Record<string, string>]>([
    ["a key of another certificate", "INLET_TLS_KEY", mismatched.variables],
    ["a certificate that is not PEM", "INLET_TLS_CERT", notPem.variables],
    ["a key that is not PEM", "INLET_TLS_KEY", noKey.variables],
    ["a missing file", "INLET_TLS_CERT", { ...complete.variables, INLET_TLS_CERT: "/nowhere/cert.pem" }],
    ["a directory", "INLET_TLS_KEY", { ...complete.variables, INLET_TLS_KEY: freshDirectory() }],
    ["a certificate without a key", "INLET_TLS_KEY", { ...complete.variables, INLET_TLS_KEY: "" }],
    ["a key without a certificate", "INLET_TLS_CERT", { ...complete.variables, INLET_TLS_CERT: "" }],
  ])(
    "with %s the server prints one line that names %s and exits with 1",
    async (_name, variable, variables) => {
      const process = launch(variables)
      expect(await within("the server exits", process.exit)).toEqual({ code: 1, signal: null })
      expect(process.lines()).toHaveLength(1)
      expect(process.lines()[0]).toContain(`${variable} must be`)
    },
  )
})
