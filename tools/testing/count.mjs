// Adds up the Vitest reports of packages, names the tests that failed, and prints "N passed, N failed" as its last line.
//
//   node tools/testing/count.mjs [--since <milliseconds>] [--also <folder>]... [folder...]
//
// Without folders it counts every package with a test script, and the folders of --also. A file that failed outside its
// tests counts as one failure. A package also counts as one failure if its report is missing, unreadable or older than
// --since, if it ran no test, or if its run exited with an error although no test failed.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { relative } from "node:path"
import { parseArgs } from "node:util"

/** How many failed tests the output names. */
const failuresShown = 40
/** How many characters of a failed test's message the output shows. */
const messageCharactersMax = 1500

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { also: { type: "string", multiple: true, default: [] }, since: { type: "string", default: "0" } },
})
const since = Number(values.since)
if (!Number.isFinite(since)) throw new Error(`--since must be Unix milliseconds, got ${values.since}`)

let passed = 0
let failed = 0
const failures = []
for (const folder of positionals.length > 0 ? positionals : [...testedPackages(), ...values.also]) {
  const counts = count(folder)
  passed += counts.passed
  failed += counts.failed
  failures.push(...counts.failures)
  const problem = counts.problem === undefined ? "" : ` (${counts.problem})`
  console.log(`${folder}: ${counts.passed} passed, ${counts.failed} failed${problem}`)
}
for (const { file, name, message } of failures.slice(0, failuresShown)) {
  console.log(`FAILED ${relative(".", file)}: ${name}\n${message.slice(0, messageCharactersMax)}`)
}
if (failures.length > failuresShown) console.log(`and ${failures.length - failuresShown} more`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1

function testedPackages() {
  const groups = ["packages", "apps"].flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`))
  return ["tests", "site", ...groups].filter(
    (folder) => readJson(`${folder}/package.json`)?.scripts?.test !== undefined,
  )
}

function count(folder) {
  const report = readJson(`${folder}/reports/vitest.json`)
  if (report === undefined) return problem(0, "no readable report")
  if (report.startTime < since)
    return problem(0, `the report is from ${new Date(report.startTime).toISOString()}`)
  const passed = report.numPassedTests
  const failed = report.numFailedTests + report.testResults.filter(failedOutsideTests).length
  if (failed > 0) return { passed, failed, failures: report.testResults.flatMap(failuresOf) }
  if (passed === 0) return problem(passed, "no test ran")
  const ended = readJson(`${folder}/reports/exit.json`)
  if (ended === undefined) return problem(passed, "the run was killed")
  if (ended.code !== 0) return problem(passed, `the run ended with exit code ${ended.code}`)
  return report.success ? { passed, failed, failures: [] } : problem(passed, "the run did not succeed")
}

function problem(passed, text) {
  return { passed, failed: 1, failures: [], problem: text }
}

/** Returns the failed tests of a file of the report, or the file itself if it failed outside its tests. */
function failuresOf(file) {
  if (failedOutsideTests(file)) return [{ file: file.name, name: "outside its tests", message: file.message }]
  return file.assertionResults
    .filter((test) => test.status === "failed")
    .map((test) => ({ file: file.name, name: test.fullName, message: test.failureMessages.join("\n") }))
}

function failedOutsideTests(file) {
  return file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed")
}

/** Returns the parsed content of a JSON file, or undefined if the file is missing or truncated. */
function readJson(path) {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}
