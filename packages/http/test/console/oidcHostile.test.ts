import { assert, describe, it } from "@effect/vitest"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Sessions } from "../../src/access/Sessions.ts"
import { assertRefused } from "./assertRefused.ts"
import { ada, answers, everyToken, idTokens, settingsFor } from "./issuer.ts"
import { consoleUrl, served } from "./oidcServer.ts"
import { atIssuer, begin, signInAtIssuer, stateOf, visit } from "./signInAt.ts"
import { encoded, partsOf } from "./tokenParts.ts"

const sub = { sub: "ada-1" }

describe("answers to a sign-in that do not belong to it", () => {
  it.effect("the state of another browser signs nobody in, and that browser can go on", () =>
    served(() =>
      Effect.gen(function* () {
        const own = yield* begin()
        const other = yield* begin()
        const path = yield* atIssuer(other.location)
        yield* assertRefused(yield* visit(path, { cookie: own.cookie }), 400, "not begun in this browser")
        yield* assertRefused(yield* visit(path), 400, "not begun in this browser")
        assert.strictEqual((yield* visit(path, { cookie: other.cookie })).status, 303)
      }),
    ),
  )

  it.effect("an answer in the name of another issuer signs nobody in", () =>
    served(() =>
      Effect.gen(function* () {
        const { cookie, location } = yield* begin()
        const path = yield* atIssuer(location)
        const mixed = `${path}&iss=${encodeURIComponent("https://other.example")}`
        yield* assertRefused(yield* visit(mixed, { cookie }), 400, "did not come from")
      }),
    ),
  )

  it.effect("a sign-in that began at another issuer ends, and so do its sessions", () =>
    served((issuer) =>
      Effect.gen(function* () {
        const { cookieName } = yield* Sessions
        const { cookie, cookies, path } = yield* signInAtIssuer()
        const session = cookies[cookieName] ?? ""
        const oidc = Option.some({ ...settingsFor(issuer.issuer.url ?? "", consoleUrl), clientId: "other" })
        yield* served(
          () =>
            Effect.gen(function* () {
              yield* assertRefused(yield* visit(path, { cookie }), 400, "not begun in this browser")
              assert.isFalse((yield* stateOf(session)).signed_in)
            }),
          { oidc },
        )
        assert.isTrue((yield* stateOf(session)).signed_in)
      }),
    ),
  )

  it.effect("a cookie that was changed signs nobody in", () =>
    served(() =>
      Effect.gen(function* () {
        const { cookie, location } = yield* begin()
        const path = yield* atIssuer(location)
        const [name = "", value = ""] = cookie.split("=")
        const [text = "", signature = ""] = value.split(".")
        const content = Object(JSON.parse(Buffer.from(text, "base64url").toString()))
        const changed = encoded({ ...content, returnTo: "https://evil.example" })
        for (const wrong of [
          `${changed}.${signature}`,
          `${text}.${"0".repeat(64)}`,
          text,
          "",
          "x".repeat(5000),
        ]) {
          yield* assertRefused(
            yield* visit(path, { cookie: `${name}=${wrong}` }),
            400,
            "not begun in this browser",
          )
        }
      }),
    ),
  )

  it.effect.each([
    "https://evil.example/console/",
    "//evil.example/console/",
    "/\\evil.example/console/",
    "/%2f/evil.example",
    "javascript:alert(1)",
    "/management/v1/workspaces",
    "/console/../evil",
    "/console/oidc?return_to=/console/",
    `/console/${"x".repeat(1000)}`,
    "",
  ])("a sign-in never returns to %s", (returnTo) =>
    served(() =>
      Effect.gen(function* () {
        assert.strictEqual((yield* signInAtIssuer(returnTo)).location, "/console/")
      }),
    ),
  )

  it.effect("the address to return to loses a fragment, which could sign somebody else in", () =>
    served(() =>
      Effect.gen(function* () {
        const { location } = yield* signInAtIssuer("/console/w/1/live?filter=kind:event#login=of-another")
        assert.strictEqual(location, "/console/w/1/live?filter=kind:event")
      }),
    ),
  )

  it.effect("a person whom the issuer refuses sees its error code and nothing else that it sends", () =>
    served(() =>
      Effect.gen(function* () {
        const { cookie, location } = yield* begin()
        const state = new URL(location).searchParams.get("state") ?? ""
        const path = `/console/oidc/callback?state=${state}&error=access_denied&error_description=%3Cscript%3E`
        const answer = yield* visit(path, { cookie })
        yield* assertRefused(answer, 403, "did not sign you in (access_denied)")
        assert.notInclude(answer.text, "script")
      }),
    ),
  )
})

