import { assert, describe, it } from "@effect/vitest"
import { consolePath } from "@inlethq/contract/console/ConsoleApi"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { NamedToken } from "@inlethq/core/workspace/NamedToken"
import type { Json } from "@inlethq/core/values/Json"
import { Duration, Effect, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpMethod } from "effect/http"
import { TestClock } from "effect/testing"
import { signInLinkId } from "../../src/access/Principals.ts"
import { sessionLifetime, Sessions } from "../../src/access/Sessions.ts"
import { LinkMaker, signInLinkLifetime, SignInLinks } from "../../src/access/SignInLinks.ts"
import { ManagementToken } from "../../src/access/ManagementToken.ts"
import { digestOf } from "../../src/credentials/Secret.ts"
import { consoleServer } from "./consoleServer.ts"
import { token } from "../management/managementServer.ts"

type Headers = Readonly<Record<string, string>>

/** The header that a browser adds to requests of the console's own page. */
const fromConsole = { "sec-fetch-site": "same-origin" }

const send = Effect.fnUntraced(function* (method: HttpMethod.HttpMethod, headers: Headers, body?: Json) {
  const request = HttpClientRequest.make(method)(`${consolePath}/session`).pipe(
    body === undefined ? (same) => same : HttpClientRequest.bodyJsonUnsafe(body),
    HttpClientRequest.setHeaders(headers),
  )
  const response = yield* HttpClient.execute(request)
  const cookies = response.cookies.cookies
  return { status: response.status, headers: response.headers, text: yield* response.text, cookies }
})

const signIn = (body: Json, headers: Headers = fromConsole) => send("POST", headers, body)

const SessionJson = Schema.fromJsonString(
  Schema.Struct({
    signed_in: Schema.Boolean,
    token_ended: Schema.Boolean,
    expires_at: Schema.NullOr(Schema.String),
    token: Schema.Json,
    scope: Schema.NullOr(Schema.String),
    workspaces: Schema.NullOr(Schema.Array(Schema.Int)),
    grants: Schema.Json,
    ways: Schema.Json,
  }),
)
const ProblemJson = Schema.fromJsonString(Schema.Struct({ detail: Schema.String }))

const detailOf = (text: string): string => Schema.decodeUnknownSync(ProblemJson)(text).detail

/** Returns the state of the session with this cookie value. */
const stateOf = (value: string) =>
  Effect.gen(function* () {
    const { cookieName } = yield* Sessions
    const { text } = yield* send("GET", { cookie: `${cookieName}=${value}` })
    return Schema.decodeUnknownSync(SessionJson)(text)
  })

const ways = { tokens: true, oidc: null }

const signedOut = {
  signed_in: false,
  token_ended: false,
  expires_at: null,
  token: null,
  scope: null,
  workspaces: null,
  grants: [],
  ways,
}

const signedIn = {
  signed_in: true,
  token_ended: false,
  expires_at: "1970-01-08T00:00:00.000Z",
  token: { id: "installation", name: "the installation's token", issuer: null },
  scope: "admin",
  workspaces: null,
  grants: [{ scope: "admin", workspaces: null }],
  ways,
}

const namedSecret = `imt_${"ab".repeat(24)}`
const named: NamedToken = {
  tokenId: "ci",
  name: "CI",
  scope: "read",
  workspaces: [WorkspaceId.make(2)],
  prefix: "imt_abababab",
  digest: digestOf(namedSecret),
  createdAt: 0,
  expiresAt: 60_000,
  usedAt: null,
}

/** Signs in with a named token and returns the value of the cookie. */
const namedSession = Effect.gen(function* () {
  yield* ManagementTokens.use(({ add }) => add(named))
  const { cookieName } = yield* Sessions
  const { cookies } = yield* signIn({ token: namedSecret })
  return cookies[cookieName]?.value ?? assert.fail("no session cookie was set")
})

/** Signs in with the management token and returns the value of the cookie. */
const newSession = Effect.gen(function* () {
  const { cookieName } = yield* Sessions
  const { cookies } = yield* signIn({ token })
  return cookies[cookieName]?.value ?? assert.fail("no session cookie was set")
})

const linkOf = (principalId: string) =>
  Effect.map(
    SignInLinks.use(({ make }) => make(principalId)),
    ({ code }) => code,
  )

const newLink = linkOf(signInLinkId)

/** Runs a test on a new server, because the number of attempts to sign in is limited. */
const served = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  test.pipe(Effect.provide(consoleServer("/nonexistent"), { local: true }))

