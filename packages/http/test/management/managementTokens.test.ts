import { assert, layer } from "@effect/vitest"
import { ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import { Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { digestOf } from "../../src/credentials/Secret.ts"
import { Principals } from "../../src/access/Principals.ts"
import {
  assertProblem,
  call,
  memory,
  newWorkspace,
  readPages,
  server,
  serverWith,
} from "./managementServer.ts"

const IssuedJson = Schema.Struct({ token_id: Schema.String, token: Schema.String, prefix: Schema.String })

const issue = Effect.fnUntraced(function* (body: Readonly<Record<string, Schema.Json>> = {}) {
  const answer = yield* call("POST", "/tokens", {
    body: { name: "CI", scope: "write", workspaces: null, ...body },
  })
  assert.strictEqual(answer.status, 201)
  return { ...(yield* Schema.decodeUnknownEffect(IssuedJson)(answer.json)), answer: answer.json }
})

const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

layer(serverWith(memory))("management tokens", (it) => {
  it.effect("a new token is shown once, and listed without its secret", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const { answer, prefix, token, token_id } = yield* issue({ workspaces: [id, id] })
      assert.match(token, /^imt_[0-9a-f]{48}$/)
      assert.strictEqual(prefix, token.slice(0, 12))
      const document = {
        token_id,
        name: "CI",
        scope: "write",
        workspaces: [id],
        masked: false,
        prefix,
        created_at: "1970-01-01T00:00:00.000Z",
        expires_at: null,
        last_used_at: null,
      }
      assert.deepStrictEqual(answer, { ...document, token })
      const listed = yield* call("GET", "/tokens")
      assert.deepStrictEqual(listed.json, { items: [document], next: null })
      const [stored] = yield* ManagementTokens.use(({ all }) => all)
      assert.strictEqual(stored?.digest, digestOf(token))
      assert.notInclude(JSON.stringify(stored), token)
      yield* call("DELETE", `/tokens/${token_id}`)
    }),
  )

  it.effect("the list of tokens has pages", () =>
    Effect.gen(function* () {
      const names = ["one", "two", "three"]
      const ids = yield* Effect.forEach(names, (name) => Effect.map(issue({ name }), (made) => made.token_id))
      const seen = yield* readPages("/tokens", "order=asc", "token_id")
      assert.deepStrictEqual(seen.toSorted(), ids.toSorted())
      yield* Effect.forEach(ids, (id) => call("DELETE", `/tokens/${id}`))
    }),
  )

  it.effect("a revoked token is refused at once, and can be revoked only once", () =>
    Effect.gen(function* () {
      const { token, token_id } = yield* issue()
      assert.strictEqual((yield* call("GET", "/workspaces", as(token))).status, 200)
      assert.strictEqual((yield* call("DELETE", `/tokens/${token_id}`)).status, 204)
      assert.strictEqual((yield* call("GET", "/workspaces", as(token))).status, 401)
      assertProblem(yield* call("DELETE", `/tokens/${token_id}`), 404, "Not Found", "token not found")
    }),
  )

  it.effect("a token that another node revoked is refused half a second later", () =>
    Effect.gen(function* () {
      const { token, token_id } = yield* issue()
      assert.strictEqual((yield* call("GET", "/workspaces", as(token))).status, 200)
      yield* ManagementTokens.use(({ revoke }) => revoke(token_id))
      yield* TestClock.adjust("500 millis")
      assert.strictEqual((yield* call("GET", "/workspaces", as(token))).status, 401)
    }),
  )

  it.effect("a stream that a token has opened learns within half a second that the token was revoked", () =>
    Effect.gen(function* () {
      const { token, token_id } = yield* issue()
      const stream = yield* Principals.use(({ ended }) => Effect.forkChild(ended(token)))
      yield* TestClock.adjust("1 second")
      assert.isUndefined(stream.pollUnsafe())
      yield* call("DELETE", `/tokens/${token_id}`)
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(stream)
    }),
  )

  it.effect("a token is refused from the time at which it expires", () =>
    Effect.gen(function* () {
      const { token, token_id } = yield* issue({ expires_at: "1970-01-02T00:00:00.000Z" })
      assert.strictEqual((yield* call("GET", "/workspaces", as(token))).status, 200)
      yield* TestClock.setTime(Date.parse("1970-01-02T00:00:00.000Z"))
      assert.strictEqual((yield* call("GET", "/workspaces", as(token))).status, 401)
      yield* call("DELETE", `/tokens/${token_id}`)
    }),
  )

  it.effect("the minute of the last use is stored in the background, once for all tokens", () =>
    Effect.gen(function* () {
      const { token, token_id } = yield* issue()
      yield* TestClock.setTime(Date.parse("1970-01-02T00:01:40.000Z"))
      yield* call("GET", "/workspaces", as(token))
      yield* TestClock.adjust("10 seconds")
      const stored = yield* ManagementTokens.use(({ all }) => all)
      const used = stored.find(({ tokenId }) => tokenId === token_id)?.usedAt
      assert.strictEqual(used, Date.parse("1970-01-02T00:01:00.000Z"))
      yield* call("DELETE", `/tokens/${token_id}`)
    }),
  )

  it.effect("a token is refused for unknown workspaces, for none, and with an expiry time in the past", () =>
    Effect.gen(function* () {
      const token = { name: "CI", scope: "read", workspaces: null }
      const refused = (body: Readonly<Record<string, Schema.Json>>) =>
        call("POST", "/tokens", { body: { ...token, ...body } })
      assertProblem(
        yield* refused({ workspaces: [999] }),
        422,
        "Unprocessable Content",
        "workspace 999 not found",
      )
      assert.strictEqual((yield* refused({ workspaces: [] })).status, 400)
      assert.strictEqual((yield* refused({ scope: "owner" })).status, 400)
      for (const expires_at of ["1970-01-01T00:00:00.000Z", "soon"]) {
        assertProblem(
          yield* refused({ expires_at }),
          400,
          "Bad Request",
          "expires_at: expected an ISO 8601 time in the future",
        )
      }
    }),
  )

  it.effect("the installation's own token cannot be revoked with the API", () =>
    Effect.gen(function* () {
      const answer = yield* call("DELETE", "/tokens/installation")
      assertProblem(answer, 409, "Conflict", "the installation's own token cannot be revoked here")
    }),
  )
})

layer(server)("guesses of management tokens", (it) => {
  it.effect("a guess is compared with the tokens in memory and makes no query", () =>
    Effect.gen(function* () {
      const guess = `imt_${"0".repeat(48)}`
      yield* Principals.use(({ ofSecret }) => ofSecret(guess))
      yield* ManagementTokens.use(({ add }) =>
        add({
          tokenId: "late",
          name: "late",
          scope: "read",
          workspaces: null,
          prefix: "imt_00000000",
          digest: digestOf(guess),
          createdAt: 0,
          expiresAt: null,
          usedAt: null,
        }),
      )
      assert.strictEqual((yield* call("GET", "/workspaces", as(guess))).status, 401)
      yield* TestClock.adjust("500 millis")
      assert.strictEqual((yield* call("GET", "/workspaces", as(guess))).status, 200)
    }),
  )
})
