import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpServer } from "effect/http"
import { Sessions } from "../../src/access/Sessions.ts"

/** What a browser has after a step of signing in. */
export interface Step {
  readonly status: number
  readonly location: string
  readonly text: string
  readonly headers: Headers
  /** The cookies that the answer sets, by name. An expired one is an empty text. */
  readonly cookies: Readonly<Record<string, string>>
}

const origin = Effect.map(HttpServer.HttpServer, ({ address }) =>
  "port" in address ? `http://127.0.0.1:${address.port}` : assert.fail("no port"),
)

const fetchOnce = (url: string, headers: Record<string, string>) =>
  fetch(url, { headers, redirect: "manual" })

/** Sends a request as a browser does that follows no redirect. */
export const visit = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = {}) {
  const url = path.startsWith("http") ? path : `${yield* origin}${path}`
  const response = yield* Effect.promise(() => fetchOnce(url, headers))
  const cookies = response.headers.getSetCookie().map((cookie) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return [name, value] as const
  })
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    text: yield* Effect.promise(() => response.text()),
    headers: response.headers,
    cookies: Object.fromEntries(cookies),
  } satisfies Step
})

const cookieHeader = (cookies: Step["cookies"]): string =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ")

/** Begins to sign in: returns the address at the issuer, and the cookie. */
export const begin = Effect.fnUntraced(function* (returnTo?: string) {
  const asked = returnTo === undefined ? "" : `&return_to=${encodeURIComponent(returnTo)}`
  const step = yield* visit(`/console/oidc?here=1${asked}`)
  return { ...step, cookie: cookieHeader(step.cookies) }
})

/** Signs in at the issuer: returns the path with which it sends the browser back. */
export const atIssuer = Effect.fnUntraced(function* (url: string) {
  const { location } = yield* visit(url)
  const { pathname, search } = new URL(location)
  return pathname + search
})

/** Signs in: returns the last answer. */
export const signInAtIssuer = Effect.fnUntraced(function* (returnTo?: string) {
  const { cookie, location } = yield* begin(returnTo)
  const path = yield* atIssuer(location)
  return { ...(yield* visit(path, { cookie })), cookie, path }
})

const StateJson = Schema.fromJsonString(
  Schema.Struct({
    signed_in: Schema.Boolean,
    expires_at: Schema.NullOr(Schema.String),
    token: Schema.NullOr(Schema.Record(Schema.String, Schema.NullOr(Schema.String))),
    scope: Schema.NullOr(Schema.String),
    workspaces: Schema.NullOr(Schema.Array(Schema.Int)),
  }),
)

/** Returns the state of the session with this cookie value. */
export const stateOf = Effect.fnUntraced(function* (value: string) {
  const { cookieName } = yield* Sessions
  const { text } = yield* visit("/console/session", { cookie: `${cookieName}=${value}` })
  return Schema.decodeUnknownSync(StateJson)(text)
})
