import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import shared from "../../tools/testing/vitest.shared.ts"

/** Tests with a real Kafka broker. The tests need Java and Maven, so `pnpm test` does not run them. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ["*.test.ts"],
    setupFiles: [fileURLToPath(new URL("../src/setup.ts", import.meta.url))],
  },
})
