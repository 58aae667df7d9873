import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import others, { browserTests } from "../vitest.config.ts"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Tests that drive a real browser, which `pnpm test` leaves out. */
export default defineConfig({
  test: {
    ...others.test,
    dir: at("../test"),
    include: [browserTests],
    exclude: [],
    globalSetup: [at("../src/globalServer.ts")],
    setupFiles: [at("../src/setup.ts")],
  },
})
