// Writes the licences of everything that the one file contains into a folder, as THIRD-PARTY-LICENSES.txt: those of the published
// `inlet` command, which must be built, and Node's.
//
//   node tools/release/licences.mjs <folder>
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "../..")
const name = "THIRD-PARTY-LICENSES.txt"
const [, , folder] = process.argv
if (folder === undefined) throw new Error("expected the folder to write into")

const node = dirname(dirname(realpathSync(join(root, "node_modules/.bin/node"))))
const texts = [join(root, "apps/cli/dist", name), join(node, "LICENSE")].map((file) =>
  readFileSync(file, "utf8").trim(),
)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, name), `${texts.join(`\n\n${"=".repeat(80)}\n`)}\n`)
