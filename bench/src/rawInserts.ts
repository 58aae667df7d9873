import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { singleEventBody } from "./scenarios.ts"

/** Inserts rows like those of the activity log into SQLite, without Inlet. Prints the rows per second. */

const schema = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -65536;
  PRAGMA wal_autocheckpoint = 4000;
  CREATE TABLE activity (
    sequence INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, subject INTEGER, kind INTEGER, name TEXT,
    source INTEGER NOT NULL, outcome INTEGER NOT NULL, at INTEGER NOT NULL, received INTEGER NOT NULL,
    processed INTEGER, claim TEXT, detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX activity_of_workspace ON activity (workspace, sequence);
  CREATE INDEX activity_of_subject ON activity (subject, sequence);
  CREATE UNIQUE INDEX activity_claim ON activity (claim);
`

const insertRows = (directory: string, rowsPerCommit: number, milliseconds: number): number => {
  const database = new DatabaseSync(join(directory, `raw-${rowsPerCommit}.db`))
  database.exec(schema)
  const insert = database.prepare("INSERT INTO activity VALUES (?, 1, ?, 6, ?, 1, 1, ?, ?, ?, ?, ?)")
  const begin = database.prepare("BEGIN IMMEDIATE")
  const commit = database.prepare("COMMIT")
  const detail = singleEventBody("t".repeat(14))
  const from = performance.now()
  let sequence = 0
  while (performance.now() - from < milliseconds) {
    begin.run()
    for (let i = 0; i < rowsPerCommit; i++) {
      const now = Date.now()
      sequence++
      const claim = `1:bench-raw-tag${String(sequence).padStart(12, "0")}`
      insert.run(sequence, (sequence * 7919) % 10_000, "order_completed", now, now, now, claim, detail)
    }
    commit.run()
  }
  const perSecond = (sequence / (performance.now() - from)) * 1000
  database.close()
  return perSecond
}

const [directory = ".", rows = "100", milliseconds = "1000"] = process.argv.slice(2)
console.log(insertRows(directory, Number(rows), Number(milliseconds)))
