import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import shared from "../../tools/testing/vitest.shared.ts"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Tests of the `inlet` command as one file, which takes time to build, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ["*.test.ts"],
    globalSetup: [at("buildBinary.ts")],
    setupFiles: [at("../src/setup.ts")],
  },
})
