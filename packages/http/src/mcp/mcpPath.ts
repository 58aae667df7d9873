/** The path at which MCP is served, on the operator's address. */
export const mcpPath = "/mcp"
