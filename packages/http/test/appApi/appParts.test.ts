import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { callName } from "../../src/appApi/appDocument.ts"
import { callTexts } from "../../src/appApi/appCallTexts.ts"
import { appRoot } from "../../src/appApi/appPaths.ts"
import { AppQuery, decodeLoosely, nextStart } from "../../src/appApi/AppQuery.ts"
import { AppRateMeter, requestsPerSecondMax } from "../../src/appApi/AppRateMeter.ts"
import { findRoute } from "../../src/appApi/AppRouter.ts"
import { appRoutes } from "../../src/appApi/appRoutes.ts"
import { routes } from "../../src/ingestion/routes.ts"

const found = (method: string, path: string) => {
  const match = findRoute(appRoutes, method, path)
  return match._tag === "Found" ? [match.route.path, ...match.parameters] : match._tag
}

describe("the table of calls", () => {
  it("finds a call by its method and path", () => {
    assert.deepStrictEqual(found("GET", "/v1/customers"), ["/v1/customers"])
    assert.deepStrictEqual(found("POST", "/v1/customers/attributes"), ["/v1/customers/attributes"])
    assert.deepStrictEqual(found("GET", "/v1/customers/ada/attributes"), [
      "/v1/customers/*customer_id/attributes",
      "ada",
    ])
    assert.strictEqual(found("PUT", "/v1/customers"), "WrongMethod")
    assert.strictEqual(found("GET", "/v1/customers/ada"), "NotFound")
  })

  it("takes ids that are not escaped", () => {
    const id = (path: string) => found("GET", path).slice(1)
    assert.deepStrictEqual(id("/v1/customers/a/b/c/segments"), ["a/b/c"])
    assert.deepStrictEqual(id("/v1/customers/segments/segments"), ["segments"])
    assert.deepStrictEqual(id("/v1/customers/a%2Fb/segments"), ["a/b"])
    assert.deepStrictEqual(id("/v1/customers/50%/segments"), ["50%"])
    assert.deepStrictEqual(id("/v1/objects/1/a/b/attributes"), ["1", "a/b"])
    assert.deepStrictEqual(id("/v1/messages/ag1q6QWq/QUBAAF4="), ["ag1q6QWq/QUBAAF4="])
    assert.strictEqual(found("GET", "/v1/customers//segments"), "NotFound")
  })

  it("has no path of the ingestion APIs", () => {
    for (const [, path] of routes) assert.isUndefined(appRoot(path), path)
  })

  it("is described in the document, apart from calls that are always refused", () => {
    const described = appRoutes.map(callName).filter((name) => !name.endsWith("/archived_message"))
    assert.sameMembers(described, Object.keys(callTexts))
  })
})

const limit = (text: string) => new AppQuery(`limit=${text}`).limit(50, 1000)

describe("AppQuery", () => {
  it("decodes what is escaped, and leaves alone what is not", () => {
    assert.strictEqual(decodeLoosely("a%20b"), "a b")
    assert.strictEqual(decodeLoosely("100%"), "100%")
    assert.strictEqual(decodeLoosely("%zz%C3%A4"), "%zzä")
    assert.strictEqual(decodeLoosely("%ff"), "%ff")
    const query = new AppQuery("email=jane+x@example.com&name=signed+up&empty=&name=other")
    assert.strictEqual(query.plain("email"), "jane+x@example.com")
    assert.strictEqual(query.text("name"), "signed up")
    assert.isUndefined(query.text("empty"))
  })

  it.effect("cuts a limit to the largest, and refuses one that is no number", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* limit(""), 50)
      assert.strictEqual(yield* limit("7"), 7)
      assert.strictEqual(yield* limit("5000"), 1000)
      for (const text of ["0", "-1", "1.5", "x"])
        assert.isTrue(Exit.isFailure(yield* Effect.exit(limit(text))))
    }),
  )

  it.effect("reads the cursor of its list only", () =>
    Effect.gen(function* () {
      const query = new AppQuery(`start=${nextStart("p", 17)}`)
      assert.strictEqual(yield* query.start("p"), 17)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(query.start("a"))))
      assert.isUndefined(nextStart("p", null))
    }),
  )
})

describe("AppRateMeter", () => {
  it("lets each key send a number of requests a second", () => {
    const meter = new AppRateMeter()
    const send = (key: string, now: number) => meter.count(key, now)
    for (let n = 0; n < requestsPerSecondMax; n++) assert.isNull(send("a", 500))
    assert.strictEqual(send("a", 501), 1)
    assert.isNull(send("b", 501))
    assert.strictEqual(send("a", 1499), 1)
    assert.isNull(send("a", 1500))
  })

  it("begins again if the clock goes back", () => {
    const meter = new AppRateMeter()
    for (let n = 0; n <= requestsPerSecondMax; n++) meter.count("a", 100_000)
    assert.isNull(meter.count("a", 50_000))
  })
})
