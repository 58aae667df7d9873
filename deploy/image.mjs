// Copies the built parts of the container image into a folder: the bundle of the `inlet` command, the console, and the browser
// library that the server serves to web pages. `pnpm build:image <folder>` builds these parts first.
import { cpSync, mkdirSync, realpathSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const [, , folder] = process.argv
if (folder === undefined) throw new Error("expected the folder to copy into")

const root = resolve(import.meta.dirname, "..")
const target = resolve(folder)

cpSync(join(root, "dist/image"), target, { recursive: true })
cpSync(join(root, "deploy/healthcheck.mjs"), join(target, "healthcheck.mjs"))
copyPackage("@inlethq/console", "dist")
copyPackage("@customerio/cdp-analytics-browser", "dist/umd")

/** Copies the manifest and one folder of a package to the folder in which the bundle looks for the package. */
function copyPackage(name, part) {
  const source = realpathSync(join(root, "node_modules", name))
  for (const path of ["package.json", part]) {
    const copy = join(target, "node_modules", name, path)
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(join(source, path), copy, { recursive: true, dereference: true })
  }
}
