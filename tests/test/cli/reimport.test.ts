import { once } from "node:events"
import { readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { exportsOf } from "../../src/exported.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"
import { fillWorkspace } from "../../src/variedData.ts"

const kinds = ["people", "events", "objects", "segments"] as const

const commandsOf = (tenant: Tenant) =>
  new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })

/** Exports all kinds to files of a folder. */
const exportAll = async (inlet: CommandLine, folder: string) => {
  for (const kind of kinds) await inlet.lines("export", kind, "--output", join(folder, `${kind}.ndjson`))
}

/**
 * Returns a function that returns the exported lines of one kind. The lines come from the management API, because
 * `inlet export` would start a process for each kind.
 */
const exportedLines = async ({ workspace }: Tenant) => {
  const lines = await exportsOf(sharedServer, [workspace])
  return (kind: string) => lines[`${workspace} ${kind}`] ?? []
}

const linesIn = (folder: string, kind: string) =>
  readFileSync(join(folder, `${kind}.ndjson`), "utf8").split("\n")

/**
 * Fields that change in an import: ids and other values that the server assigns in the new workspace, who sent the call, and receipt
 * times.
 */
const newFields = new Set([
  "svc_id",
  "svc_object_id",
  "segment_id",
  "segments",
  "operation_id",
  "sequence",
  "received_at",
  "sender",
  "processed_at",
  "updated_at",
  "created_at",
  "source",
  "trigger_eligible",
  "rule",
])

/** Returns the documents in the lines of an export as sorted JSON texts, without the fields that change in an import. */
const documentsIn = (lines: ReadonlyArray<string>) =>
  lines
    .filter((line) => line !== "")
    .map((line) => JSON.stringify(JSON.parse(line, withoutNewFields)))
    .toSorted()

/** Removes the fields in `newFields`, and the deduplication keys that the import makes for events without a key. */
const withoutNewFields = (key: string, value: unknown): unknown => {
  if (newFields.has(key)) return undefined
  return key === "id" && typeof value === "string" && value.startsWith("\0exported:") ? null : value
}

const created = (lines: ReadonlyArray<string>) => lines.join("\n").match(/"created_at":"[^"]*/g)

const object = (object_id: string) => ({
  object_type_id: "1",
  object_id,
  svc_object_id: "o",
  attributes: {},
  people_total: 0,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  relationships: [],
})

/** Returns the exit code and the error that are expected if the imported export is incomplete. */
const incomplete = (file: string) => [
  1,
  `inlet: ${file} is not a complete export, because its last line is missing: export the data again`,
]

const person = (id: string, action: string, rest: object = {}) => ({
  type: "person",
  identifiers: { id },
  action,
  ...rest,
})

