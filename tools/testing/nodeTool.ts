// Installs versions of Node from npm into the user's cache, once each.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "inlet-tools")

interface Wanted {
  readonly version: string
  /** The platform and the processor, such as `linux-arm64`: those of this machine unless given. */
  readonly platform?: string
  readonly seconds: number
}

interface Found {
  readonly folder?: string
  readonly missing?: string
}

const ownPlatform = `${process.platform}-${process.arch}`

/** Returns the folder of this version's `node`, or why it cannot be installed within `seconds`. */
export const nodeTool = ({ platform = ownPlatform, seconds, version }: Wanted): Found => {
  const folder = join(cache, platform === ownPlatform ? `node-${version}` : `node-${version}-${platform}`)
  const bin = join(folder, "node_modules/node/bin")
  if (existsSync(join(bin, "node"))) return { folder: bin }
  const place = `${folder}.${process.pid}`
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, "package.json"), "{}")
  const name = `node@npm:node-${platform}@${version}`
  // npm refuses a package of another platform unless forced.
  const force = platform === ownPlatform ? [] : ["--force"]
  const flags = [...force, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
  const { error, status, stderr } = spawnSync("npm", ["install", ...flags, name], {
    cwd: place,
    encoding: "utf8",
    timeout: Math.max(1, seconds * 1000),
  })
  if (status === 0) {
    rmSync(folder, { recursive: true, force: true })
    renameSync(place, folder)
    return { folder: bin }
  }
  rmSync(place, { recursive: true, force: true })
  const reason = error?.message ?? stderr.trim().split("\n").at(0)
  return { missing: `Node ${version} was not installed: ${reason}` }
}
