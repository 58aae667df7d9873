import { execFile, execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, delimiter, join } from "node:path"
import { promisify } from "node:util"
import { drawExplanation } from "@inlethq/command-line/output/explanationPage"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Redacted, Schema } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { readDocument, root } from "../../src/documents/documents.ts"
import { guideBlocks, type GuideBlock } from "../../src/guideBlocks.ts"
import { Inlet } from "../../src/Inlet.ts"
import { base64, customerPath, track } from "../../src/ingestion.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { Management, read } from "../../src/Management.ts"
import { cliFile, compileCache } from "../../src/programs.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"
import { testMsMax } from "../../../tools/testing/patience.ts"

const guides = [
  "README.md",
  "docs/start.md",
  "docs/concepts.md",
  "docs/moving.md",
  "docs/sdk.md",
  "packages/sdk/README.md",
  "docs/emulator.md",
  "docs/management.md",
  "docs/operations.md",
  "docs/operations/settings.md",
  "docs/operations/running.md",
  "docs/operations/access.md",
  "docs/operations/monitoring.md",
  "docs/operations/data.md",
  "docs/operations/transfer.md",
  "docs/operations/backup.md",
  "docs/security.md",
  "docs/webhooks.md",
  "docs/kafka.md",
  "docs/lake.md",
  "docs/filters.md",
  "docs/segments.md",
  "docs/types.md",
  "docs/plans.md",
  "docs/what-if.md",
  "docs/app-api.md",
]

/** The address of a receiver in the guides. The test runs a receiver in its place. */
const receiverInGuides = "https://example.com/hook"

/** The address of the server in the guides. The test runs a server on another port. */
const serverInGuides = "http://127.0.0.1:8080"

/**
 * The folder in which the test stores the programs from the guides. In this folder, they can import the packages of the
 * tests. It is not in node_modules, because Node does not strip types there.
 */
const programs = join(import.meta.dirname, "../../reports/guides")

const python = ["python3", "python"].find((name) => {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})

/**
 * Shell functions that replace those commands of the guides which need a network or a database, or which start a
 * server. `pnpm inlet` runs the command line. Any other command of `pnpm` must be a script of package.json. `export`
 * changes nothing, because the test sets the variables.
 */
const replacedCommands = `
git() { test "$1" = clone; }
cd() { test "$1" = inlet; }
export() { case "$1" in INLET_URL=*|INLET_SITE_ID=*) ;; *) return 1 ;; esac; }
pnpm() { if [ "$1" = inlet ]; then shift; inlet "$@"; else grep -qF "\\"$1\\":" "$INLET_ROOT/package.json"; fi; }
npm() { test "$1" = install; }
npx() {
  case "$1" in
    @inlethq/cli) shift; test "$1" = serve || inlet "$@" ;;
    *) test "$2" = pnpm@12 && shift 2 && pnpm "$@" ;;
  esac
}
`

/**
 * A stand-in for `inlet` that runs the real command line. `inlet tail` never ends, so the stand-in stops it after its first output.
 * `inlet copy` needs a database, so the stand-in runs `inlet copy --help` instead. The server of `inlet serve` runs already.
 */
const inletProgram = `#!/bin/sh
if [ "$1" = serve ]; then exit 0; fi
if [ "$1" = copy ]; then exec "$INLET_NODE" "$INLET_CLI" copy --help > "$HOME/help"; fi
if [ "$1" != tail ]; then exec "$INLET_NODE" "$INLET_CLI" "$@"; fi
"$INLET_NODE" "$INLET_CLI" "$@" > "$HOME/tail" &
until [ -s "$HOME/tail" ]; do kill -0 $! && sleep 0.1 || exit 1; done
kill -INT $! && wait $!
cat "$HOME/tail"
`

/** Writes the program `inlet` into a folder. In the folder of a clone, guides run it as `./inlet`. */
const writeInlet = (folder: string): string => {
  writeFileSync(join(folder, "inlet"), inletProgram)
  chmodSync(join(folder, "inlet"), 0o755)
  return folder
}

/** Keys as the server generates them: without characters that a URL would have to encode. */
const keys = {
  INLET_SITE_ID: "4e0d1f6b8a2c93",
  INLET_API_KEY: "5c1b7e9a0d3f42",
  INLET_WRITE_KEY: "8d2f6a4c0b9e17",
  INLET_MANAGEMENT_TOKEN: "7a3e9c5d1f0b8264e6a2",
}

