import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Schema } from "effect"
import { freshDirectory } from "../src/cleanup.ts"
import type { Shown } from "../src/lake/duckDb.ts"

/** A Python with PyIceberg, Polars, and DuckDB with its reader of Iceberg, or undefined if it could not be installed. */
export const pythonWithIceberg = process.env["INLET_TEST_ICEBERG_PYTHON"]

const program = `
import json, sys
asked = json.load(open(sys.argv[1]))

def shown(value):
    if value is None:
        return None
    return str(value)

def pyiceberg(table, properties):
    from pyiceberg.table import StaticTable
    read = StaticTable.from_metadata(table, properties)
    return [read.scan(snapshot_id=snapshot.snapshot_id).to_arrow() for snapshot in read.snapshots()]

def milliseconds(rows):
    columns = {}
    for field in rows.schema:
        column = rows[field.name]
        if pyarrow.types.is_timestamp(field.type):
            column = pyarrow.compute.divide(column.cast(pyarrow.int64()), 1000)
        columns[field.name] = [shown(value) for value in column.to_pylist()]
    names = list(columns)
    return [dict(zip(names, values)) for values in zip(*columns.values())]

def duckdb_with(database):
    import duckdb, glob, os, importlib
    connection = duckdb.connect(database, config={"allow_unsigned_extensions": "true", "extension_directory": asked["work"]})
    for extension in ("avro", "icu", "httpfs", "iceberg"):
        folder = os.path.dirname(importlib.import_module("duckdb_extension_" + extension).__file__)
        [path] = glob.glob(folder + "/extensions/*/*.duckdb_extension")
        connection.execute("INSTALL '" + path + "'")
        connection.execute("LOAD " + extension)
    return connection

def duckdb_rows(table, access):
    connection = duckdb_with(":memory:")
    if access:
        connection.execute(access)
    return connection.execute("SELECT * FROM iceberg_scan(?)", [table]).arrow()

import pyarrow, pyarrow.compute
table, engine = asked["table"], asked["engine"]
if engine == "pyiceberg":
    found = pyiceberg(table, asked["properties"])
elif engine == "views":
    connection = duckdb_with(table)
    connection.execute("SET TimeZone = 'Asia/Tokyo'")
    for statement in asked["statements"]:
        connection.execute(statement)
    found = [connection.execute(asked["query"]).arrow()]
    found = [rows if isinstance(rows, pyarrow.Table) else rows.read_all() for rows in found]
elif engine == "duckdb":
    rows = duckdb_rows(table, asked["access"])
    found = [rows if isinstance(rows, pyarrow.Table) else rows.read_all()]
else:
    import polars
    from pyiceberg.table import StaticTable
    read = StaticTable.from_metadata(table, asked["properties"])
    found = [polars.scan_iceberg(read).collect().to_arrow()]
print(json.dumps([milliseconds(rows) for rows in found]))
`

/** A Python with Spark, or undefined if it could not be installed. */
export const pythonWithSpark = process.env["INLET_TEST_SPARK_PYTHON"]

/** The file with Iceberg's runtime for Spark. */
const sparkRuntime = process.env["INLET_TEST_SPARK_RUNTIME"]

const sparkProgram = `
import json, sys
from pyspark.sql import SparkSession
from pyspark.sql.functions import col, unix_millis
asked = json.load(open(sys.argv[1]))
catalog = "spark.sql.catalog.inlet"
settings = {
    "spark.jars": asked["runtime"],
    "spark.ui.enabled": "false",
    "spark.local.dir": asked["work"],
    "spark.sql.warehouse.dir": asked["work"],
    "spark.sql.session.timeZone": "Asia/Tokyo",
    catalog: "org.apache.iceberg.spark.SparkCatalog",
    catalog + ".type": "hadoop",
    catalog + ".warehouse": asked["warehouse"],
}
builder = SparkSession.builder.master("local[1]")
for name, value in settings.items():
    builder = builder.config(name, value)
session = builder.getOrCreate()

def shown(value):
    return None if value is None else str(value)

def rows(snapshot):
    read = session.read.option("snapshot-id", snapshot).table(asked["table"])
    columns = [unix_millis(col(name)).alias(name) if kind == "timestamp" else col(name) for name, kind in read.dtypes]
    return [{name: shown(value) for name, value in row.asDict().items()} for row in read.select(columns).collect()]

snapshots = session.table(asked["table"] + ".snapshots").orderBy("committed_at").collect()
print(json.dumps([rows(one.snapshot_id) for one in snapshots]))
`

/** How to reach a bucket, for each engine. */
export interface IcebergAccess {
  readonly properties: Readonly<Record<string, string>>
  readonly access: string
}

const Rows = Schema.fromJsonString(
  Schema.Array(Schema.Array(Schema.Record(Schema.String, Schema.NullOr(Schema.String)))),
)

const outputMax = 512 * 1024 * 1024

/** Reads the rows of each snapshot of a table, or only of the current one with engines other than PyIceberg, by position. */
export const rowsByEngine = async (
  engine: "pyiceberg" | "duckdb" | "polars",
  table: string,
  { access, properties }: IcebergAccess = { access: "", properties: {} },
): Promise<Array<ReadonlyArray<Shown>>> => {
  const found = await askPython({ engine, table, access, properties })
  return found.map(byPosition)
}

/** Reads the rows of each snapshot of a table in a folder with Spark, by position. */
export const rowsBySpark = async (warehouse: string, table: string): Promise<Array<ReadonlyArray<Shown>>> => {
  const question = { warehouse, table, runtime: sparkRuntime }
  return (await run(pythonWithSpark, sparkProgram, question)).map(byPosition)
}

const byPosition = (rows: ReadonlyArray<Shown>) =>
  rows.toSorted((a, b) => Number(a["position"]) - Number(b["position"]))

/**
 * Runs statements in a database of DuckDB in a file, in which their views stay, and returns the rows of a query. The session has
 * another time zone than UTC.
 */
export const queryViews = async (
  database: string,
  statements: ReadonlyArray<string>,
  query: string,
): Promise<ReadonlyArray<Shown>> => {
  const [rows] = await askPython({ engine: "views", table: database, statements, query })
  return rows ?? []
}

const askPython = (question: object) => run(pythonWithIceberg, program, question)

const run = async (python = "", program: string, question: object) => {
  const work = freshDirectory()
  const asked = join(work, "asked.json")
  writeFileSync(asked, JSON.stringify({ ...question, work }))
  const { stdout } = await promisify(execFile)(python, ["-c", program, asked], {
    maxBuffer: outputMax,
  })
  return Schema.decodeUnknownSync(Rows)(stdout)
}
