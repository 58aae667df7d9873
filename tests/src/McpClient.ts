import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Schema } from "effect"
import { onTestFinished } from "vitest"
import { freshDirectory, startedByTest } from "./cleanup.ts"
import type { RunningServer } from "./http.ts"
import { cliFile, compileCache } from "./programs.ts"

const Result = Schema.Struct({
  isError: Schema.optionalKey(Schema.Boolean),
  content: Schema.Tuple([Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })]),
  structuredContent: Schema.Record(Schema.String, Schema.Json),
})

/** What a tool answered: its document, and the same as the text that a model reads. */
export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  readonly document: Readonly<Record<string, Schema.Json>>
}

/** The official client of the protocol, connected to a server. It closes when the test ends. */
export class McpClient {
  private readonly client: Client

  private constructor(client: Client) {
    this.client = client
  }

  private static async connect(transport: Transport): Promise<McpClient> {
    const client = new Client({ name: "test", version: "1.0.0" })
    onTestFinished(() => client.close())
    await client.connect(transport)
    return new McpClient(client)
  }

  /** Connects over HTTP. */
  static overHttp(
    { url }: RunningServer,
    token: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<McpClient> {
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
      requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
    })
    // The types of this transport were made without `exactOptionalPropertyTypes`, so its optional session id does not fit its own interface.
    return McpClient.connect(transport as Transport)
  }

  /** Starts `inlet mcp` and connects to its standard streams. */
  static overStdio(
    env: Readonly<Record<string, string>>,
    args: ReadonlyArray<string> = [],
  ): Promise<McpClient> {
    return McpClient.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cliFile, "mcp", ...args],
        env: { ...compileCache, ...startedByTest(), XDG_CONFIG_HOME: freshDirectory(), ...env },
      }),
    )
  }

  async tools() {
    const { tools } = await this.client.listTools()
    return tools
  }

  get server() {
    return this.client.getServerVersion()
  }

  async call(name: string, args: Readonly<Record<string, Schema.Json>> = {}): Promise<ToolAnswer> {
    const result = Schema.decodeUnknownSync(Result)(
      await this.client.callTool({ name, arguments: { ...args } }),
    )
    const [{ text }] = result.content
    return { isError: result.isError ?? false, text, document: result.structuredContent }
  }
}
