import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { within } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { identify } from "../../src/ingestion.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch, launchAs } from "../../src/Launched.ts"
import { cliFile } from "../../src/programs.ts"
import { freshDirectory } from "../../src/cleanup.ts"

it("inlet serve runs a server with the given flags, and the SDK reads the stored data", async () => {
  const dataDir = join(freshDirectory(), "data")
  const { INLET_DATA_DIR: _, ...variables } = variablesFor("")
  const args = ["serve", "--data-dir", dataDir, "--port", "0"]
  const inlet = await Inlet.fromProcess(launch({ ...variables, INLET_PORT: "1" }, cliFile, args), dataDir)
  const id = fresh("p")
  expectTrackSuccess(await identify(inlet, id, { plan: "pro" }))
  const people = await Effect.gen(function* () {
    const client = yield* ManagementClient
    const { items } = yield* client.workspaces.list({ query: {} })
    const w = items[0]?.environment_id
    if (w === undefined) throw new Error("the list of workspaces is empty")
    const page = yield* client.people.list({ params: { w }, query: { id } })
    return page.items.map((person) => person.attributes)
  }).pipe(
    Effect.provide(ManagementClient.layer({ url: inlet.url, token: Redacted.make(credentials.token) })),
    Effect.runPromise,
  )
  expect(people).toEqual([{ plan: "pro" }])
  expect(await inlet.stop()).toEqual({ code: 0, signal: null })
})

it.each([
  [["serve", "--nope"], 2],
  [["nope"], 2],
  [["--help"], 0],
  [["serve", "--port", "eighty"], 1],
] as const)("the inlet command with arguments %j exits with code %i", async (args, code) => {
  const process = launch(variablesFor(join(freshDirectory(), "data")), cliFile, args)
  expect(await within("the command exits", process.exit)).toEqual({ code, signal: null })
  expect(process.lines().length).toBeGreaterThan(0)
})

it.each([
  [["profiles", "list"]],
  [["people", "list"]],
  [["people", "list", "--url", "ftp://host"]],
  [["nope"]],
])("the command %j ends in a process as it does inside the process of a test", async (args) => {
  const inlet = new CommandLine({})
  expect(await inlet.runProcess(args)).toEqual(await inlet.run(args))
})

it("inlet --version prints the same line from the sources and from the bundle", async () => {
  const source = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url))
  const processes = [cliFile, source].map((file) => launch({}, file, ["--version"]))
  for (const process of processes) {
    expect(await within("the command exits", process.exit)).toEqual({ code: 0, signal: null })
    expect(process.lines()).toEqual(["inlet v0.0.0"])
  }
})

/** Node runs this before the program, which then takes itself to run on an old version of Node. */
const oldNode =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.1'}})"

it("the inlet command says on an old version of Node which one it needs, before it loads anything else", async () => {
  const process = launchAs(["env", "node", "--import", oldNode, cliFile, "--version"], {})
  expect(await within("the command exits", process.exit)).toEqual({ code: 1, signal: null })
  expect(process.lines()).toEqual([
    "inlet: Inlet needs Node 22.19 or later, and this is Node 20.11.1: install a newer Node",
  ])
  const main = readFileSync(new URL("../../../apps/cli/src/main.ts", import.meta.url), "utf8")
  const imported = [...main.matchAll(/^import .* from "(.*)"$/gm)].map(([, module]) => module)
  expect(imported).toEqual(["node:process", "@inlethq/command-line/nodeVersion"])
})
