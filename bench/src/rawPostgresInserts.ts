import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Redacted } from "effect"
import { singleEventBody } from "./scenarios.ts"

/**
 * Measures how fast PostgreSQL alone commits the rows that Inlet would commit. Each transaction locks the workspace's
 * row, inserts log rows with unique deduplication keys, and saves the documents of the changed people. Every second log
 * row changes a person. A transaction has five statements, including BEGIN and COMMIT. Prints the log rows per second.
 */

const schema = [
  "CREATE TABLE heads (workspace INTEGER PRIMARY KEY, next BIGINT NOT NULL)",
  "INSERT INTO heads VALUES (1, 1)",
  `CREATE TABLE log (workspace INTEGER NOT NULL, sequence BIGINT NOT NULL, subject BIGINT NOT NULL, received BIGINT NOT NULL,
    claim TEXT COLLATE "C" NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (workspace, sequence))`,
  "CREATE UNIQUE INDEX log_claim ON log (workspace, claim)",
  `CREATE TABLE people (workspace INTEGER NOT NULL, key BIGINT NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (workspace, key))
    WITH (fillfactor = 80)`,
]

const people = 10_000

const array = (oid: number, value: ReadonlyArray<unknown>): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId,
  oid,
  value,
})

const { int8Array, textArray } = PgTypes.OID

const commitRows = (connection: PgConnection.PgConnection, from: number, rows: number) =>
  Effect.gen(function* () {
    const detail = singleEventBody("t".repeat(14))
    const numbers = Array.from({ length: rows }, (_, row) => from + row)
    const subjects = numbers.map((n) => (n * 7919) % people)
    const changed = [...new Set(subjects.filter((_, row) => row % 2 === 0))].toSorted((a, b) => a - b)
    yield* connection.query("BEGIN", [], false)
    yield* connection.query("SELECT next FROM heads WHERE workspace = 1 FOR UPDATE")
    yield* connection.query(
      `WITH head AS (UPDATE heads SET next = next + cardinality($1::bigint[]) WHERE workspace = 1)
        INSERT INTO log SELECT 1, n, s, 0, c, d FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS r (n, s, c, d)`,
      [
        array(int8Array, numbers.map(BigInt)),
        array(int8Array, subjects.map(BigInt)),
        array(
          textArray,
          numbers.map((n) => `bench-raw-tag-${n}`),
        ),
        array(
          textArray,
          numbers.map(() => detail),
        ),
      ],
    )
    yield* connection.query(
      `INSERT INTO people SELECT 1, k, d FROM unnest($1::bigint[], $2::text[]) AS r (k, d)
        ON CONFLICT (workspace, key) DO UPDATE SET doc = excluded.doc`,
      [
        array(int8Array, changed.map(BigInt)),
        array(
          textArray,
          changed.map((key) => `${detail}${key}${from}`),
        ),
      ],
    )
    yield* connection.query("COMMIT", [], false)
  })

const insertRows = (url: string, rowsPerCommit: number, milliseconds: number) =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make({ url: Redacted.make(url) })
    for (const statement of schema) yield* connection.query(statement, [], false)
    const from = performance.now()
    let rows = 0
    for (; performance.now() - from < milliseconds; rows += rowsPerCommit) {
      yield* commitRows(connection, rows + 1, rowsPerCommit)
    }
    return (rows / (performance.now() - from)) * 1000
  }).pipe(Effect.scoped)

const [url = "", rows = "100", milliseconds = "1000"] = process.argv.slice(2)
console.log(await Effect.runPromise(insertRows(url, Number(rows), Number(milliseconds))))
