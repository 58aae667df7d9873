import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Path } from "effect"
import { HttpClient, HttpClientRequest, type HttpMethod } from "effect/http"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { consoleServer } from "./consoleServer.ts"

const page = "<!doctype html><title>Inlet</title>"
const script = "console.log('the console')\n"

/**
 * Writes the same files as a build of the console: a page, an icon, a script with compressed copies, and a small style
 * sheet.
 */
const builtFolder = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* files.makeTempDirectoryScoped({ prefix: "inlet-console-" })
  const assets = path.join(folder, "assets")
  yield* files.makeDirectory(assets)
  yield* files.writeFileString(path.join(folder, "index.html"), page)
  yield* files.writeFileString(path.join(folder, "icon.svg"), "<svg/>")
  yield* files.writeFileString(path.join(assets, "index-1a2b.js"), script)
  yield* files.writeFile(path.join(assets, "index-1a2b.js.br"), brotliCompressSync(script))
  yield* files.writeFile(path.join(assets, "index-1a2b.js.gz"), gzipSync(script))
  yield* files.writeFileString(path.join(assets, "index-3c4d.css"), "body {}")
  return folder
})

const built = Layer.unwrap(Effect.map(builtFolder, (folder) => consoleServer(folder))).pipe(
  Layer.provide(NodeHttpServer.layerTest),
)

const request = Effect.fnUntraced(function* (
  path: string,
  headers: Record<string, string> = {},
  method: HttpMethod.HttpMethod = "GET",
) {
  const response = yield* HttpClient.execute(
    HttpClientRequest.make(method)(path).pipe(HttpClientRequest.setHeaders(headers)),
  )
  return { status: response.status, headers: response.headers, text: yield* response.text }
})

describe("the console", () => {
  it.layer(built)((it) => {
    it.effect(
      "the console answers every path that does not name a file with the page, and tells browsers to revalidate the page",
      () =>
        Effect.gen(function* () {
          const paths = [
            "/console/",
            "/console/people/ada@example.com",
            "/console/live?filter=kind:event",
            "/console/x",
          ]
          for (const path of paths) {
            const { headers, status, text } = yield* request(path)
            assert.deepStrictEqual([path, status, text], [path, 200, page])
            assert.strictEqual(headers["cache-control"], "no-cache")
            assert.match(headers["content-type"] ?? "", /^text\/html/)
          }
        }),
    )

    it.effect("the console answers 304 if the client already has the current page", () =>
      Effect.gen(function* () {
        const { headers } = yield* request("/console/")
        const again = yield* request("/console/", { "if-none-match": `"other", W/${headers["etag"]}` })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
        assert.strictEqual((yield* request("/console/", { "if-none-match": '"other"' })).status, 200)
      }),
    )

    it.effect(
      "the console lets browsers cache an asset for a year, because the asset's name contains a hash of its content",
      () =>
        Effect.gen(function* () {
          const { headers, status, text } = yield* request("/console/assets/index-3c4d.css")
          assert.deepStrictEqual([status, text], [200, "body {}"])
          assert.strictEqual(headers["cache-control"], "public, max-age=31536000, immutable")
          assert.strictEqual(headers["content-type"], "text/css; charset=utf-8")
          const known = { "if-none-match": headers["etag"] ?? "" }
          assert.strictEqual((yield* request("/console/assets/index-3c4d.css", known)).status, 304)
        }),
    )

    it.effect(
      "the console sends the compressed copy of an asset in an encoding that the client accepts",
      () =>
        Effect.gen(function* () {
          const table = [
            ["gzip, deflate, br", "br"],
            ["gzip, br;q=0", "gzip"],
            ["gzip;q=0.5", "gzip"],
            ["identity", undefined],
            ["", undefined],
          ] as const
          for (const [accepted, encoding] of table) {
            const head = yield* request(
              "/console/assets/index-1a2b.js",
              { "accept-encoding": accepted },
              "HEAD",
            )
            assert.deepStrictEqual([accepted, head.headers["content-encoding"]], [accepted, encoding])
            assert.strictEqual(head.headers["content-type"], "text/javascript; charset=utf-8")
            assert.strictEqual(head.headers["vary"], "accept-encoding")
            const { text } = yield* request("/console/assets/index-1a2b.js", { "accept-encoding": accepted })
            assert.strictEqual(text, script)
          }
        }),
    )

    it.effect("the console answers 404 to an unknown asset and to paths that leave the folder", () =>
      Effect.gen(function* () {
        const paths = [
          "/console/assets/none.js",
          "/console/assets/..%2findex.html",
          "/console/assets/%2e%2e%2f%2e%2e/x",
        ]
        for (const path of paths) assert.deepStrictEqual([path, (yield* request(path)).status], [path, 404])
      }),
    )

    it.effect("the console answers a HEAD request like a GET request, but without a body", () =>
      Effect.gen(function* () {
        const { headers, status, text } = yield* request("/console/", {}, "HEAD")
        assert.deepStrictEqual([status, text], [200, ""])
        assert.strictEqual(headers["content-length"], String(page.length))
      }),
    )

    it.effect("the console serves the icon of its page", () =>
      Effect.gen(function* () {
        const { headers, text } = yield* request("/console/icon.svg")
        assert.deepStrictEqual([text, headers["cache-control"]], ["<svg/>", "no-cache"])
      }),
    )

    it.effect(
      "the console sends headers with every answer that forbid foreign scripts, frames and referrers",
      () =>
        Effect.gen(function* () {
          for (const path of [
            "/console/",
            "/console/icon.svg",
            "/console/assets/index-1a2b.js",
            "/console/assets/none",
          ]) {
            const { headers } = yield* request(path)
            assert.include(
              headers["content-security-policy"],
              "default-src 'none'; script-src 'self'; style-src 'self'",
            )
            assert.include(headers["content-security-policy"], "frame-ancestors 'none'")
            assert.notInclude(headers["content-security-policy"], "unsafe")
            assert.strictEqual(headers["x-content-type-options"], "nosniff")
            assert.strictEqual(headers["x-frame-options"], "DENY")
            assert.strictEqual(headers["referrer-policy"], "no-referrer")
            assert.strictEqual(headers["cross-origin-opener-policy"], "same-origin")
          }
        }),
    )

    it.effect("the server redirects / and /console to /console/", () =>
      Effect.gen(function* () {
        for (const path of ["/", "/console"]) {
          const { text } = yield* request(path)
          assert.strictEqual(text, page)
        }
      }),
    )
  })

  it.effect("the server says how to build the console if the console has not been built", () =>
    Effect.gen(function* () {
      const { status, text } = yield* request("/console/")
      assert.strictEqual(status, 503)
      assert.include(text, "pnpm --filter @inlethq/console build")
    }).pipe(Effect.provide(consoleServer("/nonexistent"))),
  )

  it.effect("the server does not serve the console with INLET_CONSOLE=off", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/console", "/console/", "/console/assets/index-1a2b.js"]) {
        assert.deepStrictEqual([path, (yield* request(path)).status], [path, 404])
      }
    }).pipe(Effect.provide(consoleServer("/nonexistent", { console: false }))),
  )
})
