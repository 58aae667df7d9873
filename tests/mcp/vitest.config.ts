import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import others from "../vitest.config.ts"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The conformance suite of the Model Context Protocol, which `pnpm test` leaves out. */
export default defineConfig({
  test: {
    ...others.test,
    include: ["*.test.ts"],
    exclude: [],
    globalSetup: [at("../src/globalServer.ts")],
    setupFiles: [at("../src/setup.ts")],
  },
})
