// Runs the property tests of core and of the stores with new seeds until the time is over or a test fails.
//
//   pnpm test:fuzz --minutes 10
//   pnpm test:fuzz --seed 123            run the cases of one seed once
//
// A failure is printed with its shrunk case and the command that replays it.

import { spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { env, exit } from "node:process"
import { parseArgs } from "node:util"

const root = join(import.meta.dirname, "..")

/** The property tests by package. They check `times` as many cases as in `pnpm test`. */
const suites = [
  { folder: "packages/storage-sqlite", tests: ["differential"], times: 5 },
  {
    folder: "packages/core",
    tests: ["model", "laws", "mergeLaws", "suppressionLaws", "totality"],
    times: 2,
  },
]

const { values } = parseArgs({
  // pnpm passes its own `--` on.
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string" } },
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  console.error(`--minutes must be a number above 0, got "${values.minutes}"`)
  exit(2)
}

const started = performance.now()
const elapsed = () => (performance.now() - started) / 60_000
const total = { rounds: 0, scripts: 0 }

const run = ({ folder, tests, times }, seed) => {
  const cwd = join(root, folder)
  const report = join("reports", "vitest.json")
  rmSync(join(cwd, report), { force: true })
  const files = tests.map((name) => `test/${name}.test.ts`)
  const args = ["exec", "vitest", "run", "--config", "../../vitest.shared.ts", "--testTimeout=0"]
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
        `--config ../../vitest.shared.ts -t '<its test>' in ${folder}`,
    )
    return false
  }
  const { testResults } = JSON.parse(readFileSync(join(cwd, report), "utf8"))
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (results.length === 0) throw new Error(`no test ran in ${folder}`)
  if (folder.includes("storage")) {
    total.scripts += results.reduce((sum, { meta }) => sum + (meta?.runs ?? 0), 0)
  }
  return true
}

do {
  const seed = values.seed ?? String(randomInt(2 ** 40))
  for (const suite of suites) if (!run(suite, seed)) exit(1)
  total.rounds += 1
  console.log(
    `seed ${seed} passed; ${elapsed().toFixed(1)} minutes, ${total.rounds} rounds, ${total.scripts} scripts against the stores`,
  )
} while (values.seed === undefined && elapsed() < minutes)
