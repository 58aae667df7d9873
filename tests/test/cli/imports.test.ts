import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  validRowsOf,
  sendGenerated,
  startImport,
  summaryOf,
  writeCsv,
  type Kind,
} from "../../src/csvFiles.ts"
import { eventually, within } from "../../src/eventually.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch, type Launched } from "../../src/Launched.ts"
import { cliFile } from "../../src/programs.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { Management } from "../../src/Management.ts"
import type { Ran } from "../../src/runInProcess.ts"
import { sharedServer } from "../../src/Tenant.ts"

const rows = 20_000
const badEvery = 1000
const good = validRowsOf(rows, badEvery)

/** Waits until a command exits with this code. Returns the lines that the command printed. */
const linesAfterExit = async (command: Launched, code: number): Promise<ReadonlyArray<string>> => {
  expect(await within("the command ends", command.exit), command.output.join("\n")).toEqual({
    code,
    signal: null,
  })
  return command.lines()
}

/** Returns the lines that a command has printed that ended with this code. */
const linesOf = async (run: Promise<Ran>, code: number): Promise<ReadonlyArray<string>> => {
  const ran = await run
  const lines = `${ran.stdout}\n${ran.stderr}`.split("\n").filter((line) => line.trim() !== "")
  expect(ran.code, lines.join("\n")).toBe(code)
  return lines
}

/** Returns the position of the newest log entry of a workspace, or 0 if there are no entries. */
const newestPosition = async (management: Management): Promise<number> =>
  (await management.activityPage({ limit: "1" })).items[0]?.sequence ?? 0

/**
 * Waits until an import has added entries after this position in the activity log. Most of the imported file is still
 * unread then.
 */
const importStarted = async (management: Management, after: number): Promise<void> => {
  await eventually("rows are imported", async () =>
    (await newestPosition(management)) > after ? true : undefined,
  )
}

