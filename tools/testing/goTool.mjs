// Builds a command from Go modules into the user's cache, once for each version.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, join } from "node:path"

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "inlet-tools")

/** The folder of Go's own installer is often not on PATH. */
const env = {
  ...process.env,
  PATH: `${process.env["PATH"] ?? ""}${delimiter}/usr/local/go/bin`,
  GOFLAGS: "-mod=mod",
}

/**
 * Returns the path of a command, or why it cannot be built within `seconds`. Go keeps what it has compiled for the next
 * attempt. The command is the package `command` of `modules`, or else the file `source`. A module of its own requires
 * the modules, because `go install` refuses modules that exclude versions.
 */
export const goTool = ({ command, modules, name, seconds, source }) => {
  const content = source === undefined ? "" : readFileSync(source, "utf8")
  const digest = createHash("sha256")
    .update(JSON.stringify([command, modules, content]))
    .digest("hex")
  const program = join(cache, `${name}-${digest.slice(0, 16)}`)
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
    if (source !== undefined) copyFileSync(source, join(folder, "main.go"))
    for (const args of [
      ["mod", "init", "inlet/tools"],
      ["get", ...modules],
      ["build", "-o", "built", command ?? "."],
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
