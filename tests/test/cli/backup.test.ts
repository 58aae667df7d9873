import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { readBackups } from "@inlethq/http/management/erasures/knownBackups"
import { afterAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { exportsOf } from "../../src/exported.ts"
import { event, identify } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { launchAs } from "../../src/Launched.ts"
import { cliFile, compileCache } from "../../src/programs.ts"
import { Management } from "../../src/Management.ts"
import { fillWorkspace } from "../../src/variedData.ts"

const inlet = new CommandLine({})

/** Runs a command that must fail, and returns the exit code and the error. */
const refusal = async (...args: ReadonlyArray<string>) => {
  const { code, stderr } = await inlet.run(args)
  return [code, stderr.trim()]
}

/** Returns the ids of exported documents. */
const idsIn = (lines: ReadonlyArray<string> = []) =>
  new Set(lines.map((line) => String(Object(line === "" ? {} : JSON.parse(line))["id"])))

describe("inlet backup and inlet restore", () => {
  let running: Inlet | undefined
  afterAll(() => running?.stop())

  it("a backup of a running server is restored to a directory with the same exports and suppressions", async () => {
    const server = await Inlet.start()
    running = server
    const tenant = await fillWorkspace(server)
    const workspaces = [1, tenant.workspace]
    const before = await exportsOf(server, workspaces)
    const file = join(freshDirectory(), "inlet.backup")
    const { stderr, stdout } = await inlet.run(["backup", file, "--data-dir", server.dataDir])
    expect(stdout).toMatch(/^Backed up \S+ to \S+ in [\d.]+ s \([\d.]+ [KM]B\)\n$/)
    expect(stderr).toContain("digest key")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.part`)).toBe(false)
    expect(readBackups(server.dataDir)).toMatchObject([{ file, bytes: statSync(file).size }])

    const restored = join(freshDirectory(), "restored")
    const [done] = await inlet.lines("restore", file, "--data-dir", restored)
    expect(done).toMatch(/^Restored the backup of \d{4}-\S+Z into \S+ in [\d.]+ s \([\d.]+ [KM]B\)$/)
    expect(readdirSync(restored).toSorted()).toEqual(
      expect.arrayContaining(["digest-key", "inlet.db"].toSorted()),
    )
    const again = await Inlet.start({ dataDir: restored })
    expect(await exportsOf(again, workspaces)).toEqual(before)
    expect(await new Management(again, tenant.workspace).isSuppressed({ id: "eve" })).toBe(true)
    await again.stop()
  })

  it("under load, a restored backup has everything that was acknowledged before the backup began", async () => {
    const server = running ?? (await Inlet.start())
    const acknowledged: Array<string> = []
    const load = new AbortController()
    const senders = Array.from({ length: 4 }, async (_, sender) => {
      for (let n = 0; !load.signal.aborted; n++) {
        const id = `load-${sender}-${n}`
        const one = await identify(server, id, { n })
        const other = await event(server, id, { name: "bought", id: `${id}-event` })
        if (one.status === 200 && other.status === 200) acknowledged.push(id)
      }
    })
    await eventually("the load runs", () => (acknowledged.length > 100 ? true : undefined))
    const before = [...acknowledged]
    const file = join(freshDirectory(), "inlet.backup")
    await inlet.lines("backup", file, "--data-dir", server.dataDir)
    load.abort()
    await Promise.all(senders)
    const restored = join(freshDirectory(), "restored")
    await inlet.lines("restore", file, "--data-dir", restored)
    const again = await Inlet.start({ dataDir: restored })
    const found = await exportsOf(again, [1])
    const [people, events] = [idsIn(found["1 people"]), idsIn(found["1 events"])]
    expect(before.filter((id) => !people.has(id) || !events.has(`${id}-event`))).toEqual([])
    const activity = (found["1 activity"] ?? []).filter((line) => line.includes('"sequence"'))
    const positions = activity.map((line) => Number(Object(JSON.parse(line))["sequence"]))
    expect(positions).toEqual(positions.map((_, index) => index + 1))
    await again.stop()
  })

  it("a backup that the disk cannot hold leaves no files behind", async () => {
    const server = await Inlet.start()
    await server.stop()
    // A copy of several steps makes SQLite keep a journal beside it.
    const database = new DatabaseSync(join(server.dataDir, "inlet.db"))
    database.exec("CREATE TABLE padding (bytes BLOB); INSERT INTO padding VALUES (zeroblob(20000000))")
    database.close()
    const folder = freshDirectory()
    const script = `ulimit -f 64; exec "$0" "$1" backup "$2/full.backup" --data-dir "$3"`
    const command = ["sh", "-c", script, process.execPath, cliFile, folder, server.dataDir]
    const failed = launchAs(command, compileCache)
    expect(await within("the backup fails", failed.exit)).toEqual({ code: 1, signal: null })
    expect(failed.lines().join("\n")).toMatch(/^inlet: the backup to .*full\.backup failed: /)
    expect(readdirSync(folder)).toEqual([])
  })

  it("inlet backup and inlet restore refuse damaged files, files of other programs, and directories that are not empty, and leave no files behind", async () => {
    const server = running ?? (await Inlet.start())
    const folder = freshDirectory()
    const [file, target] = [join(folder, "inlet.backup"), join(folder, "restored")]
    await inlet.lines("backup", file, "--data-dir", server.dataDir)

    const changed = join(folder, "changed")
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(changed, bytes)
    expect(await refusal("restore", changed, "--data-dir", target)).toEqual([
      1,
      `inlet: the backup ${changed} is damaged: the SHA-256 of its content differs from the SHA-256 in its last line`,
    ])
    const cut = join(folder, "cut")
    copyFileSync(file, cut)
    truncateSync(cut, bytes.length - 10)
    for (const other of [cut, join(server.dataDir, "inlet.db")]) {
      expect(await refusal("restore", other, "--data-dir", target)).toEqual([
        1,
        `inlet: ${other} is not a complete backup of Inlet`,
      ])
    }
    const nothing = join(folder, "nothing")
    expect(await refusal("restore", nothing, "--data-dir", target)).toEqual([
      1,
      `inlet: cannot read ${nothing}: ENOENT: no such file or directory, open '${nothing}'`,
    ])
    expect(existsSync(target)).toBe(false)
    expect(await refusal("restore", file, "--data-dir", server.dataDir)).toEqual([
      1,
      `inlet: ${server.dataDir} is not empty; restore into an empty data directory`,
    ])
    expect(await refusal("backup", file, "--data-dir", target)).toEqual([
      1,
      `inlet: ${target} has no database inlet.db: name the data directory of a server`,
    ])
    expect((await refusal("backup", "/nowhere/file", "--data-dir", server.dataDir))[1]).toContain(
      "the backup to /nowhere/file failed",
    )
    expect((await refusal("backup", folder, "--data-dir", server.dataDir))[1]).toContain(
      `the backup to ${folder} failed: the path is a directory`,
    )
    const shared = new CommandLine({ INLET_STORE: "postgres://db.example.com/inlet" })
    expect((await shared.run(["backup", file])).stderr).toContain("point-in-time recovery or pg_dump")
    expect(statSync(file).size).toBe(bytes.length)
  })
})
