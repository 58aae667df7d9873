import { defineConfig } from "vitest/config"
import { testMsMax } from "./patience.ts"

/** The JSON report is what continuous integration adds up. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    passWithNoTests: true,
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    teardownTimeout: testMsMax,
    reporters: ["default", ["json", { outputFile: "reports/vitest.json" }]],
  },
})