describe("signing in to the console", () => {
  it.effect(
    "signing in with the management token sets a cookie that scripts and other sites cannot use",
    () =>
      Effect.gen(function* () {
        const { cookies, status, text } = yield* signIn({ token })
        assert.deepStrictEqual([status, text], [200, JSON.stringify(signedIn)])
        const { cookieName } = yield* Sessions
        assert.match(cookieName, /^inlet_session_[0-9a-f]{12}$/)
        const { options, value } = cookies[cookieName] ?? assert.fail("no session cookie was set")
        assert.deepStrictEqual([options?.httpOnly, options?.sameSite, options?.path], [true, "strict", "/"])
        assert.notStrictEqual(options?.secure, true)
        assert.strictEqual(Duration.toSeconds(options?.maxAge ?? 0), Duration.toSeconds(sessionLifetime))
        assert.notInclude(value, token)
        assert.deepStrictEqual(yield* stateOf(value), signedIn)
      }).pipe(served),
  )

  it.effect(
    "the session cookie is marked as Secure if the browser uses https, even if a proxy terminates TLS",
    () =>
      Effect.gen(function* () {
        const { cookies } = yield* signIn({ token }, { ...fromConsole, origin: "https://inlet.example" })
        const { cookieName } = yield* Sessions
        assert.isTrue(cookies[cookieName]?.options?.secure)
      }).pipe(served),
  )

  it.effect("signing in with a wrong token is refused and sets no cookie", () =>
    Effect.gen(function* () {
      const { cookies, status, text } = yield* signIn({ token: "wrong" })
      assert.deepStrictEqual([status, Object.keys(cookies)], [401, []])
      assert.strictEqual(detailOf(text), "this is not a management token")
    }).pipe(served),
  )

  it.effect("a sign-in link of the console is accepted once", () =>
    Effect.gen(function* () {
      const login = yield* newLink
      const { cookieName } = yield* Sessions
      const first = yield* signIn({ login })
      assert.deepStrictEqual([first.status, Object.keys(first.cookies)], [200, [cookieName]])
      const second = yield* signIn({ login })
      assert.deepStrictEqual([second.status, Object.keys(second.cookies)], [401, []])
      assert.include(detailOf(second.text), "already used or is older than 10 minutes")
    }).pipe(served),
  )

  it.effect("a sign-in link of the console is refused after 10 minutes", () =>
    Effect.gen(function* () {
      const [early, late] = [yield* newLink, yield* newLink]
      yield* TestClock.adjust(Duration.subtract(signInLinkLifetime, Duration.millis(1)))
      assert.strictEqual((yield* signIn({ login: early })).status, 200)
      yield* TestClock.adjust(Duration.millis(1))
      assert.strictEqual((yield* signIn({ login: late })).status, 401)
    }).pipe(served),
  )

  it.effect(
    "only the newest 10 unused sign-in links of a token are accepted, and they replace none of another",
    () =>
      Effect.gen(function* () {
        const own = yield* newLink
        const links = yield* Effect.replicateEffect(linkOf("a_read_token"), 100)
        assert.strictEqual((yield* signIn({ login: own })).status, 200)
        const { use } = yield* SignInLinks
        const accepted = yield* Effect.forEach(links, (login) => Effect.map(use(login), Option.isSome))
        assert.deepStrictEqual(
          accepted.map((isAccepted, n) => isAccepted === n >= 90),
          links.map(() => true),
        )
      }).pipe(served),
  )

  it.effect("a sign-in link ends with the session that made it, and so do the sessions that it opened", () =>
    Effect.gen(function* () {
      const { cookieName, end, find } = yield* Sessions
      const stolen = yield* newSession
      const session = Option.getOrThrow(yield* find(stolen))
      const made = linkOf(signInLinkId).pipe(
        Effect.provideService(LinkMaker, {
          session,
          isValid: Effect.map(find(stolen), Option.isSome),
        }),
      )
      const [used, unused] = [yield* made, yield* made]
      yield* TestClock.adjust("1 minute")
      const { cookies } = yield* signIn({ login: used })
      const opened = cookies[cookieName]?.value ?? assert.fail("no session cookie was set")
      const child = Option.getOrThrow(yield* find(opened))
      assert.strictEqual(child.expiresAt, session.expiresAt)
      yield* end(session.sessionId)
      assert.strictEqual((yield* signIn({ login: unused })).status, 401)
      assert.isTrue(Option.isNone(yield* find(opened)))
    }).pipe(served),
  )

  it.effect(
    "the console answers 429 to a wrong token after 10 wrong ones in a minute from one address, and accepts the right token",
    () =>
      Effect.gen(function* () {
        for (let attempt = 0; attempt < 10; attempt++) {
          assert.strictEqual((yield* signIn({ token: `guess ${attempt}` })).status, 401)
        }
        const { headers, status } = yield* signIn({ token: "the eleventh guess" })
        assert.deepStrictEqual([status, headers["retry-after"]], [429, "60"])
        assert.strictEqual((yield* signIn({ token })).status, 200)
        assert.strictEqual((yield* signIn({ login: yield* newLink })).status, 200)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* signIn({ token: "a later guess" })).status, 401)
      }).pipe(served),
  )

  it.effect(
    "the limit of failed sign-ins does not count successful attempts, and a success does not reset the count",
    () =>
      Effect.gen(function* () {
        for (let attempt = 0; attempt < 20; attempt++) {
          assert.strictEqual((yield* signIn({ token })).status, 200)
        }
        for (let attempt = 0; attempt < 9; attempt++) {
          assert.strictEqual((yield* signIn({ token: `guess ${attempt}` })).status, 401)
        }
        assert.strictEqual((yield* signIn({ token })).status, 200)
        assert.strictEqual((yield* signIn({ token: "the tenth guess" })).status, 401)
        assert.strictEqual((yield* signIn({ token: "the eleventh guess" })).status, 429)
      }).pipe(served),
  )

  it.effect("of 40 wrong tokens that arrive at the same time, 30 get a 429", () =>
    Effect.gen(function* () {
      const guesses = Array.from({ length: 40 }, (_, guess) => signIn({ token: `guess ${guess}` }))
      const answers = yield* Effect.all(guesses, { concurrency: 40 })
      const checked = answers.filter(({ status }) => status === 401)
      assert.strictEqual(checked.length, 10)
    }).pipe(served),
  )

  it.effect("signing in is refused if another site makes the browser send the request", () =>
    Effect.gen(function* () {
      const foreign: ReadonlyArray<Headers> = [
        {},
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { origin: "https://evil.example" },
        { origin: "null" },
      ]
      for (const headers of foreign) {
        const { cookies, status } = yield* signIn({ token }, headers)
        assert.deepStrictEqual([headers, status, Object.keys(cookies)], [headers, 403, []])
      }
    }).pipe(served),
  )

  it.effect("signing in refuses request bodies that are not JSON or that have unknown fields", () =>
    Effect.gen(function* () {
      const form = { ...fromConsole, "content-type": "text/plain" }
      assert.strictEqual((yield* signIn({ token }, form)).status, 415)
      for (const body of [{}, { token: "" }, { login: 1 }, { token, login: "both" }, []]) {
        assert.deepStrictEqual([body, (yield* signIn(body)).status], [body, 400])
      }
    }).pipe(served),
  )
})

