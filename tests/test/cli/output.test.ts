import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { readDocument } from "../../src/documents/documents.ts"
import { guideBlocks } from "../../src/guideBlocks.ts"
import { cliFile, compileCache } from "../../src/programs.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const run = promisify(execFile)

/** Every write to this device fails as on a full disk. */
const fullDevice = "/dev/full"

describe.runIf(existsSync(fullDevice))("output to a full disk", () => {
  it.each(["keys list", "export people", "--help"])(
    "inlet %s says in one line that its output is incomplete, and exits with code 1",
    async (command) => {
      const shell = `exec "$INLET_NODE" "$INLET_CLI" ${command} > ${fullDevice}`
      const env = {
        ...compileCache,
        PATH: process.env["PATH"],
        INLET_NODE: process.execPath,
        INLET_CLI: cliFile,
        INLET_URL: sharedServer.url,
        INLET_MANAGEMENT_TOKEN: credentials.token,
      }
      await expect(run("sh", ["-c", shell], { env })).rejects.toMatchObject({
        code: 1,
        stderr:
          "inlet: cannot write the output, which is now incomplete; free disk space or write the output elsewhere: ENOSPC\n",
      })
    },
  )
})

/** Creates a workspace. Returns a client of the workspace and its command line with these environment variables. */
const start = async (variables: Readonly<Record<string, string>> = {}) => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
    ...variables,
  })
  return { tenant, inlet }
}

/** Returns the time at which a key in the list of keys was created. */
const createdIn = (row: string): string => row.split("\t")[5] ?? ""

describe("times", () => {
  it("times have the offset of the local time zone, and --utc shows them in UTC", async () => {
    const { inlet } = await start({ TZ: "Asia/Kolkata" })
    const [local = ""] = await inlet.lines("keys", "list")
    expect(createdIn(local)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/)
    const [utc = ""] = await inlet.lines("keys", "list", "--utc")
    expect(createdIn(utc)).toMatch(/Z$/)
    expect(Date.parse(createdIn(utc))).toBe(Date.parse(createdIn(local)))
  })
})

describe("colours", () => {
  it("FORCE_COLOR gives output in a pipe colours, and NO_COLOR takes them away", async () => {
    const coloured = await start({ FORCE_COLOR: "1" })
    expect((await coloured.inlet.lines("keys", "list"))[0]).toContain("\u001b[1mtest\u001b[0m")
    expect((await coloured.inlet.run(["--help"])).stdout).toContain("\u001b[")
    const plain = await start({ FORCE_COLOR: "1", NO_COLOR: "1" })
    expect((await plain.inlet.lines("keys", "list"))[0]).not.toContain("\u001b")
  })
})

/** Creates a workspace with 60 segments. */
const startWithSegments = async () => {
  const { inlet, tenant } = await start()
  for (let n = 0; n < 60; n++) {
    await tenant.call("POST", tenant.pathOf("/segments"), { name: `segment ${n}` })
  }
  return inlet
}

describe("lists", () => {
  it("a list says on standard error that there are more items, and --all prints them all", async () => {
    const inlet = await startWithSegments()
    const first = await inlet.run(["segments", "list"])
    expect(first.stdout.trimEnd().split("\n")).toHaveLength(50)
    const [, cursor = ""] = /^There are more: add --all, or --after (\S+)\n$/.exec(first.stderr) ?? []
    const rest = await inlet.run(["segments", "list", "--after", cursor])
    expect(rest.stderr).toBe("")
    const all = await inlet.run(["segments", "list", "--all", "--limit", "7"])
    expect(all).toEqual({ code: 0, stdout: first.stdout + rest.stdout, stderr: "" })
    const pages = await inlet.lines("segments", "list", "--all", "--limit", "25", "--json")
    expect(pages.map((page) => JSON.parse(page).items.length)).toEqual([25, 25, 10])
  })

  it("a list that ends with its last page says nothing on standard error", async () => {
    const { inlet } = await start()
    expect(await inlet.run(["segments", "list"])).toEqual({ code: 0, stdout: "", stderr: "" })
  })
})

describe("the streams of the output", () => {
  it("a new secret is on standard output, and the note about it on standard error", async () => {
    const { inlet } = await start()
    const { stderr, stdout } = await inlet.run(["keys", "create", "web"])
    expect(stderr).toBe("Save the secret now. It is not shown again.\n")
    expect(stdout).toMatch(/^ +key id .*\n +kind .*\n +name .*\n +write key +\w{40,}\n +expires +never\n$/)
  })

  it("inlet send --json prints exactly one line", async () => {
    const { inlet } = await start()
    const { stdout } = await inlet.run(["send", "identify", "ada", "--json"])
    expect(stdout).toMatch(/^\{.*\}\n$/)
  })
})

describe("words for flags", () => {
  it("inlet help and inlet version do what --help and --version do", async () => {
    const { inlet } = await start()
    const help = await inlet.run(["people", "get", "--help"])
    expect(help.stdout).toContain("inlet people get")
    expect(await inlet.run(["help", "people", "get"])).toEqual(help)
    expect(await inlet.run(["version"])).toEqual(await inlet.run(["--version"]))
  })
})

describe("shell completions", () => {
  it("the documented commands for bash add one line to .bashrc, however often they run", async () => {
    const block = guideBlocks(readDocument("docs/cli.md")).find(({ text }) => text.includes("--completions"))
    const commands = block?.text.split("\n").filter((line) => line.includes("bash")) ?? []
    const script = [`inlet() { "$INLET_NODE" "$INLET_CLI" "$@"; }`, ...commands, ...commands].join("\n")
    const home = freshDirectory()
    const env = {
      ...compileCache,
      PATH: process.env["PATH"],
      HOME: home,
      INLET_NODE: process.execPath,
      INLET_CLI: cliFile,
    }
    await run("bash", ["--norc", "-euc", script], { env })
    expect(readFileSync(join(home, ".bashrc"), "utf8")).toBe(". ~/.inlet-completions.bash\n")
    const { stdout } = await run("bash", ["--norc", "-euc", ". ~/.bashrc; complete -p inlet"], { env })
    expect(stdout).toContain("inlet")
  })
})
