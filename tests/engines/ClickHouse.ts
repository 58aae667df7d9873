import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { freshDirectory } from "../src/cleanup.ts"

/** A Python with chDB, which is ClickHouse as a library, or undefined if it could not be installed. */
export const pythonWithClickHouse = process.env["INLET_TEST_CHDB_PYTHON"]

const program = `
import json, sys
from chdb import session
statements, query = json.load(open(sys.argv[1]))
clickhouse = session.Session()
for statement in statements:
    clickhouse.query(statement)
print(clickhouse.query(query, "JSONEachRow"))
`

/** Runs statements in a new ClickHouse, and returns the rows of a query after them. */
export const queryClickHouse = async (statements: string, query: string): Promise<ReadonlyArray<unknown>> => {
  const asked = join(freshDirectory(), "asked.json")
  const each = statements.split(/;\n/).filter((one) => one.trim() !== "")
  writeFileSync(asked, JSON.stringify([each, query]))
  const { stdout } = await promisify(execFile)(pythonWithClickHouse ?? "", ["-c", program, asked])
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line))
}
