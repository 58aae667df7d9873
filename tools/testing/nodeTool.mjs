// Installs versions of Node from npm into the user's cache, once each.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "inlet-tools")

/** Returns the folder of this version's `node`, or why it cannot be installed within `seconds`. */
export const nodeTool = ({ seconds, version }) => {
  const folder = join(cache, `node-${version}`)
  const found = { folder: join(folder, "node_modules/node/bin") }
  if (existsSync(join(found.folder, "node"))) return found
  const place = `${folder}.${process.pid}`
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, "package.json"), "{}")
  const name = `node@npm:node-${process.platform}-${process.arch}@${version}`
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
  const options = { cwd: place, encoding: "utf8", timeout: seconds * 1000 }
  const { error, status, stderr } = spawnSync("npm", ["install", ...flags, name], options)
  if (status === 0) {
    rmSync(folder, { recursive: true, force: true })
    renameSync(place, folder)
    return found
  }
  rmSync(place, { recursive: true, force: true })
  const reason = error?.message ?? stderr.trim().split("\n").at(0)
  return { missing: `Node ${version} was not installed: ${reason}` }
}