describe("people whom no rule lets in", () => {
  it.effect("the page names the claim and its values", () =>
    served((issuer) =>
      Effect.gen(function* () {
        idTokens(issuer, (payload) => void Object.assign(payload, { groups: ["sales", "<b>&"] }))
        const said = "No rule lets Ada Lovelace in: the claim <code>groups</code> has sales, &lt;b&gt;&amp;."
        yield* assertRefused(yield* signInAtIssuer(), 403, said)
      }),
    ),
  )

  it.effect("groups that Entra left out are a problem of their own", () =>
    served((issuer) =>
      Effect.gen(function* () {
        idTokens(issuer, (payload) => {
          delete payload["groups"]
          Object.assign(payload, { _claim_names: { groups: "src1" }, _claim_sources: { src1: {} } })
        })
        const answer = yield* signInAtIssuer()
        yield* assertRefused(answer, 403, "Ada Lovelace is in so many groups")
        assert.include(answer.text, "set the groups claim of the application to the groups that are assigned")
      }),
    ),
  )

  it.effect("the issuer is asked for a claim that the token lacks, about the same subject only", () =>
    served((issuer) =>
      Effect.gen(function* () {
        everyToken(issuer, ({ payload }) => {
          for (const name of ["groups", "name"]) delete payload[name]
        })
        const told = [
          { ...sub, groups: ["growth"], name: "Ada King" },
          { sub: "grace-1", groups: ["inlet-admins"] },
        ]
        answers(issuer, "beforeUserinfo", ({ body }) => void Object.assign(body, told.shift()))
        const { cookieName } = yield* Sessions
        const { cookies, status } = yield* signInAtIssuer()
        assert.strictEqual(status, 303)
        assert.strictEqual((yield* stateOf(cookies[cookieName] ?? "")).token?.["name"], "Ada King")
        const other = yield* signInAtIssuer()
        assert.deepStrictEqual([other.status, other.cookies[cookieName]], [502, undefined])
      }),
    ),
  )

  it.effect("a person without a name is called by the user name, the email address or the subject", () =>
    served((issuer) =>
      Effect.gen(function* () {
        const { cookieName } = yield* Sessions
        answers(issuer, "beforeUserinfo", ({ body }) => void Object.assign(body, sub))
        const names: Array<object> = [
          { name: "", preferred_username: "ada", email: ada.email },
          { name: 1, email: ada.email },
          { name: null, email: null },
        ]
        idTokens(issuer, (payload) => void Object.assign(payload, names.shift()))
        const seen: Array<unknown> = []
        for (let n = 0; n < 3; n++) {
          const { cookies } = yield* signInAtIssuer()
          seen.push((yield* stateOf(cookies[cookieName] ?? "")).token?.["name"])
        }
        assert.deepStrictEqual(seen, ["ada", ada.email, ada.sub])
      }),
    ),
  )
})

