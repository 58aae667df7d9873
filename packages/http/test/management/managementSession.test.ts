import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Sessions } from "../../src/access/Sessions.ts"
import { installationId, Principals } from "../../src/access/Principals.ts"
import { assertProblem, call, newWorkspace, server } from "./managementServer.ts"

type Headers = Readonly<Record<string, string>>

/** Returns headers with the cookie of a new session, and without the management token. */
const session = Effect.gen(function* () {
  const holder = Option.getOrThrow(yield* Principals.use(({ ofId }) => ofId(installationId)))
  const { cookieName, open } = yield* Sessions
  const { cookie } = yield* open(holder)
  const headers: Headers = { authorization: "", cookie: `${cookieName}=${cookie}` }
  return headers
})

const foreign = "this request does not come from the console of this server"

layer(server)("the management API with the cookie of a session", (it) => {
  it.effect("a session cookie lets requests from the console read and write", () =>
    Effect.gen(function* () {
      const cookie = yield* session
      const headers = { ...cookie, "sec-fetch-site": "same-origin" }
      assert.strictEqual((yield* call("GET", "/workspaces", { headers })).status, 200)
      const made = yield* call("POST", "/workspaces", { headers, body: { name: "made in the console" } })
      assert.strictEqual(made.status, 201)
    }),
  )

  it.effect("a wrong token is refused beside a valid session cookie", () =>
    Effect.gen(function* () {
      const headers = { ...(yield* session), authorization: "Bearer wrong", "sec-fetch-site": "same-origin" }
      assert.strictEqual((yield* call("GET", "/workspaces", { headers })).status, 401)
    }),
  )

  it.effect("with a session cookie, changes that do not come from the console are refused", () =>
    Effect.gen(function* () {
      const cookie = yield* session
      const origins: ReadonlyArray<Headers> = [
        {},
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { "sec-fetch-site": "same-origin", "content-type": "text/plain" },
        { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" },
        { "sec-fetch-site": "same-origin", "content-type": "multipart/form-data; boundary=x" },
      ]
      const before = yield* call("GET", "/workspaces")
      for (const origin of origins) {
        const answer = yield* call("POST", "/workspaces", {
          headers: { ...cookie, ...origin },
          body: { name: "w" },
        })
        assertProblem(answer, 403, "Forbidden", foreign)
      }
      assert.deepStrictEqual((yield* call("GET", "/workspaces")).json, before.json)
    }),
  )

  it.effect(
    "with a session cookie, pages of other origins cannot read data or open the activity stream",
    () =>
      Effect.gen(function* () {
        const cookie = yield* session
        const workspace = yield* newWorkspace
        for (const path of ["/workspaces", `/workspaces/${workspace.id}/activity/stream`]) {
          for (const origin of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
            const answer = yield* call("GET", path, { headers: { ...cookie, ...origin } })
            assertProblem(answer, 403, "Forbidden", foreign)
          }
        }
        const typed = yield* call("GET", "/workspaces", { headers: { ...cookie, "sec-fetch-site": "none" } })
        assert.strictEqual(typed.status, 200)
      }),
  )

  it.effect(
    "a cookie with a wrong signature is refused, and the management token is accepted whatever the cookie",
    () =>
      Effect.gen(function* () {
        const { cookieName } = yield* Sessions
        const wrong = {
          cookie: `${cookieName}=9999999999999.installation.${"a".repeat(43)}.${"0".repeat(64)}`,
        }
        const refused = yield* call("GET", "/workspaces", { headers: { ...wrong, authorization: "" } })
        assert.deepStrictEqual([refused.status, refused.headers["www-authenticate"]], [401, "Bearer"])
        assert.strictEqual((yield* call("GET", "/workspaces", { headers: wrong })).status, 200)
      }),
  )
})
