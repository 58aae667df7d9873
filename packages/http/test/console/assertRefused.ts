import { assert } from "@effect/vitest"
import { ConsoleSessions } from "@inlethq/core/ports/ConsoleSessions"
import { Effect } from "effect"
import { Sessions } from "../../src/access/Sessions.ts"
import type { visit } from "./signInAt.ts"

/** Asserts that a sign-in ended on a page that says this, and that nobody is signed in. */
export const assertRefused = Effect.fnUntraced(function* (
  answer: Effect.Success<ReturnType<typeof visit>>,
  status: number,
  said: string,
) {
  const { cookieName } = yield* Sessions
  assert.deepStrictEqual([answer.status, answer.cookies[cookieName]], [status, undefined])
  assert.include(answer.text, said)
  assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src 'sha256-/)
  const sessions = yield* ConsoleSessions
  const { items } = yield* sessions.list({ limit: 10, after: null, order: "asc" }, 0)
  assert.deepStrictEqual(items, [])
})
