import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { runBridge } from "../../mcp/bridge.ts"
import { onIngestion } from "../../server/onServer.ts"

/** `inlet mcp`: the MCP server of the selected server, for programs that start one and talk to it by its standard streams. */
export const mcpCommand = Command.make(
  "mcp",
  {
    allow: Flag.Literals("allow", ["write"]).pipe(
      Flag.withDescription(
        "Add tools that merge people, undo merges and create segments, each after a preview. Needs a token with the scope write",
      ),
      Flag.optional,
    ),
  },
  ({ allow }) => onIngestion(runBridge(Option.isSome(allow))),
).pipe(
  Command.withDescription("Serve the Model Context Protocol on standard input and output, for assistants"),
  Command.withExamples([
    { command: "inlet mcp", description: "What an assistant starts; see docs/mcp.md for its settings" },
    { command: "inlet mcp --allow write", description: "Also offer the tools that change data" },
  ]),
)