describe("an issuer that changes or fails", () => {
  it.effect("while the issuer is away, sessions go on, and signing in says that it is away", () =>
    served((issuer) =>
      Effect.gen(function* () {
        const { cookieName } = yield* Sessions
        const session = (yield* signInAtIssuer()).cookies[cookieName] ?? ""
        const { cookie, location } = yield* begin()
        const path = yield* atIssuer(location)
        yield* Effect.promise(() => issuer.stop())
        const late = yield* visit(path, { cookie })
        assert.deepStrictEqual([late.status, late.text.includes("does not answer")], [503, true])
        yield* TestClock.adjust("10 seconds")
        const { status, text } = yield* visit("/console/oidc?here=1")
        assert.deepStrictEqual([status, text.includes("does not answer")], [503, true])
        assert.isTrue((yield* stateOf(session)).signed_in)
      }),
    ),
  )

  it.effect("a key that the issuer has begun to use is accepted at once", () =>
    served((issuer) =>
      Effect.gen(function* () {
        const kids = new Set<unknown>()
        everyToken(issuer, ({ header }) => void kids.add(header.kid))
        assert.strictEqual((yield* signInAtIssuer()).status, 303)
        yield* Effect.promise(() => issuer.issuer.keys.generate("RS256"))
        for (let n = 0; n < 3; n++) assert.strictEqual((yield* signInAtIssuer()).status, 303)
        assert.strictEqual(kids.size, 2)
      }),
    ),
  )

  it.effect("an issuer that names itself otherwise is not accepted", () =>
    served((issuer) =>
      Effect.gen(function* () {
        answers(issuer, "beforeWellKnownOpenIdConfiguration", ({ body }) => {
          Object.assign(body, { issuer: "https://other.example" })
        })
        yield* assertRefused(yield* begin(), 502, "did not answer as an issuer of OpenID Connect does")
      }),
    ),
  )

  it.effect("a wrong client secret is said to be one", () =>
    served((issuer) =>
      Effect.gen(function* () {
        answers(issuer, "beforeResponse", (response) => {
          response.statusCode = 401
          response.body = { error: "invalid_client", error_description: "of ada@example.com" }
        })
        const answer = yield* signInAtIssuer()
        yield* assertRefused(answer, 502, "refused the client of this server (invalid_client)")
        assert.notInclude(answer.text, "of ada")
      }),
    ),
  )

  it.effect("a code that the issuer has seen before signs nobody in", () =>
    served((issuer) =>
      Effect.gen(function* () {
        answers(issuer, "beforeResponse", (response) => {
          response.statusCode = 400
          response.body = { error: "invalid_grant" }
        })
        yield* assertRefused(yield* signInAtIssuer(), 400, "did not accept the code of this sign-in")
      }),
    ),
  )
})

describe("what is recorded of a sign-in", () => {
  const records = Effect.flatMap(AuditLog, (log) =>
    log.read("installation", { limit: 100, after: null, order: "asc" }),
  )

  it.effect("the audit log names the person, and has no code, token or other claim", () =>
    served((issuer) =>
      Effect.gen(function* () {
        const secrets: Array<string> = []
        answers(issuer, "beforeResponse", ({ body }) => void secrets.push(...partsOf(body)))
        const { path } = yield* signInAtIssuer()
        const { items } = yield* records
        assert.deepStrictEqual(
          items.map(({ action, actor, outcome }) => [action, outcome, actor.kind, actor.name]),
          [["session.sign_in", "done", "session", "Ada Lovelace"]],
        )
        const text = JSON.stringify(items)
        const query = new URLSearchParams(path.replace(/^.*\?/, ""))
        for (const secret of [...secrets, query.get("code"), query.get("state"), ada.email, "growth"]) {
          assert.notInclude(text, secret ?? "")
        }
      }),
    ),
  )

  it.effect("failed sign-ins are counted with a reason, and without values of claims", () =>
    served((issuer) =>
      Effect.gen(function* () {
        idTokens(issuer, (payload) => void Object.assign(payload, { groups: ["sales"] }))
        for (let n = 0; n < 3; n++) yield* signInAtIssuer()
        yield* TestClock.adjust("1 second")
        let { items } = yield* records
        while (items.length === 0) {
          yield* TestClock.adjust("1 second")
          items = (yield* records).items
        }
        assert.deepStrictEqual(
          items.map(({ action, count, details, outcome, status }) => [
            action,
            outcome,
            status,
            count,
            details,
          ]),
          [["session.sign_in", "refused", 403, 3, { reason: "no_rule" }]],
        )
      }),
    ),
  )
})

describe("INLET_CONSOLE_TOKENS=off", () => {
  it.effect("the console refuses tokens and links, and says how to sign in", () =>
    served(
      (issuer) =>
        Effect.gen(function* () {
          const { text } = yield* visit("/console/session")
          const host = new URL(issuer.issuer.url ?? "").host
          assert.deepInclude(JSON.parse(text), { ways: { tokens: false, oidc: { issuer: host } } })
          assert.strictEqual((yield* signInAtIssuer()).status, 303)
        }),
      { consoleTokens: false },
    ),
  )
})
