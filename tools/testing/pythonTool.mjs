// Installs Python packages into an environment in the user's cache, once for each list of versions.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "inlet-tools")

/** Returns the path of a Python that has exactly these packages, or why they cannot be installed within `seconds`. */
export const pythonTool = ({ name, packages, seconds }) => {
  const digest = createHash("sha256").update(JSON.stringify(packages)).digest("hex")
  const folder = join(cache, `${name}-${digest.slice(0, 16)}`)
  const program = join(folder, "bin/python")
  const complete = join(folder, "complete")
  if (existsSync(complete)) return { program }
  mkdirSync(cache, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  const until = Date.now() + seconds * 1000
  for (const [command, ...args] of [
    ["python3", "-m", "venv", folder],
    [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", ...packages],
  ]) {
    const timeout = Math.max(1, until - Date.now())
    const { error, status, stderr } = spawnSync(command, args, { encoding: "utf8", timeout })
    if (status !== 0) {
      const reason = error?.message ?? stderr.trim().split("\n").at(-1)
      return { missing: `${name} was not installed: ${reason}` }
    }
  }
  writeFileSync(complete, "")
  return { program }
}
