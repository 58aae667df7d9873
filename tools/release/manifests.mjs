// Copies from the manifest of the repository to that of every public package what each release must say: where the project is, where
// errors are reported, and which versions of Node run it.
//
//   node tools/release/manifests.mjs [--check] [--root <folder>]
//
// With --check it changes nothing, and exits with 1 if a manifest says something else.
import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, root: { type: "string" } },
})
const root = resolve(values.root ?? join(import.meta.dirname, "../.."))
const read = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
const { bugs, engines, homepage, repository } = read(".")

for (const group of ["packages", "apps"])
  for (const name of readdirSync(join(root, group))) {
    const directory = `${group}/${name}`
    const manifest = read(directory)
    if (manifest.private !== false) continue
    const said = { homepage, bugs, repository: { ...repository, directory }, engines }
    const wrong = Object.keys(said).filter(
      (key) => JSON.stringify(manifest[key]) !== JSON.stringify(said[key]),
    )
    if (wrong.length === 0) continue
    if (values.check) {
      console.log(
        `${directory}/package.json: ${wrong.join(", ")} must be as in the manifest of the repository`,
      )
      process.exitCode = 1
    } else
      writeFileSync(
        join(root, directory, "package.json"),
        `${JSON.stringify(merged(manifest, said), null, 2)}\n`,
      )
  }

/** The fields come after the description, where the manifest of the repository has them. */
function merged(manifest, { engines: versions, ...said }) {
  const entries = Object.entries(manifest).filter(([key]) => !(key in said))
  const at = entries.findIndex(([key]) => key === "description") + 1
  return Object.fromEntries([
    ...entries.slice(0, at),
    ...Object.entries(said),
    ...entries.slice(at),
    ["engines", versions],
  ])
}
