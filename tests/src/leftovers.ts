import { spawn, type ChildProcess } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const processes = new Set<ChildProcess>()
const directories = new Set<string>()

/**
 * Runs in a shell of its own session. Reads what this process starts and ends, and clears up once the input closes: also after
 * a SIGKILL, which leaves this process no time to do so itself.
 */
const reaperScript = `
trap '' INT TERM HUP
pids=
while read -r verb what; do
  case $verb in
    started) pids="$pids $what" ;;
    ended)
      rest=
      for pid in $pids; do [ "$pid" = "$what" ] || rest="$rest $pid"; done
      pids=$rest ;;
    directory) set -- "$@" "$what" ;;
  esac
done
[ -z "$pids" ] || kill -9 $pids
[ $# = 0 ] || rm -rf "$@" || { sleep 1; rm -rf "$@"; }
`

let reaper: Socket | undefined

const tellReaper = (line: string): void => {
  if (reaper === undefined) {
    const child = spawn("/bin/sh", ["-c", reaperScript], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    })
    if (!(child.stdin instanceof Socket)) throw new Error("the input of a child process must be a socket")
    child.unref()
    reaper = child.stdin.unref()
  }
  reaper.write(`${line}\n`)
}

/** A new empty directory. It is removed when its test file ends. */
export const freshDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "inlet-test-"))
  directories.add(directory)
  tellReaper(`directory ${directory}`)
  return directory
}

/** Ends a process when its test file ends, or when the process that runs the file is killed. */
export const keepTrackOf = (child: ChildProcess): void => {
  const { pid } = child
  if (pid === undefined) return
  processes.add(child)
  tellReaper(`started ${pid}`)
  child.once("exit", () => tellReaper(`ended ${pid}`))
  child.once("close", () => processes.delete(child))
}

/** Ends what a test file has left running, and removes its directories. */
export const clearUp = async (): Promise<void> => {
  const ended = [...processes].map((child) => new Promise((resolve) => child.once("close", resolve)))
  for (const child of processes) child.kill("SIGKILL")
  await Promise.all(ended)
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

process.once("exit", () => {
  for (const child of processes) child.kill("SIGKILL")
})

/** Names the test run, in the environment of the processes that run tests. */
const runVariable = "INLET_TEST_RUN"

/** Names the test run, in the environment of the processes that tests start. */
const startedVariable = "STARTED_BY_INLET_TEST_RUN"

/** Gives this test run a name that all its processes inherit. */
export const nameRun = (): string => (process.env[runVariable] = `${process.pid}-${Date.now()}`)

/** The variables that mark a process as started by a test of this run. */
export const startedByTest = (): Readonly<Record<string, string>> => {
  const run = process.env[runVariable]
  return run === undefined ? {} : { [startedVariable]: run }
}

/** The processes that tests of a run started and that still run, as texts of number and command. Linux only: elsewhere none. */
export const leftRunning = (run: string): ReadonlyArray<string> => {
  const numbers = processNumbers()
  return numbers.flatMap((pid) => {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")
      if (!variables.includes(`${startedVariable}=${run}`)) return []
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()}`]
    } catch {
      return [] // It has ended meanwhile, or belongs to another user.
    }
  })
}

const processNumbers = (): ReadonlyArray<string> => {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}
