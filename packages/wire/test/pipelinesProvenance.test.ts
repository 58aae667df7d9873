import { assert, describe, it } from "@effect/vitest"
import { readJson } from "../src/decoding/readJson.ts"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { decodeBatch, decodeCall } from "../src/pipelines/decode.ts"
import { contextBytesMax, contextTextMax } from "../src/decoding/contextLimits.ts"
import { requestContext, workspace } from "./requests.ts"

const call = (body: JsonObject, strict = false) =>
  decodeCall(requestContext({ strict }), "track", { userId: "ada", event: "Seen", ...body })

const command = (body: JsonObject) => {
  const [decoded] = call(body).commands
  assert.isDefined(decoded)
  return decoded
}

const told = (body: JsonObject) => command(body).provenance

const nested = (levels: number, inner: Json): Json =>
  levels === 0 ? inner : { k: nested(levels - 1, inner) }

const part = (n: number) => ["x".repeat(n), "x".repeat(n)]

const page = { path: "/pricing", url: "https://example.com/pricing?utm_source=x", title: "Pricing" }

describe("contract §13 context: where a call came from", () => {
  it("keeps the context and the integrations of every kind of call as sent", () => {
    const context = { page, ip: "203.0.113.7", traits: { plan: "pro" }, own: [1, { "a.b": null }] }
    const integrations = { All: false, Amplitude: { session_id: 7 } }
    for (const type of ["identify", "track", "page", "screen", "group", "alias"] as const) {
      const body = { userId: "ada", event: "e", groupId: "g", previousId: "p", context, integrations }
      const [decoded] = decodeCall(requestContext(), type, body).commands
      assert.deepStrictEqual(decoded?.provenance, { context, integrations }, type)
    }
  })

  it("says nothing of a call without context", () => {
    for (const body of [{}, { context: {}, integrations: {} }, { context: [] }, { context: null }])
      assert.isFalse("provenance" in command(body))
  })

  it("merges the context of a batch by key", () => {
    const batch = [
      { type: "track", event: "a", userId: "u", context: { app: { name: "own" } } },
      { type: "track", event: "b", userId: "u", integrations: { One: true } },
      { type: "track", event: "c", userId: "u", context: "nothing" },
    ]
    const context = { app: { name: "batch", version: "1" }, locale: "de" }
    const { commands } = decodeBatch(requestContext(), { batch, context, integrations: { All: true } })
    assert.deepStrictEqual(
      commands.map(({ provenance }) => provenance),
      [
        { context: { app: { name: "own" }, locale: "de" }, integrations: { All: true } },
        { context, integrations: { One: true } },
        { context, integrations: { All: true } },
      ],
    )
  })

  it("names a context that is no object, which strict mode refuses unless it is a list", () => {
    for (const sent of ["x", 7, true, [1]]) {
      assert.deepStrictEqual(command({ context: sent }).keptAs, [
        { path: "context", sent, kept: {}, why: "not_an_object", cutFrom: null },
      ])
      assert.strictEqual(call({ context: sent }, true).refusal?.status, Array.isArray(sent) ? undefined : 400)
    }
  })

  it("leaves out what is nested deeper than 6 levels", () => {
    assert.deepStrictEqual(told({ context: { a: nested(5, 1), b: nested(6, 1) } }), {
      context: { a: nested(5, 1), b: { k: { k: { k: { k: {} } } } } },
      contextOmitted: ["b.k.k.k.k.k"],
    })
  })

  it("leaves out texts longer than 2048 characters, and names them by their path", () => {
    const fits = "é".repeat(contextTextMax)
    const context = {
      page: { ...page, search: `${fits}!` },
      note: fits,
      "a.b": `${fits}!`,
      list: [`${fits}!`],
    }
    assert.deepStrictEqual(told({ context }), {
      context: { page, note: fits },
      contextOmitted: ["page.search", "a\\.b", "list"],
    })
  })

  it("leaves out the largest keys until 8 KB of JSON are left", () => {
    const context = { small: 1, big: part(2000), bigger: part(2048), page, middle: part(1000) }
    assert.deepStrictEqual(told({ context }), {
      context: { small: 1, big: part(2000), page, middle: part(1000) },
      contextOmitted: ["bigger"],
    })
    const exact = { a: part(2000), b: ["x".repeat(2048), "x".repeat(2048)], c: "" }
    const room = contextBytesMax - JSON.stringify(exact).length
    assert.isUndefined(told({ context: { ...exact, c: "x".repeat(room) } })?.contextOmitted)
    assert.deepStrictEqual(told({ context: { ...exact, c: "x".repeat(room + 1) } })?.contextOmitted, ["b"])
  })

  it("limits integrations likewise", () => {
    assert.deepStrictEqual(told({ integrations: { All: true, X: { key: "x".repeat(2049) } } }), {
      integrations: { All: true, X: {} },
      contextOmitted: ["integrations.X.key"],
    })
  })

  it("takes any key, and names numbers and halves of characters that were read otherwise", () => {
    const text =
      '{"userId":"ada","event":"Seen","context":{"__proto__":{"a":1},"constructor":2,"n":9007199254740993,"t":"\\ud800"}}'
    const [decoded] = decodeCall(requestContext(), "track", Result.getOrThrow(readJson(text))).commands
    const context = decoded?.provenance?.context
    assert.isTrue(isJsonObject(context) && Object.hasOwn(context, "__proto__"))
    assert.deepStrictEqual(
      decoded?.keptAs?.map(({ path, why }) => [path, why]),
      [
        ["context.n", "rounded"],
        ["context.t", "characters"],
      ],
    )
  })

  it("marks the user agents of bots, in the context of a call or of its batch", () => {
    const crawler = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
    const browser =
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15"
    assert.isTrue(told({ context: { userAgent: crawler } })?.bot)
    assert.deepStrictEqual(told({ context: { userAgent: browser } }), { context: { userAgent: browser } })
    for (const userAgent of [7, null, "", {}]) assert.isUndefined(told({ context: { userAgent } })?.bot)
    const batch = [
      { type: "track", event: "a", userId: "u", context: { userAgent: browser } },
      { type: "track", event: "b", userId: "u" },
    ]
    const { commands } = decodeBatch(requestContext(), { batch, context: { userAgent: crawler } })
    assert.deepStrictEqual(
      commands.map(({ provenance }) => provenance?.bot),
      [undefined, true],
    )
  })

  it("marks bots even if the workspace keeps no context, or omits the user agent", () => {
    const userAgent = "curl/8.5.0"
    for (const over of [
      { ...workspace, context: "off" },
      { ...workspace, omit: ["context.userAgent"] },
    ] as const) {
      const body = { userId: "ada", event: "Seen", context: { userAgent } }
      const [decoded] = decodeCall(requestContext({ open: () => over }), "track", body).commands
      assert.isTrue(decoded?.provenance?.bot)
      assert.notInclude(JSON.stringify(decoded?.provenance), userAgent)
    }
  })

  it("takes the user agent of the request only from browsers, and their address only if it is not omitted", () => {
    const crawler = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
    const from = (client: object, omit: ReadonlyArray<string> = []) => {
      const over = { ...workspace, ip: "keep", omit } as const
      const request = requestContext({
        open: () => over,
        client: { path: "/v1/track", userAgent: crawler, address: "203.0.113.7", ...client },
      })
      const [decoded] = decodeCall(request, "track", { userId: "ada", event: "Seen" }).commands
      return decoded?.provenance
    }
    assert.deepStrictEqual(from({ hasOrigin: true }), { context: { ip: "203.0.113.7" }, bot: true })
    assert.deepStrictEqual(from({ hasOrigin: true }, ["context.ip"]), { bot: true })
    assert.isUndefined(from({}))
    assert.isUndefined(from({ hasOrigin: true, userAgent: "curl/8.5.0" })?.bot)
  })
})
