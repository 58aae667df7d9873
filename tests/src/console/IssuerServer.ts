import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Provider } from "oidc-provider"

/** A person whom the issuer knows. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly groups: ReadonlyArray<string>
}

const client = { id: "inlet", secret: "a secret of the client, with + and %" }

/** Returns the settings of a server whose console is at an address, and whose people sign in at an issuer. */
export const oidcVariables = (issuer: string, consoleUrl: string): Record<string, string> => ({
  INLET_PUBLIC_URL: consoleUrl,
  INLET_OIDC_ISSUER: issuer,
  INLET_OIDC_CLIENT_ID: client.id,
  INLET_OIDC_CLIENT_SECRET: client.secret,
  INLET_OIDC_ACCESS: JSON.stringify({
    claim: "groups",
    rules: [
      { value: "inlet-admins", scope: "admin" },
      { value: "growth", scope: "write", workspaces: [1] },
    ],
  }),
})

/** A certified issuer on this machine. It signs in whoever `account` is, without asking. */
export class IssuerServer {
  account: Account = { id: "ada-1", name: "Ada Lovelace", groups: ["inlet-admins"] }
  readonly url: string
  /** Everything secret that it has sent: codes and tokens. */
  readonly secrets: Array<string> = []
  private readonly server: Server

  private constructor(server: Server, url: string, consoleUrl: string) {
    this.server = server
    this.url = url
    const provider = new Provider(url, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [`${consoleUrl}/console/oidc/callback`],
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
      ],
      claims: { openid: ["sub"], profile: ["name"], groups: ["groups"] },
      scopes: ["openid", "profile", "email", "groups"],
      cookies: { keys: ["a key of the issuer"] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, name: this.account.name, groups: [...this.account.groups] }),
      }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    })
    provider.on("grant.success", ({ body }: { readonly body: unknown }) => {
      for (const [name, value] of Object.entries(Object(body))) {
        if (name.endsWith("_token")) this.secrets.push(String(value))
      }
    })
    const handle = provider.callback()
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.startsWith("/interaction/") === true) void this.interact(provider, request, response)
      else void handle(request, response)
    })
  }

  static async start(consoleUrl: string): Promise<IssuerServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    return new IssuerServer(server, `http://127.0.0.1:${port}`, consoleUrl)
  }

  private async interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
    const { params, prompt, session } = await provider.interactionDetails(request, response)
    if (prompt.name === "login") {
      return provider.interactionFinished(request, response, { login: { accountId: this.account.id } })
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? "",
      clientId: String(params["client_id"]),
    })
    grant.addOIDCScope(String(params["scope"]))
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }
}
