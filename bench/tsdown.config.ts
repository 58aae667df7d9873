import { defineConfig } from "tsdown"

/** A program with the SDK as one file, so that its memory does not include the compiler that Node loads for TypeScript. */
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
