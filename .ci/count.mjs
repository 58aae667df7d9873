// Adds up the Vitest reports of all packages and prints "N passed, N failed".
// A package without a report, and a file or run that failed outside any test, count as one failure each.
import { existsSync, readdirSync, readFileSync } from "node:fs"

const folders = [
  "tests",
  ...["packages", "apps"].flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`)),
]
const tested = folders.filter((folder) => {
  const manifest = `${folder}/package.json`
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).scripts?.test !== undefined
})

let passed = 0
let failed = 0
for (const folder of tested) {
  const counts = count(`${folder}/reports/vitest.json`)
  passed += counts.passed
  failed += counts.failed
  console.log(`${folder}: ${counts.passed} passed, ${counts.failed} failed`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1

function count(path) {
  if (!existsSync(path)) {
    return { passed: 0, failed: 1 }
  }
  const report = JSON.parse(readFileSync(path, "utf8"))
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  ).length
  const inTests = report.numFailedTests + brokenFiles
  return { passed: report.numPassedTests, failed: report.success || inTests > 0 ? inTests : 1 }
}