describe("inlet import", () => {
  it("inlet import imports each row once, even if the server and later the command are killed", async () => {
    const directory = freshDirectory()
    const dataDir = join(directory, "data")
    let inlet = await Inlet.start({ dataDir })
    let management = new Management(inlet)
    for (const kind of ["people", "events"] satisfies ReadonlyArray<Kind>) {
      const file = join(directory, `${kind}.csv`)
      writeCsv(file, kind, rows, badEvery)

      const empty = await newestPosition(management)
      const first = startImport(inlet.url, kind, file)
      await importStarted(management, empty)
      await inlet.kill()
      expect((await linesAfterExit(first, 1)).join("\n")).toContain("send the same file again to resume")

      inlet = await Inlet.start({ dataDir })
      management = new Management(inlet)
      const half = await newestPosition(management)
      expect(half).toBeLessThan(empty + good)
      const second = startImport(inlet.url, kind, file)
      await importStarted(management, half)
      await second.signal("SIGKILL")

      const third = await linesAfterExit(startImport(inlet.url, kind, file, "--json"), 1)
      const summary = summaryOf(third[0] ?? "")
      expect(summary).toMatchObject({ rows, failed: rows - good })
      expect(summary.imported + summary.skipped).toBe(good)
      expect(summary.imported).toBeGreaterThan(0)
      expect(summary.skipped).toBeGreaterThan(0)
      expect(summary.errors.map(({ line }) => line)).toEqual(
        Array.from({ length: rows / badEvery }, (_, i) => (i + 1) * badEvery + 1),
      )

      const before = await newestPosition(management)
      const again = summaryOf(
        (await linesAfterExit(startImport(inlet.url, kind, file, "--json"), 1))[0] ?? "",
      )
      expect(again).toEqual({ ...summary, imported: 0, skipped: good })
      expect(await newestPosition(management)).toBe(before)
    }

    const log = await management.activity({ order: "asc" })
    const created = log.filter(({ kind, outcome }) => kind === "identify" && outcome === "created")
    const events = log.filter(({ kind }) => kind === "event")
    expect(log.length).toBe(created.length + events.length)
    const numbers = Array.from({ length: rows }, (_, i) => i + 1).filter((n) => n % badEvery !== 0)
    expect(created.map(({ subject }) => subject.id)).toEqual(numbers.map((n) => `p${n}`))
    expect(events.map(({ data, subject }) => [subject.id, data])).toEqual(
      numbers.map((n) => [`p${n}`, { "order.number": String(n) }]),
    )
    expect(await management.person({ id: "p7" })).toMatchObject({
      email: "p7@example.com",
      attributes: { first_name: "First, 7", plan: "pro", n: "7" },
    })
    expect(await management.people({ id: "stranger" })).toEqual([])
  })

  it("inlet import needs no options if it can read the server's data directory", async () => {
    const directory = freshDirectory()
    const file = join(directory, "people.csv")
    writeFileSync(file, "id,plan\nada,pro\nbob\n")
    const { INLET_MANAGEMENT_TOKEN: _, ...variables } = variablesFor(join(directory, ".inlet"))
    const inlet = await Inlet.fromProcess(launch(variables), join(directory, ".inlet"))
    const here = new CommandLine({ INLET_PORT: String(inlet.port), INLET_DATA_DIR: inlet.dataDir })
    const lines = await linesOf(here.run(["import", "people", file]), 1)
    expect(lines).toHaveLength(3)
    expect(lines).toContain("line 3: expected 2 cells, got 1")
    expect(lines).toContain("inlet: rows that were not imported: 1")
    expect(lines.join("\n")).toMatch(/^1 imported, 0 skipped, 1 failed: 2 rows of people in \d+\.\d s$/m)
    writeFileSync(file, "id,plan\nada,pro\n")
    const [answer] = await linesOf(here.run(["import", "people", file, "--json"]), 0)
    expect(summaryOf(answer ?? "")).toMatchObject({ imported: 1, failed: 0 })
    const again = ["import", "people", file, "--idempotency-key", "again", "--json"]
    expect(summaryOf((await linesOf(here.run(again), 0))[0] ?? "")).toMatchObject({
      imported: 1,
    })
    writeFileSync(file, "id,plan\nada,free\n")
    const refused = await linesOf(here.run(again), 1)
    expect(refused.join("\n")).toContain("the Idempotency-Key was used with another file")
  })

  const here = ["--url", sharedServer.url, "--token", credentials.token]

  it.each([
    [2, "missing.csv", ["people", "missing.csv", ...here]],
    [2, "devices", ["devices", "FILE", ...here]],
    [
      2,
      "--workspace must be a workspace number, such as 1",
      ["people", "FILE", ...here, "--workspace", "one"],
    ],
    [2, "--url or INLET_URL must be an http or https address", ["people", "FILE", "--url", "example.com"]],
    [2, "no management token", ["people", "FILE", "--url", "http://inlet.example.com"]],
    [
      1,
      "no server responds at http://127.0.0.1:1",
      ["people", "FILE", "--url", "http://127.0.0.1:1", "--token", "t"],
    ],
    [
      1,
      "the server does not accept the management token",
      ["people", "FILE", "--url", sharedServer.url, "--token", "wrong"],
    ],
    [1, "workspace 999999 not found", ["people", "FILE", ...here, "--workspace", "999999"]],
    [1, "line 1: missing column: id or email", ["people", "FILE", ...here]],
    [0, "inlet import people people.csv", ["people", "--help"]],
  ] as const)("inlet import exits with %i and prints: %s", async (code, printed, args) => {
    const file = join(freshDirectory(), "file.csv")
    writeFileSync(file, "name\nAda\n")
    const given = args.map((arg) => (arg === "FILE" ? file : arg))
    const lines = await linesOf(new CommandLine({}).run(["import", ...given]), code)
    expect(lines.join("\n")).toContain(printed)
  })

  it("the memory that an import needs does not grow with the number of rows", async () => {
    const inlet = await Inlet.start()
    const marks: Array<number> = []
    const summary = await sendGenerated(inlet.url, "people", 300_000, (n) => {
      if (n % 50_000 === 1) marks.push(inlet.process.memory().now)
    })
    expect(summary).toEqual({ rows: 300_000, imported: 300_000, skipped: 0, failed: 0, errors: [] })
    marks.push(inlet.process.memory().now)
    const megabytes = marks.map((bytes) => Math.round(bytes / 1024 / 1024))
    // After 200,000 rows the heap has reached its final size, even on a slow machine, so `late` is the memory at that
    // time. A server that held 1 KB for each of the last 100,000 rows would grow by 100 MB. The limit of 30 MB allows 300
    // bytes for each row.
    const [, , , , late = 0] = megabytes
    expect((megabytes.at(-1) ?? Infinity) - late, megabytes.join(", ")).toBeLessThan(30)
  })
})

it("inlet serve --log-level overrides INLET_LOG", async () => {
  const variables = { ...variablesFor(join(freshDirectory(), "data")), INLET_LOG: "error" }
  const server = launch(variables, cliFile, ["serve", "--log-level", "info"])
  await server.listening()
  expect(await server.signal("SIGTERM")).toEqual({ code: 0, signal: null })
})
