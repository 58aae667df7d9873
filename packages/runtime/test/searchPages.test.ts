import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { formsOf, type FoundPlace } from "../src/transfer/searchForms.ts"
import { searchPages } from "../src/transfer/searchPages.ts"

const folder = mkdtempSync(join(tmpdir(), "inlet-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = join(folder, "written.db")
const logged = join(folder, "logged.db")

const emailOf = (n: number): string => `person-${String(n).padStart(5, "0")}@example.com`

/** Rows of which each has an email at another place, so that some are divided between pages. */
const rows = Array.from({ length: 700 }, (_, n) => {
  return "x".repeat(n * 6) + emailOf(n) + "y".repeat(13_000 - n * 6)
})

beforeAll(() => {
  const database = new DatabaseSync(written)
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE docs (doc TEXT)")
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); BEGIN")
  const insert = database.prepare("INSERT INTO docs VALUES (?)")
  for (const row of rows) insert.run(row)
  database.exec("COMMIT")
  copyFileSync(written, logged)
  copyFileSync(`${written}-wal`, `${logged}-wal`)
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
})

/** The emails that no file holds in one piece. */
const dividedIn = (...files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = files.map((file) => readFileSync(file))
  return rows.map((_, n) => emailOf(n)).filter((email) => !all.some((bytes) => bytes.includes(email)))
}

const placesOf = (file: string, text: string): ReadonlyArray<FoundPlace> => {
  const places: Array<FoundPlace> = []
  searchPages(file, formsOf(text), places)
  return places
}

it.each([
  ["a database", written, [written]],
  ["a write-ahead log", logged, [logged, `${logged}-wal`]],
] as const)("finds every text that is divided between two pages of %s", (_, file, files) => {
  const divided = dividedIn(...files)
  assert.isAbove(divided.length, 3)
  for (const email of divided) {
    const places = placesOf(file, email)
    assert.isAbove(places.length, 0, email)
    assert.match(places[0]?.form ?? "", /^plain, divided between two pages$/)
  }
})

it("finds no text that is not there, and searches no other file", () => {
  assert.deepStrictEqual(placesOf(written, "person-99999@example.com"), [])
  assert.deepStrictEqual(placesOf(`${logged}-wal`, emailOf(1)), [])
})
