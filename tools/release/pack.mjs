// Packs every public package into a temporary folder and checks the tarballs. The tarballs must contain only built
// files, every export must resolve and have types, and every import must be declared in the manifest. publint and Are
// The Types Wrong must accept every package. CommonJS programs must be able to load the modules that have a CommonJS
// build. `inlet serve` must start and stop. Run `pnpm build` first.
//
//   node tools/release/pack.mjs [--tarballs <folder>]
//
// With --tarballs the tarballs stay in that folder.
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

const root = resolve(import.meta.dirname, "../..")
const node = join(root, "node_modules/.bin/node")
const startTimeoutMs = 60_000
const problems = []

/** Module resolutions that only CommonJS programs use. Modules without a CommonJS build are not checked for them. */
const commonJsResolutions = new Set(["node10", "node16-cjs"])

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

const sources = ["packages", "apps"]
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
  .filter((folder) => readManifest(folder).private === false)

const place = realpathSync(mkdtempSync(join(tmpdir(), "inlet-pack-")))
const alone = mkdtempSync(join(tmpdir(), "inlet-sdk-"))
const { values } = parseArgs({ options: { tarballs: { type: "string", default: place } } })
const tarballs = resolve(values.tarballs)
mkdirSync(tarballs, { recursive: true })
try {
  const packed = sources.map(pack)
  for (const one of packed) linkDependencies(one)
  for (const one of packed) checkContents(one)
  checkExports(packed)
  checkEmulatorAlone(packed)
  for (const one of packed) await checkWithLinters(one)
  if (problems.length === 0) await checkServe()
} finally {
  for (const folder of [place, alone]) rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.error(`pack: ${problem}`)
if (problems.length === 0) console.log(`pack: ${sources.length} packages can be published`)
process.exitCode = problems.length === 0 ? 0 : 1

function pack(source) {
  const { name } = readManifest(source)
  const tarball = join(tarballs, `${name.replace("/", "-")}.tgz`)
  execFileSync("npx", ["-y", "pnpm@12", "pack", "--silent", "--out", tarball], { cwd: source, stdio: "pipe" })
  const folder = join(place, "node_modules", name)
  mkdirSync(folder, { recursive: true })
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"])
  return { name, source, folder, tarball, manifest: readManifest(folder) }
}

/** Links only the dependencies that a package declares, so that an undeclared import fails. */
function linkDependencies({ folder, manifest, name, source }) {
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies }
  for (const [dependency, version] of Object.entries(declared)) {
    if (/^(workspace|catalog|link|file):/.test(version)) problems.push(`${name}: ${dependency} is ${version}`)
    if (dependency.startsWith("@inlethq/")) continue
    const link = join(folder, "node_modules", dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(realpathSync(join(source, "node_modules", dependency)), link)
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${folder}/node_modules`))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

function checkContents({ folder, manifest, name }) {
  const files = filesIn(folder)
  if (!files.some((file) => /^dist\/.*\.js$/.test(file))) problems.push(`${name}: the tarball has no dist`)
  for (const file of files) {
    const shipped = {
      "@inlethq/console": /^dist\//,
      "@inlethq/cli": /^dist\/(console\/|browser-library\/|THIRD-PARTY)/,
    }
    const isPage = shipped[name]?.test(file) === true
    const isExpected =
      isPage || /^(dist\/.*\.(c?js|c?js\.map|d\.c?ts)|package\.json|LICENSE|README\.md)$/.test(file)
    const isTest = /(^|\/)test\//.test(file)
    if (!isExpected || isTest) problems.push(`${name}: ${file} must not be published`)
  }
  if (name === "@inlethq/cli") checkLicences(folder)
  for (const bin of Object.values(manifest.bin ?? {})) {
    if (!files.includes(bin.replace(/^\.\//, ""))) problems.push(`${name}: the program ${bin} is missing`)
  }
}

/** Checks that the `inlet` command comes with the licences of what is bundled into it: of its own code, the console and the browser library. */
function checkLicences(folder) {
  const licences = readFileSync(join(folder, "dist/THIRD-PARTY-LICENSES.txt"), "utf8")
  for (const part of ["effect", "react", "@customerio/cdp-analytics-browser"])
    if (!licences.includes(`\n${part} `))
      problems.push(`the licence of ${part}, which is bundled, is missing`)
}

/**
 * Returns the import specifiers of a package's exports. A target is typed if a declaration file is beside it. A target
 * with conditions has a CommonJS build.
 */
function specifiersOf({ folder, manifest, name }) {
  const files = new Set(filesIn(folder))
  return Object.entries(manifest.exports).flatMap(([key, target]) => {
    if (target === null) return []
    const specifier = join(name, key)
    if (typeof target === "object") return [{ specifier, key, typed: true, isCommonJs: true }]
    const declarations = target.replace(/^\.\//, "").replace(/\.js$/, ".d.ts")
    return [{ specifier, key, typed: files.has(declarations), isCommonJs: false }]
  })
}

/** Checks that the built files of a package import only modules that other packages export. */
function checkImports({ folder, name }, specifiers) {
  const exported = new Set(specifiers.map(({ specifier }) => specifier))
  for (const file of filesIn(folder).filter((file) => /\.(c?js|d\.c?ts)$/.test(file))) {
    const text = readFileSync(join(folder, file), "utf8")
    for (const [, imported] of text.matchAll(/(?:from |import\(?|require\()"(@inlethq\/[^"]+)"/g)) {
      if (!exported.has(imported))
        problems.push(`${name}: ${file} imports ${imported}, which is not exported`)
    }
  }
}

function checkExports(packed) {
  const specifiers = packed.flatMap(specifiersOf)
  for (const one of packed) checkImports(one, specifiers)
  writeFileSync(
    join(place, "resolve.mjs"),
    `import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
for (const specifier of ${JSON.stringify(specifiers.map(({ specifier }) => specifier))}) {
  if (!existsSync(fileURLToPath(import.meta.resolve(specifier)))) throw new Error(specifier + " has no file")
}`,
  )
  attempt("an export does not resolve", node, ["resolve.mjs"])
  const typed = specifiers.filter(({ typed }) => typed)
  writeFileSync(join(place, "types.mts"), typeImports(typed))
  const commonJs = typed.filter(({ isCommonJs }) => isCommonJs)
  writeFileSync(join(place, "types.cts"), typeImports(commonJs))
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", ""]
  attempt("an export has no types", join(root, "node_modules/.bin/tsc"), [
    ...options,
    "types.mts",
    "types.cts",
  ])
  checkRequire(commonJs)
}

function typeImports(specifiers) {
  return specifiers
    .map(
      ({ specifier }, i) =>
        `import type * as m${i} from ${JSON.stringify(specifier)}\nexport type { m${i} }\n`,
    )
    .join("")
}

/**
 * Checks that CommonJS programs can load modules, with the Node on the PATH and with the locked one. Node can also load
 * ES modules with `require`, but Jest and older versions of Node cannot, so that is turned off.
 */
function checkRequire(specifiers) {
  const loads = specifiers.map(({ specifier }) => `require(${JSON.stringify(specifier)})\n`).join("")
  const [inlet, spool] = ["@inlethq/sdk", "@inlethq/sdk/spool"].map((name) => `require("${name}")`)
  const uses = `const inlet = new (${inlet}.Inlet)({ url: "http://127.0.0.1:1", writeKey: "key", spool: new (${spool}.FileSpool)({ directory: "spool" }) })
inlet.close().then(() => { if (inlet.pending !== 0) throw new Error("calls are pending") })`
  writeFileSync(join(place, "require.cjs"), loads + uses)
  for (const program of new Set(["node", node])) {
    attempt(`${program} cannot require an export`, program, [...withoutRequireOfEsm(program), "require.cjs"])
  }
}

function withoutRequireOfEsm(program) {
  const flag = "--no-experimental-require-module"
  const allowed = execFileSync(program, ["-p", `process.allowedNodeEnvironmentFlags.has("${flag}")`])
  return String(allowed).trim() === "true" ? [flag] : []
}

/**
 * Checks that the emulator names what is missing if the packages that it is made of are not there, instead of failing to load. It has a
 * place of its own, because Node also finds the packages in the folders above a program.
 */
function checkEmulatorAlone(packed) {
  for (const alones of ["@inlethq/sdk", "@inlethq/testing"]) {
    const folder = join(alone, "node_modules", alones)
    mkdirSync(folder, { recursive: true })
    const { tarball } = packed.find(({ name }) => name === alones)
    execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"])
  }
  const program = `import { createInlet } from "@inlethq/testing"
const { message, name } = await createInlet().catch((error) => error)
if (name !== "EmulatorUnavailable" || !message.startsWith("the emulator needs ")) throw new Error(name + ": " + message)`
  writeFileSync(join(alone, "emulator.mjs"), program)
  for (const program of new Set(["node", node])) {
    attempt(`${program} does not say what the emulator needs`, program, [join(alone, "emulator.mjs")])
  }
}

async function checkWithLinters({ folder, manifest, name, tarball }) {
  const commonJs = specifiersOf({ folder, manifest, name }).filter(({ isCommonJs }) => isCommonJs)
  for (const message of (await publint({ pkgDir: folder, strict: true })).messages) {
    problems.push(`${name}: publint: ${formatMessage(message, manifest)}`)
  }
  const { problems: wrong = [] } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  for (const { entrypoint, kind, resolutionKind } of wrong) {
    const isChecked = commonJs.some(({ key }) => key === entrypoint)
    if (commonJsResolutions.has(resolutionKind) && !isChecked) continue
    problems.push(
      `${name}: wrong types: ${kind} of ${entrypoint ?? "a file"} in ${resolutionKind ?? "any resolution"}`,
    )
  }
}

function attempt(what, file, args) {
  try {
    execFileSync(file, args, { cwd: place, stdio: "pipe" })
  } catch (error) {
    problems.push(`${what}:\n${error.stdout}${error.stderr}`)
  }
}

/** Checks that the packed program starts on a new data directory, serves the console, and stops on SIGTERM. */
function checkServe() {
  const program = join(place, "node_modules/@inlethq/cli/dist/main.js")
  const env = { PATH: process.env.PATH, INLET_PORT: "0", INLET_DATA_DIR: join(place, "data") }
  const server = spawn(node, [program, "serve"], { cwd: place, env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  let asked = false
  const read = (text) => {
    output += text
    const url = /"listening".*?(http:\/\/[\w.:]+)/s.exec(output)?.[1]
    if (url === undefined || asked) return
    asked = true
    void checkConsole(url).finally(() => server.kill("SIGTERM"))
  }
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding("utf8").on("data", read)
  const late = setTimeout(() => server.kill("SIGKILL"), startTimeoutMs)
  return new Promise((done) =>
    server.once("close", (code) => {
      clearTimeout(late)
      if (code !== 0 || !output.includes('"listening"')) {
        problems.push(`the packed \`inlet serve\` exited with ${code}:\n${output}`)
      }
      done()
    }),
  )
}

async function checkConsole(url) {
  const page = await fetch(`${url}/console/`)
  const script = /src="([^"]+)"/.exec(await page.text())?.[1]
  const statuses = [page.status, script === undefined ? 0 : (await fetch(new URL(script, url))).status]
  if (statuses.some((status) => status !== 200)) problems.push(`the console was answered ${statuses}`)
}
