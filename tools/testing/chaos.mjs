// Kills nodes on one PostgreSQL database, cuts connections and stops the server while clients send, and checks that nothing is lost.
//
// pnpm test:chaos --rounds 100 pnpm test:chaos --rounds 10 --seed 123 repeat the faults of seed 123 at the same times
//
// A round takes about four seconds. The seed does not decide the order in which requests reach the nodes.

import { spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { join } from "node:path"
import { env, exit } from "node:process"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  // pnpm passes the `--` between its own arguments and those of the script on.
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: { rounds: { type: "string", default: "100" }, seed: { type: "string" } },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds must be a whole number above 0, got "${values.rounds}"`)
  exit(2)
}
const seed = values.seed ?? String(randomInt(2 ** 31))

const { status } = spawnSync("npx", ["-y", "pnpm@12", "exec", "vitest", "run", "test/nodes/chaos.test.ts"], {
  cwd: join(import.meta.dirname, "../../tests"),
  stdio: "inherit",
  env: { ...env, INLET_TEST_CHAOS_ROUNDS: String(rounds), INLET_TEST_SEED: seed },
})
const command = `pnpm test:chaos --rounds ${rounds} --seed ${seed}`
console.log(status === 0 ? `passed: ${command}` : `failed. To cause the same faults again: ${command}`)
exit(status ?? 1)