describe("a session", () => {
  it.effect("a session of the console ends after seven days", () =>
    Effect.gen(function* () {
      const cookie = yield* newSession
      yield* TestClock.adjust(Duration.subtract(sessionLifetime, Duration.millis(1)))
      assert.isTrue((yield* stateOf(cookie)).signed_in)
      yield* TestClock.adjust(Duration.millis(1))
      assert.deepStrictEqual(yield* stateOf(cookie), signedOut)
    }).pipe(served),
  )

  it.effect("a session ends when the browser signs out, even if the cookie was copied", () =>
    Effect.gen(function* () {
      const [cookie, other] = [yield* newSession, yield* newSession]
      const { cookieName } = yield* Sessions
      const { cookies, status } = yield* send("DELETE", { ...fromConsole, cookie: `${cookieName}=${cookie}` })
      assert.deepStrictEqual([status, cookies[cookieName]?.value], [204, ""])
      assert.deepStrictEqual(yield* stateOf(cookie), signedOut)
      assert.isTrue((yield* stateOf(other)).signed_in)
    }).pipe(served),
  )

  it.effect("another site cannot end a session of the console", () =>
    Effect.gen(function* () {
      const cookie = yield* newSession
      const { cookieName } = yield* Sessions
      const headers = { "sec-fetch-site": "cross-site", cookie: `${cookieName}=${cookie}` }
      assert.strictEqual((yield* send("DELETE", headers)).status, 403)
      assert.isTrue((yield* stateOf(cookie)).signed_in)
    }).pipe(served),
  )

  it.effect("a session of the console ends when the management token changes", () =>
    Effect.gen(function* () {
      const cookie = yield* newSession
      yield* ManagementToken.useSync(({ set }) => set(digestOf("a new token")))
      assert.deepStrictEqual(yield* stateOf(cookie), signedOut)
    }).pipe(served),
  )

  it.effect("a session may do what the token may do that opened it", () =>
    Effect.gen(function* () {
      const state = yield* stateOf(yield* namedSession)
      assert.deepStrictEqual(state, {
        ...signedIn,
        token: { id: "ci", name: "CI", issuer: null },
        scope: "read",
        workspaces: [2],
        grants: [{ scope: "read", workspaces: [2] }],
      })
    }).pipe(served),
  )

  it.effect("a session ends when its token is revoked, on this node and on others", () =>
    Effect.gen(function* () {
      const cookie = yield* namedSession
      assert.isTrue((yield* stateOf(cookie)).signed_in)
      yield* ManagementTokens.use(({ revoke }) => revoke("ci"))
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(yield* stateOf(cookie), { ...signedOut, token_ended: true })
    }).pipe(served),
  )

  it.effect("a session ends when its token expires or is replaced by another of the same id", () =>
    Effect.gen(function* () {
      const cookie = yield* namedSession
      yield* ManagementTokens.use(({ revoke }) => revoke("ci"))
      yield* ManagementTokens.use(({ add }) => add({ ...named, digest: digestOf("another") }))
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(yield* stateOf(cookie), signedOut)
      yield* ManagementTokens.use(({ revoke }) => revoke("ci"))
      yield* ManagementTokens.use(({ add }) => add(named))
      yield* TestClock.adjust("500 millis")
      assert.isTrue((yield* stateOf(cookie)).signed_in)
      yield* TestClock.setTime(60_000)
      assert.deepStrictEqual(yield* stateOf(cookie), { ...signedOut, token_ended: true })
    }).pipe(served),
  )

  it.effect("a session is refused if any part of its cookie has been changed", () =>
    Effect.gen(function* () {
      const cookie = yield* newSession
      const [end = "", token = "", id = "", signature = ""] = cookie.split(".")
      const changed = [
        "",
        "x",
        `${Number(end) + 1}.${token}.${id}.${signature}`,
        `${end}.${token}.${id.replace(/^./, (first) => (first === "A" ? "B" : "A"))}.${signature}`,
        `${end}.${token}.${id}.${signature.replace(/^./, (first) => (first === "0" ? "1" : "0"))}`,
        `${end}.${token}.${id}.`,
        `${end}.${token}.${id}`,
        `${end}.sign_in_link.${id}.${signature}x`,
        `${cookie}0`,
      ]
      for (const value of changed) {
        assert.deepStrictEqual([value, yield* stateOf(value)], [value, signedOut])
      }
    }).pipe(served),
  )
})

