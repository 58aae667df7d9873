import { execFile } from "node:child_process"
import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../src/cleanup.ts"
import { CommandLine } from "../src/commandLine.ts"
import { credentials, Inlet } from "../src/Inlet.ts"
import { Tenant } from "../src/Tenant.ts"

/** A Python with dbt, its adapter for DuckDB and DuckDB's reader of Iceberg, or undefined if it could not be installed. */
const pythonWithDbt = process.env["INLET_TEST_DBT_PYTHON"]

const project = join(import.meta.dirname, "../../deploy/dbt")

/** Installs the extensions of DuckDB that the environment has, and writes a profile that finds them. */
const program = `
import duckdb, glob, importlib, os, sys, yaml
work = sys.argv[1]
config = {"allow_unsigned_extensions": "true", "extension_directory": work}
connection = duckdb.connect(config=config)
for extension in ("avro", "icu", "iceberg"):
    folder = os.path.dirname(importlib.import_module("duckdb_extension_" + extension).__file__)
    [path] = glob.glob(folder + "/extensions/*/*.duckdb_extension")
    connection.execute("INSTALL '" + path + "'")
profile = yaml.safe_load(open(work + "/profiles.yml"))
profile["inlet"]["outputs"]["duckdb"]["config_options"] = config
yaml.safe_dump(profile, open(work + "/profiles.yml", "w"))
from dbt.cli.main import dbtRunner
result = dbtRunner().invoke(["build", "--project-dir", work, "--profiles-dir", work, "--quiet", "--no-send-anonymous-usage-stats"])
if not result.success:
    sys.exit(str(result.exception) + " " + str([(one.node.name, one.message) for one in result.result or [] if one.status not in ("success", "pass")]))
views = duckdb.connect(os.environ["INLET_DBT_DATABASE"], config=config)
views.execute("LOAD icu; LOAD iceberg")
print(views.execute("SELECT people.id, count(*) FROM stg_inlet__events AS events JOIN stg_inlet__people AS people ON people.subject = events.person GROUP BY ALL ORDER BY ALL").fetchall())
`

describe.skipIf(pythonWithDbt === undefined)("the dbt project in deploy/dbt", () => {
  it("builds its views over the Iceberg tables of a lake, and all its tests pass", async () => {
    const server = await Inlet.start()
    const tenant = await Tenant.create({}, server)
    const inlet = new CommandLine({
      INLET_URL: server.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    for (const id of ["ada", "second", "gone"]) {
      await tenant.identify(id, {})
      await tenant.recordEvent(id, { name: "bought" })
    }
    await tenant.merge({ id: "ada" }, { id: "second" })
    const lake = join(freshDirectory(), "lake")
    await inlet.lines("lake", "start", "--dir", lake)
    await tenant.track("DELETE", "/api/v1/customers/gone")
    await inlet.lines("lake", "flush")
    const work = freshDirectory()
    cpSync(project, work, { recursive: true })
    const file = join(work, "build.py")
    writeFileSync(file, program)
    const { stdout } = await promisify(execFile)(pythonWithDbt ?? "", [file, work], {
      cwd: work,
      env: {
        ...process.env,
        INLET_LAKE: lake,
        INLET_WORKSPACE: String(tenant.workspace),
        INLET_DBT_DATABASE: join(work, "inlet.duckdb"),
      },
    })
    expect(stdout).toContain("[('ada', 2)]")
  })
})
