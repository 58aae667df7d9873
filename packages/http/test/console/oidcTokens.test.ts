import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assertRefused } from "./assertRefused.ts"
import { answers, idTokens } from "./issuer.ts"
import { served } from "./oidcServer.ts"
import { signInAtIssuer } from "./signInAt.ts"
import { encoded, partsOf } from "./tokenParts.ts"

/** The issuer and the check of its tokens go by the real clock. */
const seconds = () => Math.floor(Date.now() / 1000)

describe("tokens that are not accepted", () => {
  it.effect.each([
    ["aud", "it is for another client", () => ({ aud: "other" })],
    ["azp", "it is for another client", () => ({ aud: ["inlet", "other"], azp: "other" })],
    ["iss", "it is of another issuer", () => ({ iss: "https://other.example" })],
    ["nonce", "it belongs to another sign-in", () => ({ nonce: "other" })],
    ["exp", "it has expired", () => ({ exp: seconds() - 100 })],
    ["nbf", "it is not valid yet", () => ({ nbf: seconds() + 100 })],
    ["sub", "it is no token of OpenID Connect", () => ({ sub: "x".repeat(256) })],
  ] as const)("a token with a wrong %s signs nobody in", ([, problem, change]) =>
    served((issuer) =>
      Effect.gen(function* () {
        idTokens(issuer, (payload) => void Object.assign(payload, change()))
        yield* assertRefused(yield* signInAtIssuer(), 403, problem)
      }),
    ),
  )

  it.effect("a clock that differs by 80 seconds is tolerated", () =>
    served((issuer) =>
      Effect.gen(function* () {
        const times = [{ exp: seconds() - 80 }, { nbf: seconds() + 80 }]
        idTokens(issuer, (payload) => void Object.assign(payload, times.pop()))
        assert.strictEqual((yield* signInAtIssuer()).status, 303)
        assert.strictEqual((yield* signInAtIssuer()).status, 303)
      }),
    ),
  )

  it.effect("a token without signature signs nobody in, also if the issuer lists that algorithm", () =>
    served((issuer) =>
      Effect.gen(function* () {
        answers(issuer, "beforeWellKnownOpenIdConfiguration", ({ body }) => {
          Object.assign(body, { id_token_signing_alg_values_supported: ["RS256", "none"] })
        })
        answers(issuer, "beforeResponse", ({ body }) => {
          const [, payload] = partsOf(body)
          Object.assign(body, { id_token: `${encoded({ alg: "none" })}.${payload}.` })
        })
        yield* assertRefused(yield* signInAtIssuer(), 403, "it is not signed with a key of the issuer")
      }),
    ),
  )

  it.effect.each(["none", "HS256"])("a token with the algorithm %s signs nobody in", (alg) =>
    served((issuer) =>
      Effect.gen(function* () {
        answers(issuer, "beforeResponse", ({ body }) => {
          const [, payload, signature] = partsOf(body)
          Object.assign(body, { id_token: `${encoded({ alg })}.${payload}.${signature}` })
        })
        yield* assertRefused(yield* signInAtIssuer(), 403, "it is not signed with a key of the issuer")
      }),
    ),
  )

  it.effect("a token that was changed after it was signed signs nobody in", () =>
    served((issuer) =>
      Effect.gen(function* () {
        answers(issuer, "beforeResponse", ({ body }) => {
          const [header, payload = "", signature] = partsOf(body)
          const claims = Object(JSON.parse(Buffer.from(payload, "base64url").toString()))
          const id_token = `${header}.${encoded({ ...claims, groups: ["inlet-admins"] })}.${signature}`
          Object.assign(body, { id_token })
        })
        yield* assertRefused(yield* signInAtIssuer(), 403, "it is not signed with a key of the issuer")
      }),
    ),
  )

  it.effect("a token of two megabytes is not read to its end", () =>
    served((issuer) =>
      Effect.gen(function* () {
        idTokens(issuer, (payload) => void Object.assign(payload, { groups: ["x".repeat(2 * 1024 * 1024)] }))
        yield* assertRefused(yield* signInAtIssuer(), 502, "sent an answer of more than 256 KB")
      }),
    ),
  )
})
