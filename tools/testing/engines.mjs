// Tests lakes with programs that are not packages of Node: ClickHouse, which Python installs as a library, runs the
// statements of `inlet lake sql`, PyIceberg, Polars, DuckDB for Python, dbt and Spark read tables of Iceberg, and
// versitygw, which Go builds, is a bucket that checks signatures. All stay in the user's cache.
//
//   pnpm test:engines [--build-seconds 1200]
//
// Exits with code 3 without running a test if all are missing.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { goTool } from "./goTool.mjs"
import { mavenTool } from "./mavenTool.mjs"
import { pythonTool } from "./pythonTool.mjs"

const missingCode = 3
const { values } = parseArgs({ options: { "build-seconds": { type: "string", default: "1200" } } })
const until = Date.now() + Number(values["build-seconds"]) * 1000
const seconds = () => Math.max(1, Math.round((until - Date.now()) / 1000))

// chDB asks for pandas too, which it needs only to return data frames.
const clickhouse = pythonTool({
  name: "chdb",
  packages: ["chdb-core==26.9.0", "pyarrow==26.0.1"],
  seconds: seconds(),
})
const iceberg = pythonTool({
  name: "iceberg",
  packages: [
    "annotated-types==0.8.0",
    "cachetools==8.0.2",
    "certifi==2026.10.19.post1",
    "charset-normalizer==3.5.3",
    "click==8.5.1",
    "duckdb-extension-avro==1.5.5",
    "duckdb-extension-httpfs==1.5.5",
    "duckdb-extension-iceberg==1.5.5",
    "duckdb-extension-icu==1.5.5",
    "duckdb-extensions==1.5.5",
    "duckdb==1.5.5",
    "fsspec==2026.9.0",
    "idna==3.20",
    "markdown-it-py==4.3.0",
    "mdurl==0.1.2",
    "mmh3==5.3.1",
    "polars-runtime-32==2.1.0",
    "polars==2.1.0",
    "pyarrow==26.0.1",
    "pydantic==2.14.4",
    "pydantic_core==2.50.5",
    "Pygments==2.21.0",
    "pyiceberg==0.12.0",
    "pyparsing==3.3.3",
    "pyroaring==1.2.0",
    "python-dateutil==4.0.0",
    "requests==2.34.2",
    "rich==15.0.0",
    "strictyaml==1.7.3",
    "tenacity==9.2.1",
    "typing-inspection==0.4.5",
    "typing_extensions==4.16.0",
    "tzdata==2026.6",
    "urllib3==2.8.0",
    "zstandard==0.25.0",
  ],
  seconds: seconds(),
})
const dbt = pythonTool({
  name: "dbt",
  packages: [
    "agate==1.9.1",
    "annotated-types==0.8.0",
    "attrs==26.1.0",
    "babel==2.19.0",
    "certifi==2026.10.19.post1",
    "charset-normalizer==3.5.3",
    "click==8.5.1",
    "colorama==0.4.6",
    "daff==1.4.2",
    "dbt-adapters==1.24.5",
    "dbt-common==1.39.0",
    "dbt-core==1.10.23",
    "dbt-duckdb==1.10.1",
    "dbt-extractor==0.6.0",
    "dbt-protos==1.0.615",
    "dbt-semantic-interfaces==0.9.0",
    "deepdiff==8.6.2",
    "duckdb==1.5.5",
    "duckdb_extension_avro==1.5.5",
    "duckdb_extension_iceberg==1.5.5",
    "duckdb_extension_icu==1.5.5",
    "duckdb_extensions==1.5.5",
    "idna==3.20",
    "importlib_metadata==8.9.0",
    "isodate==0.7.2",
    "Jinja2==3.1.6",
    "jsonschema-specifications==2025.9.1",
    "jsonschema==4.26.0",
    "leather==0.4.1",
    "MarkupSafe==3.0.4",
    "mashumaro==3.14",
    "more-itertools==10.8.0",
    "msgpack==1.2.4",
    "networkx==3.6.1",
    "opentelemetry-api==1.45.2",
    "orderly-set==5.5.0",
    "packaging==26.4",
    "parsedatetime==2.6",
    "pathspec==0.12.1",
    "protobuf==6.33.6",
    "pydantic==2.14.4",
    "pydantic_core==2.50.5",
    "python-dateutil==2.9.0.post0",
    "python-slugify==9.2.0",
    "pytimeparse==1.1.10",
    "pytz==2026.6",
    "PyYAML==6.0.4",
    "referencing==0.37.0",
    "requests==2.34.2",
    "rpds-py==2026.9.1",
    "six==1.17.0",
    "snowplow-tracker==1.1.0",
    "sqlparse==0.5.4",
    "text-unidecode==1.3",
    "typing-inspection==0.4.5",
    "typing_extensions==4.16.0",
    "urllib3==2.8.0",
    "zipp==4.1.2",
  ],
  seconds: seconds(),
})
const gateway = goTool({
  name: "versitygw",
  command: "github.com/versity/versitygw/cmd/versitygw",
  modules: ["github.com/versity/versitygw@v1.8.0"],
  seconds: seconds(),
})
const sparkRuntime = mavenTool({
  group: "org.apache.iceberg",
  artifact: "iceberg-spark-runtime-3.5_2.12",
  version: "1.10.0",
  seconds: seconds(),
})
const spark =
  sparkRuntime.missing === undefined
    ? pythonTool({ name: "spark", packages: ["py4j==0.10.9.7", "pyspark==3.5.7"], seconds: seconds() })
    : sparkRuntime
const tools = [clickhouse, iceberg, dbt, gateway, spark]
for (const { missing } of tools)
  if (missing !== undefined) console.error(`Some tests of lakes did not run: ${missing}`)
if (tools.every(({ program }) => program === undefined)) process.exit(missingCode)

const { status } = spawnSync("vitest", ["run", "--root", "engines"], {
  cwd: join(import.meta.dirname, "../../tests"),
  stdio: "inherit",
  env: {
    ...process.env,
    ...(clickhouse.program !== undefined && { INLET_TEST_CHDB_PYTHON: clickhouse.program }),
    ...(iceberg.program !== undefined && { INLET_TEST_ICEBERG_PYTHON: iceberg.program }),
    ...(dbt.program !== undefined && { INLET_TEST_DBT_PYTHON: dbt.program }),
    ...(spark.program !== undefined && {
      INLET_TEST_SPARK_PYTHON: spark.program,
      INLET_TEST_SPARK_RUNTIME: sparkRuntime.file,
    }),
    ...(gateway.program !== undefined && { INLET_TEST_VERSITYGW: gateway.program }),
  },
})
process.exit(status ?? 1)
