// Copies the files of the container image into a folder: the published `inlet` command, which has no dependencies, and the health
// check. `pnpm build:image <folder>` builds the command first.
import { cpSync } from "node:fs"
import { join, resolve } from "node:path"

const [, , folder] = process.argv
if (folder === undefined) throw new Error("expected the folder to copy into")

const root = resolve(import.meta.dirname, "..")
const target = resolve(folder)

cpSync(join(root, "apps/cli/dist"), target, { recursive: true })
cpSync(join(root, "deploy/healthcheck.mjs"), join(target, "healthcheck.mjs"))
