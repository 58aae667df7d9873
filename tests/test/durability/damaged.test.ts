import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { beforeAll, describe, expect, it } from "vitest"
import { within } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { filesOf } from "../../src/files.ts"
import { fresh } from "../../src/fresh.ts"
import { identify } from "../../src/ingestion.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { launch } from "../../src/Launched.ts"
import { Management } from "../../src/Management.ts"

/** The files in the data directory of a stopped server that has stored one person. */
const used = new Map<string, Buffer>()
const person = fresh("p")

beforeAll(async () => {
  const inlet = await Inlet.start()
  expectTrackSuccess(await identify(inlet, person, {}))
  await inlet.stop()
  for (const name of ["inlet.db", "digest-key", "management-token"]) {
    const file = join(inlet.dataDir, name)
    if (existsSync(file)) used.set(name, readFileSync(file))
  }
})

const usedDirectory = (): string => {
  const directory = freshDirectory()
  for (const [name, bytes] of used) writeFileSync(join(directory, name), bytes, { mode: 0o600 })
  return directory
}

/** Overwrites a file with 0xff bytes from an offset to its end. */
const overwrite = (file: string, from: number): void => {
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, Buffer.alloc(statSync(file).size - from, 0xff), 0, undefined, from)
  closeSync(descriptor)
}

const otherTables = (file: string): void => {
  rmSync(file)
  const other = new DatabaseSync(file)
  other.exec("CREATE TABLE notes (text TEXT)")
  other.close()
}

const damages: ReadonlyArray<readonly [string, string, (file: string) => void]> = [
  ["is missing", "inlet.db", (file) => rmSync(file)],
  ["is empty", "inlet.db", (file) => truncateSync(file, 0)],
  ["is not a database", "inlet.db", (file) => writeFileSync(file, "hello\n")],
  [
    "is longer than a header and not a database",
    "inlet.db",
    (file) => writeFileSync(file, "hello\n".repeat(5000)),
  ],
  ["is cut short", "inlet.db", (file) => truncateSync(file, 6000)],
  ["is cut short within its first page", "inlet.db", (file) => truncateSync(file, 50)],
  ["is overwritten behind its first page", "inlet.db", (file) => overwrite(file, 4096)],
  [
    "is a database without tables",
    "inlet.db",
    (file) => (rmSync(file), new DatabaseSync(file).exec("VACUUM")),
  ],
  ["holds tables of another program", "inlet.db", otherTables],
  ["is a directory", "inlet.db", (file) => (rmSync(file), mkdirSync(file))],
  ["is missing", "digest-key", (file) => rmSync(file)],
  ["is empty", "digest-key", (file) => truncateSync(file, 0)],
  ["is too short", "digest-key", (file) => writeFileSync(file, "abcd\n")],
  ["is too long", "digest-key", (file) => writeFileSync(file, `${"ab".repeat(33)}\n`)],
  ["is not hex", "digest-key", (file) => writeFileSync(file, `${"xy".repeat(32)}\n`)],
  ["is a directory", "digest-key", (file) => (rmSync(file), mkdirSync(file))],
]

describe("a damaged data directory", () => {
  it.each(damages)(
    "contract §4 damaged data: if a file %s (here the file %s), the server prints one line with the name of the file, exits with 1 and changes no file",
    async (_problem, name, damage) => {
      const directory = usedDirectory()
      const file = join(directory, name)
      damage(file)
      const before = existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined
      const process = launch(variablesFor(directory))
      expect(await within("the server exits", process.exit)).toEqual({ code: 1, signal: null })
      expect(process.lines()).toHaveLength(1)
      expect(process.lines()[0]).toContain(file)
      expect(process.lines()[0]).toMatch(/restore|usable directory/)
      if (before === undefined) expect(filesOf(directory)).not.toContain(file)
      else expect(readFileSync(file)).toEqual(before)
    },
  )

  it("a server with a damaged data directory reports the missing database at every start", async () => {
    const directory = usedDirectory()
    rmSync(join(directory, "inlet.db"))
    for (let n = 0; n < 2; n++) {
      const process = launch(variablesFor(directory))
      expect(await within("the server exits", process.exit)).toEqual({ code: 1, signal: null })
      expect(process.lines()[0]).toContain("inlet.db is missing")
    }
  })

  it("the server starts on a directory restored from the database and its digest key", async () => {
    const directory = usedDirectory()
    rmSync(join(directory, "management-token"), { force: true })
    const inlet = await Inlet.start({ dataDir: directory })
    expect((await new Management(inlet).person({ id: person })).id).toBe(person)
    await inlet.stop()
  })

  it("the server starts after an earlier first start was killed before it had created the database", async () => {
    const directory = freshDirectory()
    writeFileSync(join(directory, "digest-key.new"), `${"ab".repeat(32)}\n`, { mode: 0o600 })
    writeFileSync(join(directory, "inlet.db"), "")
    const inlet = await Inlet.start({ dataDir: directory })
    expectTrackSuccess(await identify(inlet, fresh("p"), {}))
    await inlet.stop()
    expect(readFileSync(join(directory, "digest-key"), "utf8").trim()).toBe("ab".repeat(32))
    expect(existsSync(join(directory, "digest-key.new"))).toBe(false)
  })
})
