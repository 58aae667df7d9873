// Builds a command of a Go module into the user's cache, once for each version.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, join } from "node:path"

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "inlet-tools")

/** The folder of Go's own installer, which is often not on PATH. */
const env = {
  ...process.env,
  PATH: `${process.env["PATH"] ?? ""}${delimiter}/usr/local/go/bin`,
  GOFLAGS: "-mod=mod",
}

/**
 * Returns the path of the command, or why it cannot be built within `seconds`. Go keeps what it has compiled for the
 * next attempt. A module of its own requires the command, because
 * `go install` refuses modules that exclude versions.
 */
export const goTool = (command, version, seconds) => {
  const name = command.slice(command.lastIndexOf("/") + 1)
  const program = join(cache, `${name}-${version}`)
  if (existsSync(program)) return { program }
  if (spawnSync("go", ["version"], { env }).status !== 0) return { missing: "Go is not installed." }
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "build-"))
  const until = Date.now() + seconds * 1000
  const go = (...args) =>
    spawnSync("go", args, {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
      timeout: Math.max(1, until - Date.now()),
    })
  try {
    for (const args of [
      ["mod", "init", "inlet/tools"],
      ["get", `${command}@${version}`],
      ["build", "-o", "built", command],
    ]) {
      const { signal, status, stderr } = go(...args)
      if (signal !== null) return { missing: `${name} was not built within ${seconds} s.` }
      if (status !== 0) return { missing: `go ${args[0]} failed: ${stderr.trim().split("\n").at(-1)}` }
    }
    renameSync(join(folder, "built"), program)
    return { program }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
