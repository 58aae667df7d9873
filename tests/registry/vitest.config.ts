import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import shared from "../../tools/testing/vitest.shared.ts"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Tests of the packed packages, which take time to build, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ["*.test.ts"],
    globalSetup: [at("publish.ts")],
    setupFiles: [at("../src/setup.ts")],
  },
})