describe("sign-ins in the audit log", () => {
  const records = Effect.flatMap(AuditLog, (log) =>
    log.read("installation", { limit: 100, after: null, order: "asc" }),
  )

  it.effect("a sign-in and a sign-out are recorded with the token that opened the session", () =>
    served(
      Effect.gen(function* () {
        const value = yield* namedSession
        const { cookieName } = yield* Sessions
        const headers = { ...fromConsole, cookie: `${cookieName}=${value}`, "user-agent": "browser" }
        assert.strictEqual((yield* send("DELETE", headers)).status, 204)
        yield* signIn({ login: yield* newLink })
        const { items } = yield* records
        assert.deepStrictEqual(
          items.map(({ action, actor, outcome }) => [action, outcome, actor.kind, actor.id, actor.name]),
          [
            ["session.sign_in", "done", "token", "ci", "CI"],
            ["session.sign_out", "done", "session", "ci", "CI"],
            ["session.sign_in", "done", "token", "sign_in_link", "sign-in link"],
          ],
        )
        assert.strictEqual(items[1]?.userAgent, "browser")
        assert.notInclude(JSON.stringify(items), value)
      }),
    ),
  )

  it.effect("failed sign-ins are counted, and never shown", () =>
    served(
      Effect.gen(function* () {
        for (let n = 0; n < 12; n++) yield* signIn({ token: `guess-${n}` })
        yield* TestClock.adjust("1 second")
        let { items } = yield* records
        while (items.length === 0) {
          yield* TestClock.adjust("1 second")
          items = (yield* records).items
        }
        assert.deepStrictEqual(
          items.map(({ action, actor, count, outcome, status }) => [
            action,
            outcome,
            status,
            actor.kind,
            count,
          ]),
          [["session.sign_in", "refused", 401, "unknown", 12]],
        )
        assert.notInclude(JSON.stringify(items), "guess")
      }),
    ),
  )
})
