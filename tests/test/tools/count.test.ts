import { execFile } from "node:child_process"
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

interface Ended {
  readonly code: number
  readonly lines: ReadonlyArray<string>
}

const run = (cwd: string, ...args: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, lines: stdout.trimEnd().split("\n") }),
    )
  })

/**
 * Writes a package with these files and runs its tests with the shared configuration. Returns the folder of the
 * package.
 */
const runPackage = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = freshDirectory()
  mkdirSync(join(folder, "test"))
  const config = `import shared from ${JSON.stringify(join(root, "tools/testing/vitest.shared.ts"))}
export default { ...shared, test: { ...shared.test, globals: true, globalSetup: ["setup.mjs"] } }`
  const all = { "vitest.config.mjs": config, "setup.mjs": "export default () => {}", ...files }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  await run(folder, join(root, "node_modules/vitest/vitest.mjs"), "run")
  return folder
}

const count = (...args: ReadonlyArray<string>): Promise<Ended> =>
  run(root, join(root, "tools/testing/count.mjs"), ...args)

const passing = `it("passes", () => {})`

/** An example package for each way in which a test run can end. Each package is a list of files. */
const packages = {
  good: { "test/a.test.ts": `${passing}; it("passes as well", () => {})` },
  failing: { "test/a.test.ts": `${passing}; it("fails", () => { throw new Error("no") })` },
  "broken file": { "test/a.test.ts": passing, "test/b.test.ts": `throw new Error("no")` },
  empty: {},
  "failing setup": {
    "test/a.test.ts": passing,
    "setup.mjs": `export default () => { throw new Error("no") }`,
  },
  "failing teardown": {
    "test/a.test.ts": passing,
    "setup.mjs": `export default () => () => { throw new Error("no") }`,
  },
  "unhandled rejection": { "test/a.test.ts": `${passing}; void Promise.reject(new Error("no"))` },
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

const folders = new Map<string, string>()
const folderOf = (name: string): string => folders.get(name) ?? "no such folder"

beforeAll(async () => {
  for (const [name, files] of Object.entries(packages)) folders.set(name, await runPackage(files))
})

describe("the count of passed and failed tests", () => {
  it.each([
    ["good", "2 passed, 0 failed", 0],
    ["failing", "1 passed, 1 failed", 1],
    ["broken file", "1 passed, 1 failed", 1],
    ["empty", "0 passed, 1 failed", 1],
    ["failing setup", "0 passed, 1 failed", 1],
    ["failing teardown", "1 passed, 1 failed", 1],
    ["unhandled rejection", "1 passed, 1 failed", 1],
  ] as const)("counts the test run “%s” as “%s”", async (name, last, code) => {
    const counted = await count(folderOf(name))
    expect(counted.lines.at(-1)).toBe(last)
    expect(counted.code).toBe(code)
  })

  it("the summary of a test run adds up the tests of all packages and marks a package that ran no tests", async () => {
    const [good, setup] = [folderOf("good"), folderOf("failing setup")]
    const { code, lines } = await count(good, setup)
    expect(lines).toEqual([
      `${good}: 2 passed, 0 failed`,
      `${setup}: 0 passed, 1 failed (no test ran)`,
      "2 passed, 1 failed",
    ])
    expect(code).toBe(1)
  })

  it("the summary of a test run names each failed test with its message before its last line", async () => {
    const failing = (await count(folderOf("failing"))).lines.join("\n")
    expect(failing).toMatch(/^FAILED .*test\/a\.test\.ts: fails\n(.*\n)*Error: no\n/mu)
    const broken = (await count(folderOf("broken file"))).lines.join("\n")
    expect(broken).toMatch(/^FAILED .*test\/b\.test\.ts: outside its tests\nno\n/mu)
  })

  it("the summary of a test run counts a package without a report as a failure", async () => {
    const { code, lines } = await count(freshDirectory())
    expect([code, lines.at(-1)]).toEqual([1, "0 passed, 1 failed"])
  })

  it("the summary of a test run counts a report that is older than the run as a failure", async () => {
    const good = folderOf("good")
    const later = await count("--since", String(Date.now() + 1000), good)
    expect([later.code, later.lines.at(-1)]).toEqual([1, "0 passed, 1 failed"])
    const earlier = await count("--since", "1000", good)
    expect([earlier.code, earlier.lines.at(-1)]).toEqual([0, "2 passed, 0 failed"])
  })

  it("the summary of a test run counts a run that was killed during or after writing its report as a failure", async () => {
    const folder = freshDirectory()
    cpSync(folderOf("good"), folder, { recursive: true })
    rmSync(join(folder, "reports/exit.json"))
    expect((await count(folder)).lines.at(-1)).toBe("2 passed, 1 failed")
    writeFileSync(join(folder, "reports/vitest.json"), `{"numPassedTests": 2`)
    expect((await count(folder)).lines.at(-1)).toBe("0 passed, 1 failed")
  })
})
