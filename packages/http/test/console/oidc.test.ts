import { assert, describe, it } from "@effect/vitest"
import { ConsoleSessions } from "@inlethq/core/ports/ConsoleSessions"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Sessions } from "../../src/access/Sessions.ts"
import { consoleUrl, served } from "./oidcServer.ts"
import { atIssuer, begin, signInAtIssuer, stateOf, visit } from "./signInAt.ts"

describe("signing in with OpenID Connect", () => {
  it.effect("a person signs in and may do what the rules allow", () =>
    served((issuer) =>
      Effect.gen(function* () {
        const { cookieName } = yield* Sessions
        const { cookies, headers, location, status } = yield* signInAtIssuer("/console/w/1/people?q=ada")
        assert.deepStrictEqual([status, location], [303, "/console/w/1/people?q=ada"])
        assert.match(
          headers.getSetCookie().join("\n"),
          /inlet_session_\w+=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict/,
        )
        const state = yield* stateOf(cookies[cookieName] ?? "")
        assert.deepStrictEqual(state, {
          signed_in: true,
          expires_at: "1970-01-01T12:00:00.000Z",
          token: { id: `${issuer.issuer.url} ada-1`, name: "Ada Lovelace", issuer: issuer.issuer.url ?? "" },
          scope: "write",
          workspaces: [1],
        })
      }),
    ),
  )

  it.effect("the request to the issuer has PKCE, a state and a nonce", () =>
    served(() =>
      Effect.gen(function* () {
        const { headers, location } = yield* begin()
        const query = Object.fromEntries(new URL(location).searchParams)
        assert.deepInclude(query, {
          client_id: "inlet",
          code_challenge_method: "S256",
          redirect_uri: `${consoleUrl}/console/oidc/callback`,
          response_type: "code",
          scope: "openid profile email",
        })
        for (const name of ["state", "nonce", "code_challenge"]) assert.lengthOf(query[name] ?? "", 43)
        assert.match(
          headers.get("set-cookie") ?? "",
          /^inlet_oidc_\w+=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
        )
      }),
    ),
  )

  it.effect("a session of a person ends after twelve hours", () =>
    served(() =>
      Effect.gen(function* () {
        const { cookieName } = yield* Sessions
        const cookie = (yield* signInAtIssuer()).cookies[cookieName] ?? ""
        yield* TestClock.adjust("43199 seconds")
        assert.isTrue((yield* stateOf(cookie)).signed_in)
        yield* TestClock.adjust("1 second")
        assert.isFalse((yield* stateOf(cookie)).signed_in)
      }),
    ),
  )

  it.effect("a session that another node has revoked ends half a second later", () =>
    served(() =>
      Effect.gen(function* () {
        const { cookieName, find } = yield* Sessions
        const cookie = (yield* signInAtIssuer()).cookies[cookieName] ?? ""
        const { sessionId } = Option.getOrThrow(yield* find(cookie))
        yield* ConsoleSessions.use(({ end }) => end(sessionId))
        yield* TestClock.adjust("500 millis")
        assert.isFalse((yield* stateOf(cookie)).signed_in)
      }),
    ),
  )

  it.effect("a copied cookie signs nobody in again, here or on another node", () =>
    served(() =>
      Effect.gen(function* () {
        const { cookie, path } = yield* signInAtIssuer()
        const again = yield* visit(path, { cookie })
        assert.strictEqual(again.status, 400)
        assert.include(again.text, "This sign-in was used before.")
        const sessions = yield* ConsoleSessions
        const { items } = yield* sessions.list({ limit: 10, after: null, order: "asc" }, 0)
        assert.deepStrictEqual(
          items.map(({ kind, name }) => [kind, name]),
          [["person", "Ada Lovelace"]],
        )
      }),
    ),
  )

  it.effect("a sign-in that takes longer than ten minutes begins again", () =>
    served(() =>
      Effect.gen(function* () {
        const { cookie, location } = yield* begin()
        const path = yield* atIssuer(location)
        yield* TestClock.adjust("10 minutes")
        const { status, text } = yield* visit(path, { cookie })
        assert.strictEqual(status, 400)
        assert.include(text, "was not begun in this browser within the last 10 minutes")
      }),
    ),
  )
})
