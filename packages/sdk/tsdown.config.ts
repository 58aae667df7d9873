import { defineConfig } from "tsdown"
import shared from "../../tools/build/tsdown.shared.ts"

/** Old browsers and Node 20 run this syntax. */
const target = "es2022"

/**
 * The CommonJS build holds only the modules that import neither effect nor another package, because effect is ESM only.
 * Each of them is one file with its types.
 */
export default [
  // The documentation of the messages is only for the generator of `docs/errors.md`.
  defineConfig({ ...shared, target, entry: ["src/**/*.ts", "!src/documentation/**"] }),
  defineConfig({
    ...shared,
    target,
    entry: { Inlet: "src/Inlet.ts", "spool/FileSpool": "src/spool/FileSpool.ts" },
    format: "cjs",
    unbundle: false,
    hash: false,
    clean: false,
  }),
]
