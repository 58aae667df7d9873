import { assert, describe, it } from "@effect/vitest"
import { Headers } from "effect/http"
import { isOfConsole } from "../../src/access/requestOrigin.ts"

const host = "inlet.example:8080"

const accepts = (
  method: "GET" | "HEAD" | "POST" | "DELETE",
  headers: Record<string, string>,
  isEncrypted = false,
): boolean => isOfConsole({ method, headers: Headers.fromInput({ host, ...headers }), isEncrypted })

describe("the origin of a request with a session cookie", () => {
  it("the header Sec-Fetch-Site decides which requests are allowed if it is present, and a request with the value none may read data but not change data", () => {
    const table = [
      ["same-origin", true, true],
      ["none", true, false],
      ["same-site", false, false],
      ["cross-site", false, false],
    ] as const
    for (const [site, reads, changes] of table) {
      const headers = { "sec-fetch-site": site, origin: `http://${host}` }
      assert.deepStrictEqual(
        [site, accepts("GET", headers), accepts("POST", headers)],
        [site, reads, changes],
      )
      assert.deepStrictEqual([accepts("HEAD", headers), accepts("DELETE", headers)], [reads, changes])
    }
  })

  it("Origin must equal Host in browsers that send no Sec-Fetch-Site", () => {
    assert.isTrue(accepts("POST", { origin: `http://${host}` }))
    for (const origin of [
      "http://inlet.example",
      "http://inlet.example:3000",
      `http://a.${host}`,
      "null",
      "",
      "x",
    ]) {
      assert.deepStrictEqual([origin, accepts("POST", { origin })], [origin, false])
      assert.deepStrictEqual([origin, accepts("GET", { origin })], [origin, false])
    }
  })

  it("the scheme of Origin must be the scheme that the browser uses, which is http unless the connection or a proxy says otherwise", () => {
    const [http, https] = [{ origin: `http://${host}` }, { origin: `https://${host}` }]
    assert.deepStrictEqual([accepts("POST", http), accepts("POST", https)], [true, false])
    assert.deepStrictEqual([accepts("POST", http, true), accepts("POST", https, true)], [false, true])
    for (const [forwarded, scheme] of [
      ["https", "https"],
      ["HTTPS, http", "https"],
      ["http", "http"],
    ] as const) {
      const proxied = { "x-forwarded-proto": forwarded }
      const accepted = [accepts("POST", { ...proxied, ...http }), accepts("POST", { ...proxied, ...https })]
      assert.deepStrictEqual([forwarded, ...accepted], [forwarded, scheme === "http", scheme === "https"])
    }
  })

  it("a request without headers that name its origin may read data but not change data", () => {
    assert.isTrue(accepts("GET", {}))
    assert.isFalse(accepts("POST", {}))
  })

  it("a request that changes data must not be an HTML form, because other sites can send forms without a preflight request", () => {
    const sameOrigin = { "sec-fetch-site": "same-origin" }
    for (const type of ["text/plain", "Text/Plain;charset=utf-8", "multipart/form-data; boundary=x"]) {
      assert.deepStrictEqual([type, accepts("POST", { ...sameOrigin, "content-type": type })], [type, false])
    }
    for (const type of ["application/json", "text/csv"]) {
      assert.deepStrictEqual([type, accepts("POST", { ...sameOrigin, "content-type": type })], [type, true])
    }
  })
})
