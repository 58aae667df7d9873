import { Effect, Option } from "effect"
import type { HttpSettings } from "../../src/HttpSettings.ts"
import { consoleServer } from "./consoleServer.ts"
import { ada, everyToken, settingsFor, startIssuer, type OAuth2Server } from "./issuer.ts"

/** The address of the console as the issuer knows it. */
export const consoleUrl = "http://127.0.0.1:4321"

/** Runs a test on a server whose people sign in at an issuer, which says of everybody that they are Ada. */
export const served = <A, E, R>(
  test: (issuer: OAuth2Server) => Effect.Effect<A, E, R>,
  changed: Partial<HttpSettings["Service"]> = {},
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const issuer = yield* startIssuer
      const oidc = Option.some(settingsFor(issuer.issuer.url ?? "", consoleUrl))
      everyToken(issuer, ({ payload }) => void Object.assign(payload, ada))
      const server = consoleServer("/nonexistent", { oidc, ...changed })
      return yield* test(issuer).pipe(Effect.provide(server, { local: true }))
    }),
  )
