// Tests lakes with programs that are not packages of Node: ClickHouse, which Python installs as a library, runs the
// statements of `inlet lake sql`, and versitygw, which Go builds, is a bucket that checks signatures. Both stay in the
// user's cache.
//
//   pnpm test:engines [--build-seconds 1200]
//
// Exits with code 3 without running a test if both are missing.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { goTool } from "./goTool.mjs"
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
const gateway = goTool({
  name: "versitygw",
  command: "github.com/versity/versitygw/cmd/versitygw",
  modules: ["github.com/versity/versitygw@v1.8.0"],
  seconds: seconds(),
})
for (const { missing } of [clickhouse, gateway])
  if (missing !== undefined) console.error(`Some tests of lakes did not run: ${missing}`)
if (clickhouse.program === undefined && gateway.program === undefined) process.exit(missingCode)

const { status } = spawnSync("vitest", ["run", "--root", "engines"], {
  cwd: join(import.meta.dirname, "../../tests"),
  stdio: "inherit",
  env: {
    ...process.env,
    ...(clickhouse.program !== undefined && { INLET_TEST_CHDB_PYTHON: clickhouse.program }),
    ...(gateway.program !== undefined && { INLET_TEST_VERSITYGW: gateway.program }),
  },
})
process.exit(status ?? 1)
