import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Schema } from "effect"
import { expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { readDocument, root } from "../../src/documents/documents.ts"

/** Sources, in a clone with nothing else. Their times lie in the past, as after a clone of some minutes ago. */
const sources = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "package.json",
  "tsconfig.base.json",
  "tools/build/bundle.ts",
  "packages/core/src/core.ts",
  "packages/core/package.json",
  "apps/server/src/main.ts",
  "apps/cli/src/main.ts",
  "apps/cli/package.json",
  "apps/console/src/main.ts",
  "apps/console/public/icon.svg",
  "apps/console/index.html",
  "apps/console/build.ts",
]

/** Stands in for npx: notes the installation, and makes what it makes as far as the script looks at it. */
const npx = `#!/bin/sh
echo "$*" >> calls
mkdir -p node_modules/.bin
cp node node_modules/.bin/node
case "$*" in *--prod*) ;; *) touch node_modules/.bin/turbo ;; esac
`

/** Stands in for Node: notes the build, and makes its result. */
const node = `#!/bin/sh
echo "$*" >> calls
case $1 in
  *build.ts) mkdir -p apps/console/dist && touch apps/console/dist/index.html ;;
  *Server.ts) mkdir -p dist && touch dist/server.js ;;
  *Command.ts) mkdir -p dist/command && touch dist/command/inlet.js ;;
esac
`

const freshClone = () => {
  const clone = freshDirectory()
  const at = (path: string) => join(clone, path)
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
    chmodSync(at(path), mode)
  }
  const change = (path: string, seconds: number) => {
    const time = Date.now() / 1000 + seconds
    utimesSync(at(path), time, time)
  }
  for (const path of sources) write(path, "")
  for (const path of sources) for (const part of [path, dirname(path)]) change(part, -60)
  write("bin/npx", npx, 0o755)
  write("node", node, 0o755)
  cpSync(join(root, "tools/build/ready.sh"), at("tools/build/ready.sh"))

  /** Runs the script and returns the installations and builds that it ran, in alphabetical order. */
  const ready = (what: string, agent = "") => {
    rmSync(at("calls"), { force: true })
    writeFileSync(at("calls"), "")
    const env = { PATH: `${at("bin")}:/usr/bin:/bin`, npm_config_user_agent: agent }
    const output = execFileSync("sh", [at("tools/build/ready.sh"), what], { env, encoding: "utf8" })
    expect(output).toBe("")
    return readFileSync(at("calls"), "utf8").split("\n").slice(0, -1).toSorted()
  }
  return { at, change, ready }
}

const running = expect.stringMatching(/^-y pnpm@12 install --frozen-lockfile .*--prod .*--filter-prod inlet/)
const everything = expect.stringMatching(/^-y pnpm@12 install --frozen-lockfile(?!.*--prod)/)
const builds = {
  command: "tools/build/bundleCommand.ts --if-changed",
  console: "apps/console/build.ts --if-changed",
  server: "tools/build/bundleServer.ts --if-changed",
}

it("a first start installs what running needs and builds it, and the next does nothing", () => {
  const { ready } = freshClone()
  expect(ready("server")).toEqual([running, builds.console, builds.command, builds.server])
  expect(ready("server")).toEqual([])
  expect(ready("command")).toEqual([])
})

it("a pnpm that is not on the PATH is replaced by that of npx", () => {
  const { ready } = freshClone()
  expect(ready("command", "pnpm/12.21.0 npm/? node/v20.20.2 linux x64")).toEqual([running, builds.command])
})

it("a command builds no server and no console", () => {
  const { ready } = freshClone()
  expect(ready("command")).toEqual([running, builds.command])
})

it("tests after a start install everything, and a start after that goes on to", () => {
  const { change, ready } = freshClone()
  ready("server")
  expect(ready("tests")).toEqual([everything])
  expect(ready("tests")).toEqual([])
  change("pnpm-lock.yaml", 60)
  expect(ready("command")).toEqual([everything, builds.command])
})

it.each([
  ["packages/core/src/core.ts", [builds.console, builds.command, builds.server]],
  ["apps/cli/src/main.ts", [builds.command]],
  ["apps/server/src/main.ts", [builds.server]],
  ["apps/console/src/main.ts", [builds.console]],
])("a start looks at what was built of %s if it changed", (file, expected) => {
  const { change, ready } = freshClone()
  ready("server")
  change(file, 60)
  expect(ready("server")).toEqual(expected)
})

it("a result that somebody removed is built again", () => {
  const { at, ready } = freshClone()
  ready("server")
  rmSync(at("dist"), { recursive: true })
  expect(ready("server")).toEqual([builds.command, builds.server])
})

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    dependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    devDependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  }),
)

const read = (path: string) => Schema.decodeUnknownSync(Manifest)(readDocument(path))

it("the root depends on whatever the console is built from", () => {
  const { devDependencies = {} } = read("apps/console/package.json")
  const needed = Object.entries(devDependencies).filter(([name]) => !/^(@types\/.*|vitest)$/.test(name))
  expect(read("package.json").dependencies).toMatchObject(Object.fromEntries(needed))
})
