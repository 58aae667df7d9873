import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import type { Reporter, Vitest } from "vitest/node"
import { testMsMax } from "./patience.ts"

/**
 * Writes the exit code of the run to `reports/exit.json`. The JSON report is written before the global teardown runs,
 * so it does not show whether the run ended well. A run that is killed leaves no `exit.json`.
 */
class ExitCode implements Reporter {
  onInit({ config }: Vitest): void {
    const folder = join(config.root, "reports")
    rmSync(folder, { recursive: true, force: true })
    process.once("exit", (code) => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "exit.json"), JSON.stringify({ code }))
    })
  }
}

/** The Vitest configuration of all packages. Continuous integration reads the JSON reports and adds up their tests. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Loading the package `effect` again for each test file took more time than the tests themselves. No module keeps
    // state between tests.
    isolate: false,
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    teardownTimeout: testMsMax,
    reporters: ["default", ["json", { outputFile: "reports/vitest.json" }], new ExitCode()],
  },
})
