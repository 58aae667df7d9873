import { defineConfig } from "vitest/config"

/** The JSON report is what continuous integration adds up. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    passWithNoTests: true,
    // Ends what hangs; how fast a machine is must not fail a test.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ["default", ["json", { outputFile: "reports/vitest.json" }]],
  },
})
