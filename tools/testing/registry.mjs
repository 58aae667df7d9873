// Publishes the packed packages to a registry on loopback, and installs them from there by name, with each version of Node that Inlet
// supports. What other packages these need comes from the registry that npm is configured with.
//
//   pnpm test:registry [--tarballs <folder>] [--build-seconds 1200]
//
// Without --tarballs it builds and packs all packages first. Exits with code 3 without running a test if npm has no older version of
// Node for this platform.
import { spawnSync } from "node:child_process"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { nodeTool } from "./nodeTool.ts"

const missingCode = 3

/** The newest release of each older line that Inlet supports. Node 26 is among the dependencies. */
const older = ["22.23.5", "24.22.3"]

const { values } = parseArgs({
  options: { tarballs: { type: "string" }, "build-seconds": { type: "string", default: "1200" } },
})
const root = join(import.meta.dirname, "../..")
const until = Date.now() + Number(values["build-seconds"]) * 1000

const folders = [join(root, "node_modules/.bin")]
for (const version of older) {
  const { folder, missing } = nodeTool({ version, seconds: (until - Date.now()) / 1000 })
  if (missing !== undefined) {
    console.error(`The tests of the registry did not run: ${missing}`)
    process.exit(missingCode)
  }
  folders.push(folder)
}

const run = (command, args, options) => {
  const { status } = spawnSync(command, args, { stdio: "inherit", ...options })
  if (status !== 0) process.exit(status ?? 1)
}

const tarballs = resolve(values.tarballs ?? join(root, "dist/tarballs"))
if (values.tarballs === undefined) {
  run("npx", ["-y", "pnpm@12", "build"], { cwd: root })
  run("node", [join(root, "tools/release/pack.mjs"), "--tarballs", tarballs], { cwd: root })
}
const env = { ...process.env, INLET_TEST_NODES: folders.join(":"), INLET_TEST_TARBALLS: tarballs }
run("vitest", ["run", "--root", "registry"], { cwd: join(root, "tests"), env })
