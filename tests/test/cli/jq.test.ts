import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { readDocument } from "../../src/documents/documents.ts"
import { eventually } from "../../src/eventually.ts"
import { credentials } from "../../src/Inlet.ts"
import { launch } from "../../src/Launched.ts"
import { cliFile } from "../../src/programs.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const variablesFor = ({ workspace }: Tenant) => ({
  INLET_URL: sharedServer.url,
  INLET_MANAGEMENT_TOKEN: credentials.token,
  INLET_WORKSPACE: String(workspace),
})

/** Creates a workspace with two people, and the command line for it. */
const start = async () => {
  const tenant = await Tenant.create()
  await tenant.identify("ada", { email: "ada@example.com", plan: "pro" })
  await tenant.identify("bob", { plan: "free" })
  return { tenant, inlet: new CommandLine(variablesFor(tenant)) }
}

describe("--jq", () => {
  it("prints what the expression makes of the answer, one result a line, strings without quotes", async () => {
    const { inlet } = await start()
    expect(await inlet.lines("people", "get", "ada", "--jq", ".email")).toEqual(["ada@example.com"])
    expect(await inlet.lines("people", "list", "--jq", ".items[] | {id, plan: .attributes.plan}")).toEqual([
      '{"id":"bob","plan":"free"}',
      '{"id":"ada","plan":"pro"}',
    ])
    expect(await inlet.lines("people", "get", "ada", "--jq", "empty")).toEqual([])
    expect(await inlet.lines("people", "get", "ada", "--jq=-(.id | length)")).toEqual(["-3"])
    expect(await inlet.lines("profiles", "list", "--jq", ".items | length")).toEqual(["0"])
  })

  it("applies to every line of an export and to every page of a list", async () => {
    const { inlet } = await start()
    expect(await inlet.lines("export", "people", "--jq", ".id // .count")).toEqual(["ada", "bob", "2"])
    const pages = await inlet.lines("people", "list", "--all", "--limit", "1", "--jq", ".items[].id")
    expect(pages).toEqual(["bob", "ada"])
  })

  it("refuses a wrong expression with the words of jq, before anything is sent", async () => {
    const { inlet, tenant } = await start()
    for (const args of [["send", "identify", "eve"], ["people", "delete", "ada", "--yes"], ["tail"]]) {
      const { code, stderr, stdout } = await inlet.run([...args, "--jq", ".items | nosuch"])
      expect([code, stdout]).toEqual([2, ""])
      expect(stderr).toBe(
        [
          "inlet: --jq is not an expression that jq accepts: nosuch/0 is not defined at <top-level>, line 1, column 10:",
          "    .items | nosuch",
          "             ^^^^^^",
          "",
        ].join("\n"),
      )
    }
    expect((await tenant.people({})).map(({ id }) => id)).toEqual(["bob", "ada"])
  })

  it("fails if the expression does not fit the answer, after the results before the error", async () => {
    const { inlet } = await start()
    const { code, stderr, stdout } = await inlet.run(["people", "get", "ada", "--jq", ".id, (.id | keys)"])
    expect([code, stdout]).toEqual([1, "ada\n"])
    expect(stderr).toContain(
      'the expression of --jq does not fit the answer: (at /dev/stdin:0): string ("ada") has',
    )
  })

  it("applies to every entry of a tail, and an entry that does not fit does not end it", async () => {
    const { tenant } = await start()
    const expression = 'if .name == "odd" then error("no") else "\\(.subject.id) \\(.name)" end'
    const tail = launch(variablesFor(tenant), cliFile, ["tail", "-n", "10", "kind:event", "--jq", expression])
    await tenant.recordEvent("ada", { name: "odd" })
    await tenant.recordEvent("ada", { name: "signed_up" })
    await eventually("both entries are shown", () =>
      tail.lines().includes("ada signed_up") &&
      tail.lines().some((line) => line.includes("does not fit the answer"))
        ? true
        : undefined,
    )
    expect(await tail.signal("SIGINT")).toEqual({ code: 0, signal: null })
  })

  it("prints what docs/cli.md says", async () => {
    const { tenant } = await start()
    const [, command = "", printed = ""] =
      /\$ inlet ([^\n]+--jq[^\n]+)\n([^`]+)```/.exec(readDocument("docs/cli.md")) ?? []
    const [, expression = ""] = /--jq '([^']+)'/.exec(command) ?? []
    const words = command
      .replace(/--jq '.*'/, "")
      .trim()
      .split(/\s+/)
    const inlet = new CommandLine(variablesFor(tenant))
    const { stdout } = await inlet.run([...words, "--jq", expression])
    expect(stdout).toBe(printed)
  })
})