const variablesOf = (inlet: Inlet): Record<string, string> => ({
  ...compileCache,
  ...keys,
  HOME: freshDirectory(),
  INLET_ROOT: root,
  INLET_NODE: process.execPath,
  INLET_CLI: cliFile,
  INLET_URL: inlet.url,
  INLET_DATA_DIR: inlet.dataDir,
})

const runFile = promisify(execFile)

const receiver = await WebhookReceiver.start()
const inlet = await Inlet.start({ env: { ...keys, INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
afterAll(() => inlet.stop())

/** What stands in for the servers that a guide names, and the variables that it asks the reader to set. */
interface Stage {
  readonly inlet: Inlet
  readonly replaced?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
}

/** Runs blocks of a guide in their order, with a server in place of the one that the guide has started. */
const runBlocks = async (
  guide: string,
  blocks: ReadonlyArray<GuideBlock>,
  { inlet, replaced = {}, variables = {} }: Stage,
): Promise<void> => {
  const path = [writeInlet(freshDirectory()), join(root, "node_modules/.bin"), process.env["PATH"]].join(
    delimiter,
  )
  const env = { ...variablesOf(inlet), ...variables, PATH: path }
  const cwd = writeInlet(freshDirectory())
  mkdirSync(programs, { recursive: true })
  const addresses = { ...replaced, [receiverInGuides]: receiver.url("/hook"), [serverInGuides]: inlet.url }
  for (const [index, block] of blocks.entries()) {
    let text = block.text
    for (const [address, ours] of Object.entries(addresses)) text = text.replaceAll(address, ours)
    await runBlock(guide, { ...block, text }, cwd, env, blocks[index + 1]?.text ?? "")
  }
}

const runBlock = async (
  guide: string,
  { info, line, text }: GuideBlock,
  cwd: string,
  env: Record<string, string>,
  following: string,
) => {
  const program = `${basename(guide, ".md")}-${line}`
  const name = join(programs, program)
  switch (info) {
    case "sh":
      return await runFile(
        "bash",
        ["--norc", "-euc", replacedCommands + text.replace(/<[a-z ]+>/, "repository")],
        { cwd, env },
      )
    case "js":
    case "cjs":
    case "ts": {
      writeFileSync(`${name}.${info}`, text)
      return await runFile(process.execPath, [`${name}.${info}`], { cwd, env })
    }
    case "ts test": {
      writeFileSync(`${name}.test.ts`, text)
      // The machine may be too busy for the five seconds of vitest's default.
      const patient = ["--testTimeout", String(testMsMax)]
      const args = ["run", "--root", programs, program, "--reporter", "default", ...patient]
      return await runFile("vitest", args, { cwd, env })
    }
    case "python": {
      writeFileSync(`${name}.py`, text)
      if (python === undefined) return undefined
      return await runFile(python, ["-m", "py_compile", `${name}.py`], { cwd, env: { PATH: path() } })
    }
    case "json":
      return JSON.parse(text) satisfies unknown
    case "sql":
      return await expectTable(text, following, join(cwd, "lake.sql"))
    case "":
      return undefined
    default:
      throw new Error(`line ${line} has a block of an unknown language: ${info}`)
  }
}

/** DuckDB answers a query, after the statements in a file, with the table that the guide shows. */
const expectTable = async (query: string, table: string, views: string): Promise<void> => {
  const lines = table.split("\n")
  const shown = lines.slice(lines.findIndex((line) => line.startsWith("├"))).flatMap((line) => {
    const cells = line.split("│").slice(1, -1)
    return cells.length === 0 ? [] : [cells.map((cell) => cell.trim().replace(/\.0$/, ""))]
  })
  const rows = await queryDuckDb(readFileSync(views, "utf8"), query)
  expect(rows.map((row) => Object.values(row).map(String))).toEqual(shown)
}

describe.each(guides)("the guide %s", (guide) => {
  const blocks = guideBlocks(readDocument(guide))

  it("all commands and programs of the guide run, in their order", async () => {
    await runBlocks(guide, blocks, { inlet })
  })
})

describe("README.md", () => {
  it("the sample of inlet why is what the command prints on a terminal", async () => {
    const blocks = guideBlocks(readDocument("README.md"))
    const command = /inlet why (\w+)/
    const at = blocks.findIndex(({ text }) => command.test(text))
    const [, operation_id = ""] = command.exec(blocks[at]?.text ?? "") ?? []
    // The sample names the second operation of a new server, so it needs one that no other guide has used.
    const inlet = await Inlet.start({ env: keys })
    await runBlocks("README.md", blocks.slice(0, at), { inlet })
    const params = { w: WorkspaceId.make(1), operation_id }
    const entry = await Effect.gen(function* () {
      return yield* (yield* ManagementClient).activity.operation({ params })
    }).pipe(
      Effect.provide(
        ManagementClient.layer({ url: inlet.url, token: Redacted.make(keys.INLET_MANAGEMENT_TOKEN) }),
      ),
      Effect.runPromise,
    )
    await inlet.stop()
    const received_at = "2026-01-31T12:00:00.000Z"
    const times = { isUtc: true, isForPeople: true, now: Date.parse(received_at) }
    const screen = { isTerminal: true, hasColour: false, columns: 80, times }
    const sender = entry.sender === null ? null : { ...entry.sender, user_agent: "curl/8.14.1" }
    const lines = drawExplanation(screen, { ...entry, received_at, sender })
    expect(blocks[at + 1]?.text).toBe(`${lines.join("\n")}\n`)
  })
})

/** Starts a server that forwards to servers on this machine. */
const forwarding = (settings: Readonly<Record<string, string>>): Promise<Inlet> =>
  Inlet.start({ env: { ...settings, INLET_WEBHOOK_ALLOW: "127.0.0.0/8" } })

describe("docs/forward.md", () => {
  it("the commands of the guide run, in their order, on a new server", async () => {
    const inlet = await forwarding(keys)
    const replaced = { "https://track.customer.io": inlet.url }
    await runBlocks("docs/forward.md", guideBlocks(readDocument("docs/forward.md")), { inlet, replaced })
    await inlet.stop()
  })
})

describe.each(["track-v2", "segment"] as const)("docs/beside.md with %s", (kind) => {
  it("the commands of the guide run, in their order, with a second server as the hosted service", async () => {
    const hostedKeys = {
      INLET_SITE_ID: "hosted0d1f6b8a2c93",
      INLET_API_KEY: "hosted7e9a0d3f42",
      INLET_WRITE_KEY: "hosted4c0b9e17",
      INLET_MANAGEMENT_TOKEN: "hosted3e9c5d1f0b8264e6a2",
    }
    const [inlet, hosted] = await Promise.all([forwarding(keys), forwarding(hostedKeys)])
    const management = new Management(hosted, 1, hostedKeys.INLET_MANAGEMENT_TOKEN)
    const made = await management.call("POST", management.pathOf("/keys"), { kind: "app", name: "guide" })
    // The people of people.csv are exported from there.
    const authorization = `Basic ${base64(`${hostedKeys.INLET_SITE_ID}:${hostedKeys.INLET_API_KEY}`)}`
    const hedy = { email: "hedy@example.com", plan: "pro" }
    await track(hosted, "PUT", customerPath("hedy"), hedy, { authorization })
    const other = kind === "segment" ? "track-v2" : "segment"
    const blocks = guideBlocks(readDocument("docs/beside.md"))
    const chosen = blocks.filter(({ text }) => !text.includes(`--kind ${other}`))
    expect(blocks.length - chosen.length).toBe(2)
    await runBlocks("docs/beside.md", chosen, {
      inlet,
      replaced: {
        "https://track.customer.io": hosted.url,
        "https://cdp.customer.io": hosted.url,
        "https://api.customer.io": hosted.url,
        "https://inlet.example.com": hosted.url,
      },
      variables: {
        HOSTED_SITE_ID: hostedKeys.INLET_SITE_ID,
        HOSTED_API_KEY: hostedKeys.INLET_API_KEY,
        HOSTED_WRITE_KEY: hostedKeys.INLET_WRITE_KEY,
        HOSTED_TOKEN: hostedKeys.INLET_MANAGEMENT_TOKEN,
        HOSTED_APP_KEY: read(Schema.Struct({ app_key: Schema.String }), made.json).app_key,
      },
    })
    expect((await management.person({ id: "grace" })).attributes).toMatchObject({ plan: "pro" })
    expect((await management.person({ id: "hedy" })).attributes).toMatchObject({ plan: "enterprise" })
    expect(await management.activity({ filter: "kind:event" })).toMatchObject([{ name: "signed_up" }])
    await Promise.all([inlet.stop(), hosted.stop()])
  })
})

const path = (): string => process.env["PATH"] ?? ""
