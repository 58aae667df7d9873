import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { isBuilt, runBuild } from "../../../tools/build/buildRecord.ts"
import { freshDirectory } from "../../src/cleanup.ts"

/** Builds `out/bundle.js` from the folder `src` and the file `lock`. */
const start = async () => {
  const folder = freshDirectory()
  const at = (path: string) => join(folder, path)
  for (const name of ["src", "out"]) mkdirSync(at(name))
  for (const name of ["src/a.ts", "lock"]) writeFileSync(at(name), "1")
  const build = {
    sources: [at("src"), at("lock"), at("config.ts")],
    outputs: () => readdirSync(at("out")).map((name) => join(at("out"), name)),
    record: at("cache/record"),
  }
  const write = () => Promise.resolve(writeFileSync(at("out/bundle.js"), "built"))
  expect(isBuilt(build)).toBe(false)
  await runBuild(build, write)
  expect(isBuilt(build)).toBe(true)
  return { at, build, write }
}

it.each<readonly [change: string, run: (at: (path: string) => string) => void]>([
  ["a source changes", (at) => writeFileSync(at("src/a.ts"), "2")],
  ["a source is added", (at) => writeFileSync(at("src/b.ts"), "1")],
  ["a source is removed", (at) => rmSync(at("src/a.ts"))],
  ["the lockfile changes", (at) => writeFileSync(at("lock"), "2")],
  ["a configuration appears", (at) => writeFileSync(at("config.ts"), "1")],
  ["the bundle is removed", (at) => rmSync(at("out/bundle.js"))],
  ["something else writes the bundle", (at) => writeFileSync(at("out/bundle.js"), "other")],
])("a build is repeated if %s, and then not again", async (_, change) => {
  const { at, build, write } = await start()
  change(at)
  expect(isBuilt(build)).toBe(false)
  await runBuild(build, write)
  expect(isBuilt(build)).toBe(true)
})

it("a build that fails, or whose source changes while it runs, is repeated", async () => {
  const { at, build } = await start()
  await expect(runBuild(build, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(isBuilt(build)).toBe(false)
  await runBuild(build, () => Promise.resolve(writeFileSync(at("src/a.ts"), "2")))
  expect(isBuilt(build)).toBe(false)
})
