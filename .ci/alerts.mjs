// Checks the alerts in deploy/prometheus, and runs their tests, with Prometheus's own promtool. Go builds promtool once
// into the user's cache.
//
//   pnpm test:alerts [--build-seconds 1200]
//
// Exits with code 3 without running a test if promtool cannot be built.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { goTool } from "./goTool.mjs"

const missingCode = 3

const { values } = parseArgs({ options: { "build-seconds": { type: "string", default: "1200" } } })
const { missing, program } = goTool(
  "github.com/prometheus/prometheus/cmd/promtool",
  "v0.307.3",
  Number(values["build-seconds"]),
)
if (program === undefined) {
  console.error(`The tests of the alerts did not run: ${missing}`)
  process.exit(missingCode)
}
const cwd = join(import.meta.dirname, "../deploy/prometheus")
for (const args of [
  ["check", "rules", "alerts.yaml"],
  ["test", "rules", "alerts.test.yaml"],
]) {
  const { status } = spawnSync(program, args, { cwd, stdio: "inherit" })
  if (status !== 0) process.exit(1)
}
