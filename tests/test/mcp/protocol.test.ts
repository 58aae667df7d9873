import { expect, describe, it } from "vitest"
import { Schema } from "effect"
import { send } from "../../src/http.ts"
import { credentials } from "../../src/Inlet.ts"
import { read } from "../../src/Management.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const Token = Schema.Struct({ token: Schema.String })

describe("MCP over HTTP", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  }
  const post = (headers: Readonly<Record<string, string>>, body: string = JSON.stringify(initialize)) =>
    send(sharedServer.url, {
      method: "POST",
      path: "/mcp",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${credentials.token}`,
        ...headers,
      },
      body,
    })

  it("answers 401 with a challenge to a wrong token and to none", async () => {
    const wrong = await post({ authorization: `Bearer imt_${"0".repeat(48)}` })
    expect([wrong.status, wrong.headers["www-authenticate"]]).toEqual([401, "Bearer"])
    const basic = await post({ authorization: "Basic YTpi" })
    expect([basic.status, basic.headers["www-authenticate"]]).toEqual([401, "Bearer"])
  })

  it.each([
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "https://evil.example", host: "evil.example" }, 403],
    [{ origin: "http://evil.example:8080", host: "localhost:8080" }, 403],
    [{ origin: "http://localhost:3000", host: "localhost:8080" }, 403],
    [{ origin: "null", host: "localhost:8080" }, 403],
    [{ "inlet-allow": "everything" }, 400],
    [{ accept: "text/html" }, 406],
    [{ "content-type": "text/plain" }, 415],
  ])("refuses %j with %i", async (headers, status) => {
    expect((await post(headers)).status).toBe(status)
  })

  it("answers a page of the same address on the same machine", async () => {
    for (const host of ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"]) {
      expect((await post({ origin: `http://${host}`, host })).status).toBe(200)
    }
  })

  it("refuses writing without the scope, and a message that is too large", async () => {
    const tenant = await Tenant.create()
    const asked = { name: "assistant", scope: "read", workspaces: [tenant.workspace] }
    const { token } = read(Token, (await tenant.call("POST", "/tokens", asked)).json)
    expect((await post({ authorization: `Bearer ${token}`, "inlet-allow": "write" })).status).toBe(403)
    expect((await post({}, JSON.stringify({ ...initialize, padding: "x".repeat(300_000) }))).status).toBe(413)
  })

  it.each([
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
  ])("negotiates the version %s as %s", async (protocolVersion, agreed) => {
    const body = { ...initialize, params: { ...initialize.params, protocolVersion } }
    const answer = await post({}, JSON.stringify(body))
    expect(answer.text).toContain(`"protocolVersion":"${agreed}"`)
  })

  it("serves the protocol without sessions", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    }
    const answer = await post(
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } }),
    )
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("explain_membership")])
  })

  it("answers malformed messages with the errors of JSON-RPC", async () => {
    expect((await post({}, "{")).text).toContain("-32700")
    expect((await post({}, "{}")).text).toContain("error")
    expect((await post({ "mcp-session-id": "unknown" })).status).toBe(404)
  })
})
