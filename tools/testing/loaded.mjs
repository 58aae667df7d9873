// Runs every test while busy loops occupy all cores, and stops the loops afterwards.
//
//   pnpm test:loaded [--loops <count>] [arguments for turbo...]
//
// Each loop is a process that exits when this process exits, even if this process is killed.
import { fork, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The time that a loop spins before it checks whether to exit. */
const spinMs = 50

if (process.argv[2] === "spin") spin()
else run(process.argv.slice(2))

function spin() {
  process.once("disconnect", () => process.exit())
  const turn = () => {
    for (const end = Date.now() + spinMs; Date.now() < end;);
    setImmediate(turn)
  }
  turn()
}

function run(args) {
  const at = args.indexOf("--loops")
  const count = at < 0 ? 30 : Number(args.splice(at, 2)[1])
  if (!Number.isInteger(count) || count < 0)
    throw new Error("--loops must be a number of processes, such as 30")
  const loops = Array.from({ length: count }, () => fork(fileURLToPath(import.meta.url), ["spin"]))
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1" }
  const started = Date.now()
  const suite = spawn("turbo", ["run", "test", "--force", ...args], { env, stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => suite.kill(signal))
  suite.once("error", (error) => {
    console.error(`cannot start turbo: ${error.message}`)
    process.exit(1)
  })
  suite.once("exit", (code, signal) => {
    const seconds = Math.round((Date.now() - started) / 1000)
    console.log(`tests with ${count} busy loops: ${signal ?? `exit code ${code}`} after ${seconds} s`)
    for (const loop of loops) loop.kill()
    process.exitCode = code ?? 1
  })
}
