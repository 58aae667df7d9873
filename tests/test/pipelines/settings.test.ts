import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import type { Headers } from "../../src/ingestion.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch } from "../../src/Launched.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

const source = await PipelinesSource.create()
const { url } = source.inlet
const { host } = new URL(url)

const destination = (apiHost: string, protocol: string) => ({
  integrations: { "Customer.io Data Pipelines": { apiKey: expect.any(String), apiHost, protocol } },
})

describe("contract §13 settings", () => {
  it("the library settings name the host of Inlet as the only destination", async () => {
    const answer = await source.getPath(`/v1/projects/${source.writeKey}/settings`)
    expect(answer.status).toBe(200)
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8")
    expect(answer.headers["access-control-allow-origin"]).toBe("*")
    expect(answer.json).toEqual({
      integrations: {
        "Customer.io Data Pipelines": { apiKey: source.writeKey, apiHost: `${host}/v1`, protocol: "http" },
      },
      plan: {},
      edgeFunction: {},
      middlewareSettings: {},
      enabledMiddleware: {},
      metrics: { sampleRate: 0 },
      remotePlugins: [],
    })
  })

  it("the library settings name the host of the request, and the protocol in the header x-forwarded-proto", async () => {
    const path = `/v1/projects/${source.writeKey}/settings`
    const asked = await source.getPath(path, { host: "cdp.example.com" })
    expect(asked.json).toMatchObject(destination("cdp.example.com/v1", "http"))
    const proxied = await source.getPath(path, { host: "cdp.example.com", "x-forwarded-proto": "https" })
    expect(proxied.json).toMatchObject(destination("cdp.example.com/v1", "https"))
  })

  it("surface INLET_PUBLIC_URL: the library settings and the snippet page use the configured address", async () => {
    const inlet = await Inlet.start({ env: { INLET_PUBLIC_URL: "https://cdp.example.com:8443/in/" } })
    const theirs = await PipelinesSource.forWorkspace(inlet, 1)
    const settings = await theirs.getPath(`/v1/projects/${theirs.writeKey}/settings`)
    expect(settings.json).toMatchObject(destination("cdp.example.com:8443/in/v1", "https"))
    const page = await theirs.getPath(`/v1/analytics-js/snippet/${theirs.writeKey}/`)
    expect(page.text).toContain(
      `<script src="https://cdp.example.com:8443/in/v1/analytics-js/snippet/${theirs.writeKey}/analytics.min.js">`,
    )
    await inlet.stop()
  })

  it("contract §13 settings: a request for the settings or the script of an unknown write key gets a 404", async () => {
    for (const path of [
      "/v1/projects/nobody/settings",
      "/v1/analytics-js/snippet/nobody/analytics.min.js",
      "/v1/analytics-js/snippet/nobody/",
    ]) {
      const answer = await source.getPath(path)
      expect(answer.status).toBe(404)
      expect(answer.headers["access-control-allow-origin"]).toBe("*")
    }
  })
})

const scriptPath = `/v1/analytics-js/snippet/${source.writeKey}/analytics.min.js`

describe("contract §13 script", () => {
  it("the browser script can be cached for an hour, and a matching If-None-Match gets a 304", async () => {
    const answer = await source.getPath(scriptPath)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
    expect(answer.text).toContain(JSON.stringify(source.writeKey))
    const again = await source.getPath(scriptPath, { "if-none-match": `"other", W/${answer.headers.etag}` })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", answer.headers.etag])
    const head = await send(url, { method: "HEAD", path: scriptPath })
    expect([head.status, head.headers["content-length"]]).toEqual([200, answer.headers["content-length"]])
  })

  it("the browser script differs for each write key and does not contain the hosted service's address", async () => {
    const other = await PipelinesSource.forWorkspace(source.inlet, source.workspace)
    const [mine, theirs] = [
      await source.getPath(scriptPath),
      await source.getPath(scriptPath.replace(source.writeKey, other.writeKey)),
    ]
    expect(mine.headers.etag).not.toBe(theirs.headers.etag)
    expect(mine.text).not.toContain(`"cdp.customer.io/v1"`)
  })

  it("script chunks can be cached for a year at versioned paths and for an hour at other paths", async () => {
    const [, version] =
      /"\/v1\/analytics-js\/(\d+\.\d+\.\d+)\/"/.exec((await source.getPath(scriptPath)).text) ?? []
    for (const name of ["ajs-destination.js", "tsub-middleware.js", "407.js"]) {
      const versioned = await source.getPath(`/v1/analytics-js/${version}/${name}`)
      expect(versioned.headers["cache-control"]).toBe("public, max-age=31536000, immutable")
      const named = await source.getPath(`/v1/analytics-js/${name}`)
      expect(named.headers).toMatchObject({
        "cache-control": "public, max-age=3600",
        etag: versioned.headers.etag,
      })
      expect(named.text).toBe(versioned.text)
    }
  })

  it.each([
    "nothing.js",
    "standalone.js.gz",
    "..%2F..%2Fpackage.json",
    "..%2Fumd%2F407.js",
    "%2Fetc%2Fpasswd",
    "__proto__",
    "0.0.1/407.js",
    "../407.js",
    ".",
  ])("answers 404 to the script chunk %s", async (name) => {
    expect((await source.getPath(`/v1/analytics-js/${name}`)).status).toBe(404)
  })
})

