import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import shared from "../../tools/testing/vitest.shared.ts"

/** Tests of lakes with programs that Go and Python bring, so `pnpm test` does not run them. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ["*.test.ts"],
    setupFiles: [fileURLToPath(new URL("../src/setup.ts", import.meta.url))],
  },
})
