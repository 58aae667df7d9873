import { spawn, type ChildProcess } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const processes = new Set<ChildProcess>()
const directories = new Set<string>()

/**
 * A shell script that cleans up after the tests, even if the process that runs the tests is ended by SIGKILL. The
 * script runs in a session of its own, and reads from its input which processes and directories the tests create. When
 * its input closes, it kills the remaining processes and removes the remaining directories.
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

const sendToReaper = (line: string): void => {
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

/**
 * Creates an empty directory in `parent`. The directory is removed at the end of the test file or of the global setup.
 */
export const freshDirectory = (parent: string = tmpdir()): string => {
  const directory = mkdtempSync(join(parent, "inlet-test-"))
  directories.add(directory)
  sendToReaper(`directory ${directory}`)
  return directory
}

/**
 * Registers a process that must not outlive the test file. The process is killed at the end of the test file, or when
 * the process that runs the file is killed.
 */
export const killAfterTests = (child: ChildProcess): void => {
  const { pid } = child
  if (pid === undefined) return
  processes.add(child)
  sendToReaper(`started ${pid}`)
  child.once("exit", () => sendToReaper(`ended ${pid}`))
  child.once("close", () => processes.delete(child))
}

/** Kills the processes that the test file has left running, and removes the directories of the test file. */
export const cleanUp = async (): Promise<void> => {
  const ended = [...processes].map((child) => new Promise((resolve) => child.once("close", resolve)))
  for (const child of processes) child.kill("SIGKILL")
  await Promise.all(ended)
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

process.once("exit", () => {
  for (const child of processes) child.kill("SIGKILL")
})

/** The environment variable that holds the name of the test run in processes that run tests. */
const runVariable = "INLET_TEST_RUN"

/** The environment variable that holds the name of the test run in processes that tests start. */
const startedVariable = "STARTED_BY_INLET_TEST_RUN"

/** Gives this test run a name. Processes that run tests inherit the name through their environment. */
export const nameRun = (): string => (process.env[runVariable] = `${process.pid}-${Date.now()}`)

/** Returns the environment variables that mark a process as started by a test of this run. */
export const startedByTest = (): Readonly<Record<string, string>> => {
  const run = process.env[runVariable]
  return run === undefined ? {} : { [startedVariable]: run }
}

/**
 * Returns the id and command of each running process that the tests of a run have started. The list is empty on systems
 * without `/proc`.
 */
export const stillRunning = (run: string): ReadonlyArray<string> => {
  const numbers = processNumbers()
  return numbers.flatMap((pid) => {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")
      if (!variables.includes(`${startedVariable}=${run}`)) return []
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()}`]
    } catch {
      return [] // The process has exited in the meantime or belongs to another user.
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
