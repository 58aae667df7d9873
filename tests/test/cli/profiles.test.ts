import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine, hasTerminals } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { Launched } from "../../src/Launched.ts"
import { credentials } from "../../src/Inlet.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

/** Creates two workspaces, with a person of their own in each, and stores a profile for each. */
const start = async (variables: Readonly<Record<string, string>> = {}) => {
  const inlet = new CommandLine(variables)
  const [first, second] = [await Tenant.create(), await Tenant.create()]
  for (const [name, { workspace }] of [
    ["first", first],
    ["second", second],
  ] as const) {
    const flags = ["--url", `${sharedServer.url}/`, "--token", credentials.token]
    await inlet.lines("profiles", "add", name, ...flags, "--workspace", String(workspace))
  }
  await first.identify("ada", { plan: "pro" })
  await second.identify("bob", { plan: "free" })
  return { inlet, first, second, file: join(inlet.configuration, "inlet", "profiles.json") }
}

it("inlet profiles stores servers, lists them without tokens, and uses and removes them", async () => {
  const { file, first, inlet, second } = await start()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, "utf8")).toContain(credentials.token)
  const rows = [
    `first\t${sharedServer.url}\t\t${first.workspace}\tstored\t`,
    `second\t${sharedServer.url}\t\t${second.workspace}\tstored\t`,
  ]
  expect(await inlet.lines("profiles", "list")).toEqual(rows)
  const listed = await inlet.run(["profiles", "list", "--json"])
  expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ name: "first", has_token: true }, {}] })
  expect(listed.stdout).not.toContain(credentials.token)

  expect(await inlet.json("people", "get", "ada", "--profile", "first")).toMatchObject({ id: "ada" })
  expect((await inlet.run(["people", "get", "ada", "--profile", "second"])).code).toBe(1)
  await inlet.lines("profiles", "use", "second")
  expect(await inlet.lines("profiles", "list")).toEqual([rows[0], `${rows[1]}yes`])
  expect(await inlet.json("people", "get", "bob")).toMatchObject({ id: "bob" })
  await inlet.lines("profiles", "remove", "second")
  expect(await inlet.lines("profiles", "list")).toEqual([rows[0]])
  for (const args of [
    ["people", "list", "--profile", "second"],
    ["profiles", "use", "second"],
    ["profiles", "remove", "second"],
  ]) {
    const { code, stderr } = await inlet.run(args)
    expect([code, stderr]).toEqual([2, "inlet: no profile is named second: see `inlet profiles list`\n"])
  }
})

/** Adds a profile with this configuration folder. */
const addIn = (folder: string) =>
  new CommandLine({ XDG_CONFIG_HOME: folder }).run(["profiles", "add", "prod", "--url", sharedServer.url])

it("inlet profiles says at once that its folder cannot be created, and creates missing parents", async () => {
  const refused = await addIn("/proc/inlet")
  expect([refused.code, refused.stderr]).toEqual([
    1,
    "inlet: the profiles cannot be stored: ENOENT: no such file or directory, mkdir '/proc/inlet'\n",
  ])
  const folder = join(freshDirectory(), "new", "folder")
  expect((await addIn(folder)).code).toBe(0)
  expect(statSync(join(folder, "inlet", "profiles.json")).mode & 0o777).toBe(0o600)
})

it("flags come before the environment, and the environment before the profile in use", async () => {
  const { inlet, first, second } = await start({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
  })
  await inlet.lines("profiles", "use", "second")
  const ids = async (variables: Readonly<Record<string, string>>, ...flags: ReadonlyArray<string>) => {
    const command = new CommandLine({ ...variables, XDG_CONFIG_HOME: inlet.configuration })
    return (await command.lines("people", "list", ...flags)).map((line) => line.split("\t")[1])
  }
  const workspace = { INLET_WORKSPACE: String(first.workspace) }
  expect(await ids({})).toEqual(["bob"])
  expect(await ids({ INLET_PROFILE: "first" })).toEqual(["ada"])
  expect(await ids(workspace)).toEqual(["ada"])
  expect(await ids(workspace, "--workspace", String(second.workspace))).toEqual(["bob"])
  // A profile that is named on the command line replaces the environment, and flags replace parts of the profile.
  const elsewhere = { ...workspace, INLET_URL: "http://127.0.0.1:1", INLET_MANAGEMENT_TOKEN: "wrong" }
  expect(await ids(elsewhere, "--profile", "second")).toEqual(["bob"])
  expect(await ids(elsewhere, "--profile", "second", "--workspace", String(first.workspace))).toEqual(["ada"])
})

