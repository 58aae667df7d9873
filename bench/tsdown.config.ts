import { defineConfig } from "tsdown"

/**
 * Bundles a program with the SDK into one file, so that the memory of the program does not include the compiler that
 * Node loads for TypeScript.
 */
export default defineConfig({
  entry: { program: "src/sdk/program.ts" },
  outDir: "dist",
  format: "esm",
  platform: "node",
  target: "node22.19",
  deps: { alwaysBundle: /./, onlyBundle: false },
  fixedExtension: false,
  report: false,
})
