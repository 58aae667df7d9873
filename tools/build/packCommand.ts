// Builds the published `inlet` command in `apps/cli/dist`: the bundle, beside it what the server sends to browsers, which are the
// console and the browser library, and the licences of everything in them. The console must be built.
import { appendFileSync, cpSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "tsdown"
import { licencesFile, licencesOf } from "./licences.ts"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "apps/cli/dist")

await build({ config: join(import.meta.dirname, "tsdown.packed.ts"), logLevel: "warn" })
cpSync(join(root, "apps/console/dist"), join(folder, "console"), { recursive: true })

const library = realpathSync(join(root, "node_modules/@customerio/cdp-analytics-browser"))
const scripts = "dist/umd"
cpSync(join(library, scripts), join(folder, "browser-library", scripts), {
  recursive: true,
  dereference: true,
})
// The server reads only the version. The rest of the manifest describes files that are not here.
const { license, name, version } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"))
writeFileSync(
  join(folder, "browser-library/package.json"),
  `${JSON.stringify({ name, version, license }, null, 2)}\n`,
)

const ofConsole = join(folder, "console", licencesFile)
const parts = [
  ["The console", readFileSync(ofConsole, "utf8")],
  ["The browser library", licencesOf([], [library])],
]
for (const [title, text] of parts)
  appendFileSync(join(folder, licencesFile), `\n${"=".repeat(80)}\n${title}\n\n${text}`)
rmSync(ofConsole)