it("the token and workspace of a profile are not used for another server", async () => {
  const { inlet } = await start()
  await inlet.lines("profiles", "use", "second")
  const { code, stderr } = await inlet.run(["people", "list", "--url", "http://inlet.invalid"])
  expect([code, stderr]).toEqual([2, "inlet: no management token: set --token or INLET_MANAGEMENT_TOKEN\n"])
})

it("inlet send with a profile writes to the workspace of the profile, whatever keys the environment has", async () => {
  const source = await PipelinesSource.create()
  const { first, inlet, second } = await start({
    INLET_URL: sharedServer.url,
    INLET_WRITE_KEY: source.writeKey,
  })
  await inlet.lines("send", "identify", "eve", "--profile", "first")
  expect(await first.people({ id: "eve" })).toHaveLength(1)
  await inlet.lines("profiles", "use", "second")
  const { code, stderr } = await inlet.run(["send", "identify", "eve"])
  expect(code).toBe(2)
  expect(stderr).toContain(`but profile second selects workspace ${second.workspace}, so nothing was sent`)
  expect(await source.log()).toEqual([])
})

it("inlet profiles add refuses a profile without an address, a wrong name and a wrong workspace", async () => {
  const { file, inlet } = await start()
  const url = ["--url", sharedServer.url]
  for (const [args, message] of [
    [["x"], "--url is missing: set it to the address of the server"],
    [["a b", ...url], "the name of a profile must have 1 to 64 letters"],
    [["x", ...url, "--workspace", "shop"], "--workspace must be a workspace number"],
    [["x", "--url", "localhost:8080"], "--url or INLET_URL must be an http or https address"],
  ] as const) {
    const { code, stderr } = await inlet.run(["profiles", "add", ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  }
  writeFileSync(file, "{")
  const damaged = await inlet.run(["people", "list"])
  expect([damaged.code, damaged.stderr]).toEqual([
    2,
    expect.stringMatching(/^inlet: cannot read the profiles/),
  ])
})

it("inlet profiles add takes the token from standard input or from the environment", async () => {
  const { workspace } = await Tenant.create()
  const flags = ["--url", sharedServer.url, "--workspace", String(workspace)]
  const inlet = new CommandLine({})
  const piped = await inlet.run(
    ["profiles", "add", "piped", ...flags, "--token", "-"],
    `${credentials.token}\n`,
  )
  expect([piped.code, piped.stderr]).toEqual([
    0,
    "Stored profile piped with the token of standard input: add --profile piped, or run inlet profiles use piped\n",
  ])
  expect(await inlet.lines("people", "list", "--profile", "piped")).toEqual([])

  const environment = { INLET_MANAGEMENT_TOKEN: credentials.token, XDG_CONFIG_HOME: inlet.configuration }
  const taken = await new CommandLine(environment).run(["profiles", "add", "taken", ...flags])
  expect(taken.stderr).toContain("with the token of INLET_MANAGEMENT_TOKEN")
  expect(await inlet.lines("people", "list", "--profile", "taken")).toEqual([])

  const bare = await inlet.run(["profiles", "add", "bare", ...flags])
  expect(bare.stderr).toContain("Stored profile bare without a token")
  for (const input of ["", " \n", "two words\n", "x".repeat(1001)]) {
    const { code, stderr } = await inlet.run(["profiles", "add", "x", ...flags, "--token", "-"], input)
    expect([code, stderr]).toEqual([2, "inlet: standard input has no management token\n"])
  }
})

it.runIf(hasTerminals)(
  "inlet profiles add asks for the token on a terminal, and does not show it",
  async () => {
    const inlet = new CommandLine({})
    const flags = ["--url", sharedServer.url, "--token", "-"]
    const command = new Launched(inlet.startOnTerminal(["profiles", "add", "asked", ...flags]))
    await eventually("the question is shown", () =>
      command.printed.includes("Management token") ? true : undefined,
    )
    command.child.stdin?.write(`${credentials.token}\r`)
    expect(await within("the command ends", command.exit)).toEqual({ code: 0, signal: null })
    expect(command.printed).not.toContain(credentials.token)
    expect(await inlet.lines("profiles", "list")).toEqual([`asked\t${sharedServer.url}\t\t\tstored\t`])
  },
)
