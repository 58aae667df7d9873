// Runs the property tests of core and of the stores with new seeds until the time is over or a test fails.
//
//   pnpm test:fuzz --minutes 10
//   pnpm test:fuzz --only durability     run only the simulation of a failing disk
//   pnpm test:fuzz --only unmerge        undo 10,000 merges after random work
//   pnpm test:fuzz --seed 123            run the cases of one seed once
//
// A failure is printed with its shrunk case and the command that replays it.

import { spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { env, exit } from "node:process"
import { parseArgs } from "node:util"

const root = join(import.meta.dirname, "../..")

/**
 * The property tests by package. These tests check `times` as many cases as in `pnpm test`. `cases` names what the
 * tests count in their `meta.runs`.
 */
const suites = [
  {
    name: "differential",
    folder: "packages/storage-sqlite",
    tests: ["differential", "transfer"],
    times: 5,
    cases: "scripts against the stores",
  },
  {
    name: "durability",
    folder: "packages/storage-sqlite",
    tests: ["durability"],
    times: 5,
    cases: "simulations of a failing disk",
  },
  { name: "unmerge", folder: "packages/store-conformance", tests: ["unmerge"], times: 50 },
  { name: "unmerge", folder: "packages/storage-sqlite", tests: ["unmerge"], times: 5 },
  {
    name: "core",
    folder: "packages/core",
    tests: ["model", "laws", "mergeLaws", "suppressionLaws", "totality"],
    times: 2,
  },
]

const { values } = parseArgs({
  // pnpm passes the `--` between its own arguments and those of the script on.
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string" },
    only: { type: "string" },
  },
})
const chosen = suites.filter(({ name }) => values.only === undefined || values.only === name)
if (chosen.length === 0) {
  const names = [...new Set(suites.map(({ name }) => name))].join(", ")
  console.error(`unknown suite "${values.only}": expected one of ${names}`)
  exit(2)
}
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  console.error(`--minutes must be a number above 0, got "${values.minutes}"`)
  exit(2)
}

const started = performance.now()
const elapsed = () => (performance.now() - started) / 60_000
let rounds = 0
/** The number of cases of each suite so far. */
const checked = new Map(chosen.flatMap(({ cases }) => (cases === undefined ? [] : [[cases, 0]])))

const run = ({ cases, folder, tests, times }, seed) => {
  const cwd = join(root, folder)
  const report = join("reports", "vitest.json")
  rmSync(join(cwd, report), { force: true })
  const files = tests.map((name) => `test/${name}.test.ts`)
  const args = [
    "exec",
    "vitest",
    "run",
    "--config",
    "../../tools/testing/vitest.shared.ts",
    "--testTimeout=0",
  ]
  const { status, stdout, stderr } = spawnSync("npx", ["-y", "pnpm@12", ...args, ...files], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...env, INLET_TEST_SEED: seed, INLET_TEST_RUNS: String(times) },
  })
  if (status !== 0) {
    console.error(stdout + stderr)
    console.error(
      `failed with seed ${seed}. To replay all its cases: pnpm test:fuzz --seed ${seed}\n` +
        `To replay only the shrunk case: INLET_TEST_REPLAY='<the replay token above>' npx vitest run ` +
        `--config ../../tools/testing/vitest.shared.ts -t '<its test>' in ${folder}`,
    )
    return false
  }
  const { testResults } = JSON.parse(readFileSync(join(cwd, report), "utf8"))
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (results.length === 0) throw new Error(`no test ran in ${folder}`)
  if (cases !== undefined) {
    const runs = results.reduce((sum, { meta }) => sum + (meta?.runs ?? 0), 0)
    checked.set(cases, checked.get(cases) + runs)
  }
  return true
}

do {
  const seed = values.seed ?? String(randomInt(2 ** 40))
  for (const suite of chosen) if (!run(suite, seed)) exit(1)
  rounds += 1
  const counts = [`${rounds} rounds`, ...[...checked].map(([cases, count]) => `${count} ${cases}`)]
  console.log(`seed ${seed} passed; ${elapsed().toFixed(1)} minutes, ${counts.join(", ")}`)
} while (values.seed === undefined && elapsed() < minutes)
