import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine, hasTerminals } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

let tenant: Tenant
let inlet: CommandLine
beforeAll(async () => {
  tenant = await Tenant.create()
  inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  await tenant.identify("ada", { plan: "pro" })
})

describe("inlet api", () => {
  it.each([
    "/workspaces/{w}/people?id=ada",
    "workspaces/{w}/people?id=ada",
    "/management/v1/workspaces/{w}/people?id=ada",
  ])("reads %s", async (path) => {
    const { code, stdout } = await inlet.run(["api", "GET", path])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { items: [{ id: "ada" }] }])
  })

  it("filters the answer with --jq", async () => {
    expect(await inlet.lines("api", "GET", "/workspaces/{w}/people?id=ada", "--jq", ".items[0].id")).toEqual([
      "ada",
    ])
  })

  it("sends a body that is given, in a file, or from standard input", async () => {
    const file = join(freshDirectory(), "segment.json")
    writeFileSync(file, '{"name":"from a file"}')
    const path = "/workspaces/{w}/segments"
    expect(JSON.parse((await inlet.run(["api", "POST", path, "-d", '{"name":"given"}'])).stdout).name).toBe(
      "given",
    )
    expect(JSON.parse((await inlet.run(["api", "POST", path, "-d", `@${file}`])).stdout).name).toBe(
      "from a file",
    )
    const piped = await inlet.run(["api", "POST", path, "--data", "-"], '{"name":"piped"}')
    expect(JSON.parse(piped.stdout).name).toBe("piped")
  })

  it("passes on what is no JSON as it is", async () => {
    const { stdout } = await inlet.run(["api", "GET", "/workspaces/{w}/export/people"])
    const lines = stdout.trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ id: "ada" }),
      { end: true, count: 1 },
    ])
  })

  it.each([
    ["an answer that is an error", "/workspaces/{w}/people/nobody", 1, /^inlet: HTTP 404: .+\n$/],
    ["an address instead of a path", "https://example.com/management/v1/workspaces", 2, /takes a path/],
  ])("fails with one line on %s", async (_, path, code, message) => {
    const ran = await inlet.run(["api", "GET", path])
    expect([ran.code, ran.stdout]).toEqual([code, ""])
    expect(ran.stderr).toMatch(message)
  })
})

describe("-o", () => {
  it("prints JSON as --json does", async () => {
    expect(JSON.parse((await inlet.lines("segments", "list", "-o", "json")).join(""))).toEqual(
      await inlet.json("segments", "list"),
    )
  })

  it("prints an item of a list a line", async () => {
    const lines = await inlet.lines("segments", "list", "-o", "ndjson")
    expect({ items: lines.map((line) => JSON.parse(line)), next: null }).toEqual(
      await inlet.json("segments", "list"),
    )
    const ids = await inlet.lines("segments", "list", "-o", "ndjson", "--jq", ".name")
    expect(ids).toEqual(lines.map((line) => JSON.parse(line).name))
  })

  it("prints a document as one line", async () => {
    const lines = await inlet.lines("people", "get", "ada", "-o", "ndjson")
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(["ada"])
  })

  it("does not go with --json", async () => {
    const ran = await inlet.run(["keys", "list", "-o", "table", "--json"])
    expect([ran.code, ran.stdout]).toEqual([2, ""])
    expect(ran.stderr).toMatch(/-o table does not go together/)
  })
})

describe.runIf(hasTerminals)("lists on a narrow terminal", () => {
  it.each(["keys list", "tokens list", "audit"])(
    "inlet %s fits, and says what it leaves out",
    async (command) => {
      await inlet.lines(
        "tokens",
        "create",
        "a token with quite a long name for a narrow terminal",
        "--scope",
        "read",
      )
      const narrow = new CommandLine({
        INLET_URL: sharedServer.url,
        INLET_MANAGEMENT_TOKEN: credentials.token,
        INLET_WORKSPACE: String(tenant.workspace),
        COLUMNS: "80",
        NO_COLOR: "1",
      })
      const child = narrow.startOnTerminal(command.split(" "))
      let text = ""
      for await (const chunk of child.stdout) text += String(chunk)
      const lines = text.split(/\r?\n/).filter((line) => line !== "")
      const [heading = ""] = lines
      const table = lines.filter((line) => !line.startsWith("The terminal is too narrow"))
      expect(table.length).toBeGreaterThan(1)
      for (const line of table) expect(line.length, line).toBeLessThanOrEqual(80)
      if (command !== "audit") expect(heading).toContain("LAST USED")
      if (!heading.includes("CREATED") && command !== "audit") expect(text).toContain("too narrow for")
    },
  )
})
