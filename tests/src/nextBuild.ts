import { execFile } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { freshDirectory } from "./cleanup.ts"

const root = join(import.meta.dirname, "../..")

/** Bundles a server of a later format from the same sources, and returns its file. */
export const nextBuild = async (): Promise<string> => {
  const dist = join(root, "dist")
  mkdirSync(dist, { recursive: true })
  const folder = freshDirectory(dist)
  const tsdown = join(root, "node_modules/tsdown/dist/run.mjs")
  const options = ["--config", "tools/build/tsdown.next.ts", "--log-level", "warn", "--out-dir", folder]
  await promisify(execFile)(process.execPath, [tsdown, ...options], { cwd: root })
  return join(folder, "server.js")
}
