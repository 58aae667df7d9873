// Runs the tests with a real Kafka broker, which needs Java 17 and Maven. Maven downloads the broker once into the
// user's cache.
//
//   pnpm test:kafka                                            50,000 entries
//   INLET_TEST_KAFKA_ENTRIES=1000000 pnpm test:kafka           the full run
//
// Exits with code 3 without running a test if Java or Maven is missing.
import { spawnSync } from "node:child_process"
import { join } from "node:path"

const missingCode = 3
const javaMin = 17

const missing = missingPart()
if (missing !== undefined) {
  console.error(`The Kafka tests did not run: ${missing}`)
  process.exit(missingCode)
}
const cwd = join(import.meta.dirname, "../../tests")
const { status } = spawnSync("vitest", ["run", "--root", "kafka", ...process.argv.slice(2)], {
  cwd,
  stdio: "inherit",
})
process.exit(status ?? 1)

function missingPart() {
  const java = spawnSync("java", ["-version"], { encoding: "utf8" })
  const version = Number(/version "(\d+)/.exec(java.stderr ?? "")?.[1])
  if (java.status !== 0) return `Java ${javaMin} or newer is not installed.`
  if (!(version >= javaMin)) return `Java ${javaMin} or newer is needed, and Java ${version} is installed.`
  if (spawnSync("mvn", ["-version"]).status !== 0) return "Maven is not installed."
  return undefined
}
