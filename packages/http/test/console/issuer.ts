import { Effect, Redacted } from "effect"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { OAuth2Server, type MutableResponse, type MutableToken } from "oauth2-mock-server"
import type { AccessRules } from "@inlethq/contract/access/AccessRules"
import type { OidcSettings } from "../../src/HttpSettings.ts"

/** The rules of the tests. */
const access: AccessRules = {
  claim: "groups",
  rules: [
    { value: "inlet-admins", scope: "admin" },
    { value: "growth", scope: "write", workspaces: [WorkspaceId.make(1)] },
    { value: "support", scope: "read", workspaces: [WorkspaceId.make(1), WorkspaceId.make(2)] },
  ],
}

/** What the issuer says about whoever signs in. */
export const ada = { sub: "ada-1", name: "Ada Lovelace", email: "ada@example.com", groups: ["growth"] }

/** An issuer that says what a test tells it to say. */
export const startIssuer = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = new OAuth2Server()
    await server.issuer.keys.generate("RS256")
    await server.start(0, "127.0.0.1")
    return server
  }),
  (server) => Effect.promise(() => (server.listening ? server.stop() : Promise.resolve())),
)
export type { OAuth2Server }

/** Changes each token before it is signed. A server signs an access token and an id token. */
export const everyToken = (server: OAuth2Server, change: (token: MutableToken) => void): void =>
  void server.service.on("beforeTokenSigning", change)

/** Changes the id tokens, which are the ones with a nonce. */
export const idTokens = (server: OAuth2Server, change: (payload: MutableToken["payload"]) => void): void =>
  everyToken(server, ({ payload }) => {
    if ("nonce" in payload) change(payload)
  })

/** Changes an answer of the issuer. */
export const answers = (
  server: OAuth2Server,
  which: "beforeResponse" | "beforeUserinfo" | "beforeWellKnownOpenIdConfiguration",
  change: (response: MutableResponse) => void,
): void => void server.service.on(which, change)

export const settingsFor = (issuer: string, consoleUrl: string): OidcSettings => ({
  issuer: new URL(issuer),
  clientId: "inlet",
  clientSecret: Redacted.make("the secret of the client"),
  access,
  consoleUrl: new URL(consoleUrl),
})
