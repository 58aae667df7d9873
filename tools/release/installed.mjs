// Installs the tarballs of all public packages into an empty folder, as a user of the registry would, and tries the product:
// `npx @inlethq/cli serve` starts, the `curl` command that its first start stores works when it is pasted, and the command line finds the
// person and the event. A test of Jest and a TypeScript program, both CommonJS, send events with the SDK.
//
//   node tools/release/installed.mjs <folder of tarballs>
import { execFile, execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

const startMsMax = 60_000
const installMsMax = 5 * 60_000

/** The newest TypeScript whose `--module commonjs` looks up packages without `exports`. */
const commonJsTools = ["jest@30", "typescript@5"]
const [, , tarballs] = process.argv
if (tarballs === undefined) throw new Error("expected the folder of the tarballs")

const modernNode = resolve(import.meta.dirname, "../../node_modules/.bin")
const place = realpathSync(mkdtempSync(join(tmpdir(), "inlet-installed-")))
const foreign = Object.keys(process.env).filter((name) => name.startsWith("INLET_"))
const variables = { ...process.env, PATH: `${modernNode}:${process.env.PATH}` }
for (const name of foreign) delete variables[name]
try {
  install()
  const server = await start()
  try {
    await tryOut(server)
    await tryCommonJs(server)
  } finally {
    process.kill(-server.child.pid, "SIGTERM")
  }
  // npx itself dies of the signal, so its exit code does not show how the server ended. The server holds the pipes until it exits.
  await server.exit
  console.log(
    "installed: npx @inlethq/cli serve started, applied events of the command line and of CommonJS programs, and stopped",
  )
} finally {
  rmSync(place, { recursive: true, force: true })
}

function install() {
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "try-inlet", private: true }))
  const files = readdirSync(resolve(tarballs)).filter((name) => name.endsWith(".tgz"))
  const paths = [...files.map((name) => join(resolve(tarballs), name)), ...commonJsTools]
  const flags = ["--no-audit", "--no-fund", "--loglevel=error", "--engine-strict"]
  execFileSync("npm", ["install", ...flags, ...paths], {
    cwd: place,
    env: variables,
    stdio: "inherit",
    timeout: installMsMax,
  })
}

/** Starts the installed server on a free port and waits until it has stored its credentials in a file. */
function start() {
  const env = { ...variables, INLET_PORT: "0" }
  // A separate process group, so that a signal to the group reaches the server and not only npx.
  const child = spawn("npx", ["--no", "@inlethq/cli", "serve"], {
    cwd: place,
    detached: true,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  const exit = new Promise((done) => child.once("close", done))
  return new Promise((done, fail) => {
    const late = setTimeout(() => {
      process.kill(-child.pid, "SIGKILL")
      fail(new Error(`the installed server did not start within ${startMsMax} ms:\n${output}`))
    }, startMsMax)
    const read = (text) => {
      output += text
      const file = /"file":"([^"]*first-start-keys)"/.exec(output)?.[1]
      if (file === undefined) return
      const keys = readFileSync(file, "utf8")
      const url = /^Inlet listens on (\S+)/m.exec(keys)?.[1]
      const curl = /^ {2}(curl -u .*)$/m.exec(keys)?.[1]
      const writeKey = /^ {2}Pipelines key +(\S+)$/m.exec(keys)?.[1]
      clearTimeout(late)
      done({ child, url, curl, writeKey, exit })
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", read)
    child.once("close", (code) => {
      clearTimeout(late)
      fail(new Error(`the installed server exited with ${code}:\n${output}`))
    })
  })
}

/** Pastes the printed command, and looks for its person and its event with the installed command line. */
async function tryOut({ curl, url }) {
  await run("sh", ["-c", `${curl} --fail --silent --show-error`], {})
  const inlet = async (...args) =>
    JSON.parse(await run("npx", ["--no", "@inlethq/cli", ...args, "--json"], { INLET_URL: url }))
  const person = await inlet("people", "get", "ada")
  if (person.attributes.plan !== "pro") throw new Error(`unexpected person: ${JSON.stringify(person)}`)
  const sent = await inlet("send", "track", "ada", "paid", "amount=12")
  const [{ operation_id: id, outcome }] = sent.outcomes
  if (outcome !== "applied") throw new Error(`the event was not applied: ${JSON.stringify(sent)}`)
  await run("npx", ["--no", "@inlethq/cli", "why", id], { INLET_URL: url })
}

/** Runs a test of Jest and a TypeScript program, and looks for their events. */
async function tryCommonJs({ url, writeKey }) {
  const test = `const { Inlet } = require("@inlethq/sdk")
test("an event is applied", async () => expect(await ${trackCall("Tested")}).toMatchObject({ status: "applied" }))`
  writeFileSync(join(place, "sdk.test.js"), test)
  const typed = `import { Inlet, type Outcome } from "@inlethq/sdk"
import { FileSpool, type FileSpoolOptions } from "@inlethq/sdk/spool"
const options: FileSpoolOptions = { directory: "spool" }
new FileSpool(options)
${trackCall("Compiled")}.then(({ status }: Outcome) => console.log(status))`
  writeFileSync(join(place, "program.ts"), typed)
  // The Node on the PATH may be older than the one that runs the server.
  const env = { INLET_URL: url, INLET_WRITE_KEY: writeKey, PATH: process.env.PATH }
  const tool = (name) => join(place, "node_modules/.bin", name)
  await run(tool("jest"), ["--ci", "sdk.test.js"], env)
  const options = ["--strict", "--module", "commonjs", "--target", "es2022"]
  await run(tool("tsc"), [...options, "program.ts"], env)
  const status = await run("node", ["program.js"], env)
  if (status.trim() !== "applied") throw new Error(`the CommonJS program printed ${status}`)
}

function trackCall(event) {
  return `new Inlet().track({ userId: "ada", event: "${event}" }).outcome()`
}

async function run(file, args, more) {
  const env = { ...variables, ...more }
  const { stdout } = await promisify(execFile)(file, args, { cwd: place, env })
  return stdout
}