describe("contract §13 CORS", () => {
  const posts = "identify track page screen group alias batch i t p s g a b import import/ m".split(" ")
  const paths = [
    ...posts.map((path) => `/v1/${path}`),
    `/v1/projects/${source.writeKey}/settings`,
    scriptPath,
    "/v1/analytics-js/407.js",
  ]

  it.each(paths)("answers a preflight request for %s", async (path) => {
    const asked = ["authorization", "content-encoding", "content-type", "x-retry-count", "x-strict-mode"]
    const headers = {
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": asked.join(","),
    }
    const answer = await send(url, { method: "OPTIONS", path, headers })
    expect(answer.status).toBe(204)
    expect(answer.headers["access-control-allow-origin"]).toBe("*")
    const allowed = (answer.headers["access-control-allow-headers"] ?? "").toLowerCase().split(/\s*,\s*/)
    expect(allowed).toEqual(expect.arrayContaining(asked))
  })

  it("answers of Pipelines with an error status have the CORS headers too", async () => {
    for (const [method, path] of [
      ["GET", "/v1/nothing"],
      ["GET", "/v1/track"],
      ["POST", "/v1/%zz"],
    ] as const) {
      const { headers, status } = await send(url, { method, path })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(headers["access-control-allow-origin"]).toBe("*")
      expect(headers["access-control-expose-headers"]).toContain("Retry-After")
    }
  })
})

const halves = (bytes: Buffer) => [bytes.subarray(0, 9), bytes.subarray(9)]

type Encode = (bytes: Buffer) => Buffer | ReadonlyArray<Uint8Array>

const sendEncoded = (path: string, event: string, encode: Encode, headers: Headers) => {
  const body = JSON.stringify({ batch: [{ type: "track", userId: "u", event }] })
  return source.post(path, encode(Buffer.from(body)), headers)
}

describe("contract §3 body keys", () => {
  it.each<readonly [string, string, Encode, Headers]>([
    ["as text/plain", "batch", (bytes) => bytes, { "content-type": "text/plain" }],
    ["chunked", "batch", halves, {}],
    ["with gzip", "import", (bytes) => gzipSync(bytes), { "content-encoding": "gzip" }],
    [
      "gzip, chunked, as text/plain",
      "b",
      (bytes) => halves(gzipSync(bytes)),
      { "content-encoding": "gzip", "content-type": "text/plain" },
    ],
    ["with deflate", "import/", (bytes) => deflateSync(bytes), { "content-encoding": "deflate" }],
    [
      "with deflate, chunked",
      "batch",
      (bytes) => halves(deflateSync(bytes)),
      { "content-encoding": "deflate" },
    ],
    [
      "raw deflate without the zlib header",
      "batch",
      (bytes) => deflateRawSync(bytes),
      { "content-encoding": "deflate" },
    ],
  ])("accepts a batch sent %s", async (_name, path, encode, headers) => {
    const event = fresh("e")
    expectPipelinesSuccess(await sendEncoded(path, event, encode, headers))
    expect(await source.event(event)).toMatchObject({ source: "pipelines", subject: { id: "u" } })
  })
})

const root = fileURLToPath(new URL("../../..", import.meta.url))

describe("the bundled server", () => {
  const outDir = join(root, "dist", fresh("test"))
  afterAll(() => rmSync(outDir, { recursive: true, force: true }))

  it("the bundled server serves the browser library of the SDK", async () => {
    const tsdown = join(root, "node_modules", "tsdown", "dist", "run.mjs")
    const args = ["--config", "tools/build/tsdown.start.ts", "--log-level", "warn", "--out-dir", outDir]
    execFileSync(process.execPath, [tsdown, ...args], { cwd: root })
    const dataDir = join(freshDirectory(), "data")
    const inlet = await Inlet.fromProcess(launch(variablesFor(dataDir), join(outDir, "server.js")), dataDir)
    const bundled = await PipelinesSource.forWorkspace(inlet, 1)
    const path = `/v1/analytics-js/snippet/${bundled.writeKey}/analytics.min.js`
    expect(await bundled.getPath(path)).toMatchObject({
      status: 200,
      text: expect.stringContaining(bundled.writeKey),
    })
    await inlet.stop()
  })
})
