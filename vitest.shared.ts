import { defineConfig } from "vitest/config"

/** The JSON report is what continuous integration adds up. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    passWithNoTests: true,
    reporters: ["default", ["json", { outputFile: "reports/vitest.json" }]],
  },
})
