// Builds the `inlet` command as one executable for this platform: Node, the program, the code of its threads, the console and
// the browser library. `pnpm build:binary [FILE]` builds the console first; FILE is `dist/inlet` unless given. With `--node PATH` the
// file has that Node, which may be of another platform, instead of the one that builds it. It must be of the same version.
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { parseArgs } from "node:util"
import { build, type UserConfig } from "tsdown"
import { loadedModules } from "./loadedModules.ts"
import start from "./tsdown.start.ts"

type Plugin = NonNullable<Exclude<UserConfig["plugins"], ReadonlyArray<unknown>>>

const root = join(import.meta.dirname, "../..")
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { node: { type: "string" } },
})
const output = resolve(positionals[0] ?? join(root, "dist/inlet"))
const work = join(root, "node_modules/.cache/inlet/binary")

/** A module that takes its address from the folder of the module that loads it. */
const besideModule =
  /new URL\(\s*import\.meta\.url\.endsWith\("\.ts"\) \? "\.\/(\w+)\.ts" : "\.\/\w+\.js",\s*import\.meta\.url,?\s*\)/g

const loaded = new Set<string>()

/** Inside the executable no file lies beside the program, so the address of a module is its text. */
const modulesFromAssets: Plugin = {
  name: "modules-from-assets",
  transform: (code) =>
    code.replaceAll(besideModule, (_match, name: string) => {
      loaded.add(name)
      const content = `process.getBuiltinModule("node:sea").getRawAsset("modules/${name}.js")`
      return `new URL("data:text/javascript;base64," + Buffer.from(${content}).toString("base64"))`
    }),
}

/**
 * A module that is loaded from its text has no address, from which Rolldown makes the function with which packages of CommonJS load
 * what belongs to Node.
 */
const requireWithoutAddress: Plugin = {
  name: "require-without-address",
  renderChunk: (code) => code.replaceAll("createRequire(import.meta.url)", "createRequire(process.execPath)"),
}

/** Bundles a module and all that it imports into one file. */
const bundle = (name: string, entry: string, plugins: ReadonlyArray<Plugin>) =>
  build({
    ...start,
    config: false,
    entry: { [name]: entry },
    outDir: work,
    plugins: [...plugins],
    outputOptions: { codeSplitting: false },
    logLevel: "warn",
  })

/** Returns the files below a folder as assets with a prefix. */
const filesIn = (prefix: string, folder: string): ReadonlyArray<readonly [asset: string, file: string]> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [`${prefix}/${relative(folder, file)}`, file])

rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
mkdirSync(dirname(output), { recursive: true })

await bundle("main", "apps/binary/src/main.ts", [modulesFromAssets])
for (const [name, entry] of Object.entries(loadedModules)) await bundle(name, entry, [requireWithoutAddress])

const unknown = [...loaded].filter((name) => !(name in loadedModules))
const unused = Object.keys(loadedModules).filter((name) => !loaded.has(name))
if (unknown.length + unused.length > 0)
  throw new Error(
    `modules without an asset: ${unknown.join(" ")}; assets without a module: ${unused.join(" ")}`,
  )

const library = realpathSync(join(root, "node_modules/@customerio/cdp-analytics-browser"))
const assets = Object.fromEntries([
  ...Object.keys(loadedModules).map((name) => [`modules/${name}.js`, join(work, `${name}.js`)]),
  ...filesIn("console", join(root, "apps/console/dist")),
  ["browser-library/package.json", join(library, "package.json")],
  ...filesIn("browser-library/dist/umd", join(library, "dist/umd")).filter(([asset]) =>
    asset.endsWith(".js"),
  ),
])

const config = join(work, "executable.json")
writeFileSync(
  config,
  JSON.stringify({
    main: join(work, "main.js"),
    mainFormat: "module",
    output,
    disableExperimentalSEAWarning: true,
    // Compiled code fits only the processor that compiled it.
    useCodeCache: values.node === undefined,
    ...(values.node !== undefined && { executable: resolve(values.node) }),
    execArgv: ["--max-semi-space-size=16"],
    assets,
  }),
)
execFileSync(process.execPath, ["--build-sea", config], { stdio: ["ignore", "ignore", "inherit"] })
// macOS runs no file whose signature does not fit its content.
if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", output], { stdio: "inherit" })
process.stdout.write(`${output} (${Math.round(statSync(output).size / 1e6)} MB)\n`)
