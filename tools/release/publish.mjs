// Publishes the tarballs of a folder to the registry that npm is configured with, except the versions that it already has, so that a
// release which stopped half-way can be repeated.
//
//   node tools/release/publish.mjs <folder of tarballs>
import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join, resolve } from "node:path"

const [, , folder] = process.argv
if (folder === undefined) throw new Error("expected the folder of the tarballs")

for (const file of readdirSync(folder).filter((name) => name.endsWith(".tgz"))) {
  const tarball = resolve(join(folder, file))
  const manifest = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" })
  const { name, version } = JSON.parse(manifest)
  const { status, stdout } = spawnSync("npm", ["view", `${name}@${version}`, "version"], { encoding: "utf8" })
  if (status === 0 && stdout.trim() === version) console.log(`${name}@${version} is published already`)
  else execFileSync("npm", ["publish", tarball, "--access", "public"], { stdio: "inherit" })
}
