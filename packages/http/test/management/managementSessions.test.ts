import { assert, layer } from "@effect/vitest"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Grant } from "@inlethq/core/workspace/ConsoleSession"
import { Effect, Option } from "effect"
import { installationId, Principals } from "../../src/access/Principals.ts"
import { Sessions } from "../../src/access/Sessions.ts"
import {
  assertProblem,
  call,
  decodePage,
  issuer,
  memory,
  newWorkspace,
  readPages,
  serverWith,
} from "./managementServer.ts"

const fromConsole = { authorization: "", "sec-fetch-site": "same-origin" }

/** Signs a person in, and returns the session with headers of its console. */
const personWith = Effect.fnUntraced(function* (...grants: ReadonlyArray<Grant>) {
  const { cookieName, openFor } = yield* Sessions
  const { cookie, session } = yield* openFor({ issuer, subject: "ada-1", name: "Ada Lovelace", grants })
  return { session, cookie, headers: { ...fromConsole, cookie: `${cookieName}=${cookie}` } }
})

const admin: Grant = { scope: "admin", workspaces: null }

const listed = Effect.fnUntraced(function* (headers = {}) {
  return (yield* decodePage((yield* call("GET", "/sessions", { headers })).json)).items
})

const endAll = Effect.gen(function* () {
  for (const { session_id } of yield* listed()) yield* call("DELETE", `/sessions/${String(session_id)}`)
})

layer(serverWith(memory))("sessions of the console", (it) => {
  it.effect("a session is listed with who opened it and what it may do", () =>
    Effect.gen(function* () {
      const { headers, session } = yield* personWith(admin)
      assert.deepStrictEqual(yield* listed(headers), [
        {
          session_id: session.sessionId,
          kind: "person",
          principal_id: `${issuer} ada-1`,
          name: "Ada Lovelace",
          issuer,
          grants: [{ scope: "admin", workspaces: null }],
          created_at: "1970-01-01T00:00:00.000Z",
          expires_at: "1970-01-01T12:00:00.000Z",
          current: true,
        },
      ])
      yield* endAll
    }),
  )

  it.effect("a revoked session ends at once, and can be revoked only once", () =>
    Effect.gen(function* () {
      const { headers, session } = yield* personWith(admin)
      assert.strictEqual((yield* call("GET", "/workspaces", { headers })).status, 200)
      assert.strictEqual((yield* call("DELETE", `/sessions/${session.sessionId}`)).status, 204)
      assert.strictEqual((yield* call("GET", "/workspaces", { headers })).status, 401)
      const again = yield* call("DELETE", `/sessions/${session.sessionId}`)
      assertProblem(again, 404, "Not Found", "session not found")
      assert.deepStrictEqual(yield* listed(), [])
    }),
  )

  it.effect("a session of a token is listed with the rights of the token until that is revoked", () =>
    Effect.gen(function* () {
      const holder = Option.getOrThrow(yield* Principals.use(({ ofId }) => ofId(installationId)))
      const { find, open } = yield* Sessions
      const { session } = yield* open(holder)
      yield* open(holder, session)
      const made = yield* call("POST", "/tokens", { body: { name: "CI", scope: "read", workspaces: null } })
      const [token] = yield* ManagementTokens.use(({ all }) => all)
      assert.strictEqual(made.status, 201)
      const named = Option.getOrThrow(yield* Principals.use(({ ofId }) => ofId(token?.tokenId ?? "")))
      const { cookie } = yield* open(named)
      const kinds = Effect.map(listed(), (items) => items.map(({ kind }) => kind).toSorted())
      assert.deepStrictEqual(yield* kinds, ["link", "token", "token"])
      yield* call("DELETE", `/tokens/${token?.tokenId ?? ""}`)
      assert.isTrue(Option.isNone(yield* find(cookie)))
      assert.deepStrictEqual(yield* kinds, ["link", "token"])
      yield* call("DELETE", `/sessions/${session.sessionId}`)
      assert.deepStrictEqual(yield* kinds, [])
    }),
  )

  it.effect("the list of sessions has pages", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(["a", "b", "c"], () => personWith(admin))
      const ids = made.map(({ session }) => session.sessionId)
      const seen = yield* readPages("/sessions", "order=asc", "session_id")
      assert.deepStrictEqual(seen, ids.toSorted())
      yield* endAll
    }),
  )

  it.effect("a person may do in each workspace what one of the grants allows there", () =>
    Effect.gen(function* () {
      const [own, other] = [(yield* newWorkspace).id, (yield* newWorkspace).id]
      const { headers } = yield* personWith(
        { scope: "admin", workspaces: [own] },
        { scope: "read", workspaces: [other] },
      )
      const key = { body: { kind: "track", name: "web" }, headers }
      assert.strictEqual((yield* call("POST", `/workspaces/${own}/keys`, key)).status, 201)
      assert.strictEqual((yield* call("GET", `/workspaces/${other}/keys`, { headers })).status, 200)
      const refused = yield* call("POST", `/workspaces/${other}/keys`, key)
      const text = "this needs a token with the scope `admin`; the scope of Ada Lovelace is `read`"
      assertProblem(refused, 403, "Forbidden", text)
      assert.strictEqual((yield* call("GET", `/workspaces/${other + 1}/keys`, { headers })).status, 403)
      assert.strictEqual((yield* call("GET", "/sessions", { headers })).status, 403)
      const seen = (yield* decodePage((yield* call("GET", "/workspaces", { headers })).json)).items
      assert.deepStrictEqual(
        seen.map(({ environment_id }) => environment_id),
        [other, own],
      )
      const audit = yield* decodePage((yield* call("GET", "/audit", { headers })).json)
      assert.deepStrictEqual(new Set(audit.items.map(({ environment_id }) => environment_id)), new Set([own]))
      const lake = { body: { lake: { target: "folder", url: "/tmp/lake" } }, headers }
      assert.strictEqual((yield* call("PATCH", `/workspaces/${own}`, lake)).status, 403)
      yield* endAll
    }),
  )

  it.effect("what a person does is in the audit log with their name, and so is who ends a session", () =>
    Effect.gen(function* () {
      const { headers, session } = yield* personWith(admin)
      const { id } = yield* newWorkspace
      yield* call("PATCH", `/workspaces/${id}`, { headers, body: { name: "of Ada" } })
      yield* call("DELETE", `/sessions/${session.sessionId}`, { headers })
      const log = yield* AuditLog
      const { items } = yield* log.read("everything", { limit: 250, after: null, order: "asc" })
      const own = items.filter(({ target }) => target?.id === session.sessionId || target?.id === String(id))
      assert.deepStrictEqual(
        own
          .slice(-2)
          .map(({ action, actor, target }) => [action, actor.kind, actor.id, actor.name, target?.name]),
        [
          ["workspace.update", "session", `${issuer} ada-1`, "Ada Lovelace", "test"],
          ["session.revoke", "session", `${issuer} ada-1`, "Ada Lovelace", "Ada Lovelace"],
        ],
      )
    }),
  )

  it.effect("a session of a person makes no sign-in links", () =>
    Effect.gen(function* () {
      const { headers } = yield* personWith({ scope: "read", workspaces: [WorkspaceId.make(1)] })
      const answer = yield* call("POST", "/sign-in-links", { headers })
      assertProblem(answer, 409, "Conflict", "a session of a person makes no sign-in links")
      yield* endAll
    }),
  )
})
