// Builds the published `inlet` command in `apps/cli/dist`: the bundle, and beside it what the server sends to browsers, which are the
// console and the browser library. The console must be built.
import { cpSync, mkdirSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { build } from "tsdown"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "apps/cli/dist")

/** Copies the manifest and one folder of a package. */
const ship = (name: string, source: string, part: string): void => {
  for (const path of ["package.json", part]) {
    const copy = join(folder, name, path)
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(join(source, path), copy, { recursive: true, dereference: true })
  }
}

await build({ config: join(import.meta.dirname, "tsdown.packed.ts"), logLevel: "warn" })
ship("console", join(root, "apps/console"), "dist")
ship(
  "browser-library",
  realpathSync(join(root, "node_modules/@customerio/cdp-analytics-browser")),
  "dist/umd",
)
