import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { CommandLine } from "../src/commandLine.ts"
import { credentials } from "../src/Inlet.ts"
import { cliFile, compileCache } from "../src/programs.ts"
import { sharedServer, Tenant } from "../src/Tenant.ts"

const run = promisify(execFile)

/** Every write to this device fails as on a full disk. */
const fullDevice = "/dev/full"

describe.runIf(existsSync(fullDevice))("output to a full disk", () => {
  it.each(["workspaces list", "export people", "--help"])(
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

describe("times", () => {
  it("times have the offset of the local time zone, and --utc shows them in UTC", async () => {
    const { inlet } = await start({ TZ: "Asia/Kolkata" })
    const [local = ""] = await inlet.lines("keys", "list")
    expect(local).toMatch(/\t\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/)
    const [utc = ""] = await inlet.lines("keys", "list", "--utc")
    expect(utc).toMatch(/Z$/)
    const timeIn = (line: string) => Date.parse(line.split("\t").at(-1) ?? "")
    expect(timeIn(utc)).toBe(timeIn(local))
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