describe("inlet import of exported files", () => {
  it("contract §16 erasure ledger: inlet import leaves out who was erased since, unless --include-erased is given", async () => {
    const tenant = await Tenant.create()
    const inlet = commandsOf(tenant)
    const acme = { identifiers: { object_type_id: "1", object_id: "acme" } }
    await tenant.batch([
      person("ada", "identify", { attributes: { plan: "pro" } }),
      person("bob", "identify"),
      person("ada", "event", { name: "bought" }),
      person("ada", "add_relationships", { svc_relationships: [acme] }),
      person("bob", "add_relationships", { svc_relationships: [acme] }),
    ])
    const exported = freshDirectory()
    await exportAll(inlet, exported)
    await tenant.entity(person("ada", "delete"))
    const imported = async (kind: string, ...flags: ReadonlyArray<string>) =>
      Object(await inlet.json("import", kind, join(exported, `${kind}.ndjson`), ...flags))
    expect(await imported("people")).toMatchObject({ rows: 2, erased: 1, failed: 0 })
    expect(await imported("events")).toMatchObject({ rows: 1, erased: 1, failed: 0 })
    expect(await imported("objects")).toMatchObject({ rows: 1, failed: 0 })
    expect((await tenant.people({})).map(({ id }) => id)).toEqual(["bob"])
    expect(await imported("people", "--include-erased")).toMatchObject({ erased: 0, failed: 0 })
    expect((await tenant.people({})).map(({ id }) => id).toSorted()).toEqual(["ada", "bob"])
  })

  it("inlet import imports exported people, events, objects and segments into another workspace, and importing the same files again adds no data", async () => {
    const from = commandsOf(await fillWorkspace(sharedServer))
    const target = await Tenant.create({ limits: { person_id_bytes: 3000 } })
    const to = commandsOf(target)
    const exported = freshDirectory()
    await exportAll(from, exported)
    for (let run = 1; run <= 2; run++) {
      for (const kind of kinds) {
        const summary = Object(await to.json("import", kind, join(exported, `${kind}.ndjson`)))
        expect(summary, `${kind}, run ${run}`).toMatchObject({ failed: 0, errors: [] })
        expect(summary[run === 1 ? "imported" : "skipped"]).toBe(summary["rows"])
      }
      const again = await exportedLines(target)
      for (const kind of kinds) {
        const documents = documentsIn(linesIn(exported, kind))
        expect(documentsIn(again(kind)), `${kind}, run ${run}`).toEqual(documents)
      }
      expect(created(again("people"))).toEqual(created(linesIn(exported, "people")))
    }
  })

  it("inlet import reports the line and the reason of invalid documents, imports the other documents, and refuses incomplete exports", async () => {
    const target = await Tenant.create()
    const inlet = commandsOf(target)
    const file = join(freshDirectory(), "objects.ndjson")
    const lines = [JSON.stringify(object("acme")), '{"object_id":', JSON.stringify(object("x".repeat(200)))]
    writeFileSync(file, `${lines.join("\n")}\n{"end":true,"count":3}\n`)
    const { code, stderr, stdout } = await inlet.run(["import", "objects", file])
    expect(code).toBe(1)
    expect(stderr).toContain("line 2: not an exported document of objects: ")
    expect(stderr).toContain("line 3: identifiers.object_id")
    expect(stderr).toContain("rows that were not imported: 2")
    expect(stdout).toContain("1 imported, 0 skipped, 2 failed: 3 rows of objects")
    expect((await target.objects()).map(({ object_id }) => object_id)).toEqual(["acme"])

    writeFileSync(file, `${lines[0]}\n`)
    const cut = await inlet.run(["import", "objects", file])
    expect([cut.code, cut.stderr.trim()]).toEqual(incomplete(file))
  })

  it("inlet import names the right command for an export of another kind, and sends nothing", async () => {
    const tenant = await Tenant.create()
    const inlet = commandsOf(tenant)
    const folder = freshDirectory()
    await tenant.identify("ada")
    await inlet.lines("export", "people", "--output", join(folder, "people.ndjson"))
    const file = join(folder, "people.ndjson")
    for (const kind of ["events", "objects", "segments"]) {
      expect(await inlet.run(["import", kind, file])).toEqual({
        code: 1,
        stdout: "",
        stderr: `inlet: ${file} is an export of people: import it with \`inlet import people\`\n`,
      })
    }
  })

  it("inlet import refuses an export that was cut in its first line or after a first line of 17 MB as incomplete", async () => {
    const inlet = commandsOf(await fillWorkspace(sharedServer))
    const folder = freshDirectory()
    await exportAll(inlet, folder)
    const refusal = async (kind: string, file: string) => {
      const { code, stderr } = await inlet.run(["import", kind, file])
      return [code, stderr.trim()]
    }
    for (const kind of kinds) {
      const file = join(folder, `${kind}.ndjson`)
      truncateSync(file, readFileSync(file).indexOf("\n") - 1)
      expect(await refusal(kind, file)).toEqual(incomplete(file))
    }
    const people = join(folder, "people.ndjson")
    expect(await refusal("events", people)).toEqual([
      1,
      `inlet: ${people} is an export of people: import it with \`inlet import people\``,
    ])
    writeFileSync(people, `{"svc_id":"p1","id":"${"x".repeat(17 * 1024 * 1024)}"}\n`)
    expect(await refusal("people", people)).toEqual(incomplete(people))
  })

  it("inlet import reads standard input, and refuses an export of another kind or one that was cut", async () => {
    const from = await fillWorkspace(sharedServer)
    const target = await Tenant.create({ limits: { person_id_bytes: 3000 } })
    const inlet = commandsOf(target)
    const people = (await exportedLines(from))("people")
    const run = (kind: string, input: string) => inlet.run(["import", kind, "-"], input)
    expect(await run("objects", people.join("\n"))).toEqual({
      code: 1,
      stdout: "",
      stderr: "inlet: standard input is an export of people: import it with `inlet import people`\n",
    })
    expect(await target.people({})).toEqual([])
    const cut = await run("people", people.slice(0, 2).join("\n"))
    expect(cut.code).toBe(1)
    expect(cut.stderr).toContain("inlet: standard input is not a complete export")
    const csv = await run("people", "id,plan\nzoe,pro\n")
    expect(csv.stdout).toContain("1 imported, 0 skipped, 0 failed: 1 row of people")
    expect((await run("people", "")).stderr).toContain("line 1: the file is empty")
  })

  it("inlet export and inlet import copy people from one server to another through a pipe", async () => {
    const from = await fillWorkspace(sharedServer)
    const target = await Tenant.create({ limits: { person_id_bytes: 3000 } })
    const exporting = commandsOf(from).start(["export", "people"])
    const importing = commandsOf(target).start(["import", "people", "-", "--json"])
    exporting.stdout.pipe(importing.stdin)
    const [code] = await once(importing, "close")
    expect(code).toBe(0)
    const lines = await exportedLines(target)
    expect(documentsIn(lines("people")).length).toBe(
      documentsIn((await exportedLines(from))("people")).length,
    )
    expect(created(lines("people"))).toEqual(created((await exportedLines(from))("people")))
  })

  it("inlet import says what it accepts if an NDJSON file is not an export", async () => {
    const inlet = commandsOf(await Tenant.create())
    const file = join(freshDirectory(), "entities.ndjson")
    writeFileSync(file, '{"type":"person","action":"identify","identifiers":{"id":"ada"}}\n')
    expect(await inlet.run(["import", "people", file])).toEqual({
      code: 1,
      stdout: "",
      stderr: `inlet: ${file} was not written by \`inlet export people\`: choose another file, or send Track v2 entities with \`inlet send batch\`\n`,
    })
  })

  it("inlet import refuses a file of 600 MB that has no line breaks, without reading all of it", async () => {
    const inlet = commandsOf(await Tenant.create())
    const file = join(freshDirectory(), "minified.json")
    writeFileSync(file, "{")
    truncateSync(file, 600 * 1024 * 1024)
    expect(await inlet.run(["import", "people", file])).toEqual({
      code: 1,
      stdout: "",
      stderr: `inlet: ${file} was not written by \`inlet export people\`: choose another file, or send Track v2 entities with \`inlet send batch\`\n`,
    })
  })

  it("inlet import prints an error that many lines share as one line, and skips the entries of an activity export that are not events", async () => {
    const target = await Tenant.create()
    const inlet = commandsOf(target)
    const file = join(freshDirectory(), "activity.ndjson")
    await target.recordEvent("ada", { name: "Paid" })
    await inlet.lines("export", "activity", "--output", file)
    const entry = JSON.parse(readFileSync(file, "utf8").split("\n")[0] ?? "")
    const other = JSON.stringify({ ...entry, kind: "form_submission" })
    const lines = [JSON.stringify(entry), ...Array.from({ length: 150 }, () => other)]
    writeFileSync(file, `${lines.join("\n")}\n{"end":true,"count":151}\n`)
    const { code, stderr } = await inlet.run(["import", "events", file])
    const [first, ...rest] = stderr.trimEnd().split("\n")
    expect(code).toBe(1)
    expect(first).toMatch(/^lines 2 to 101: not an exported document of events: /)
    expect(rest).toEqual(["and 50 more errors", "inlet: rows that were not imported: 150"])
  })
})
