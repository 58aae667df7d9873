import { DuckDBInstance } from "@duckdb/node-api"
import { plainRow, whole, type Row } from "./report.ts"

/** What a person would ask a lake. */
const questions: Readonly<Record<string, string>> = {
  "events a day": `
    SELECT date_trunc('day', received_at) AS day, count(*) AS events FROM lake_1.activity
    WHERE kind = 'event' GROUP BY day ORDER BY day`,
  "top names": `
    SELECT name, count(*) AS events FROM lake_1.activity WHERE kind = 'event'
    GROUP BY name ORDER BY events DESC LIMIT 10`,
  "funnel of two events": `
    WITH first AS (
      SELECT person, min(position) AS at FROM lake_1.person_events WHERE name = 'step_1' GROUP BY person
    )
    SELECT count(DISTINCT first.person) AS began, count(DISTINCT next.person) AS went_on
    FROM first LEFT JOIN lake_1.person_events AS next
      ON next.person = first.person AND next.name = 'step_2' AND next.position > first.at`,
  "a person's timeline": `
    SELECT received_at, name, data FROM lake_1.person_events
    WHERE person = (
      SELECT owner FROM lake_1.owners WHERE subject = (
        SELECT arg_max(subject, position) FROM lake_1.activity WHERE kind = 'event'
      )
    ) ORDER BY position DESC LIMIT 100`,
  "active people by plan": `
    SELECT json_extract_string(people.attributes, '$.plan') AS their_plan, count(DISTINCT events.person) AS people
    FROM lake_1.person_events AS events JOIN lake_1.people AS people ON people.subject = events.person
    GROUP BY their_plan ORDER BY people DESC`,
}

/** Asks each question once, with DuckDB in this process, and returns a row for each. */
export const queryLake = async (statements: string): Promise<ReadonlyArray<Row>> => {
  const database = await DuckDBInstance.create(":memory:")
  const connection = await database.connect()
  try {
    await connection.run(statements)
    const rows: Array<Row> = []
    for (const [question, sql] of Object.entries(questions)) {
      const from = performance.now()
      const answer = (await connection.runAndReadAll(sql)).getRowObjectsJson()
      const p50Ms = performance.now() - from
      rows.push(plainRow(`DuckDB on the lake: ${question} (${whole(answer.length)} rows)`, { p50Ms }))
    }
    return rows
  } finally {
    connection.closeSync()
    database.closeSync()
  }
}
