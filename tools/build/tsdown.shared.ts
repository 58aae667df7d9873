import { defineConfig } from "tsdown"

/** The build writes one module for each source module, because packages are imported by subpath. */
export default defineConfig({
  cwd: process.cwd(),
  entry: ["src/**/*.ts"],
  root: "src",
  format: "esm",
  platform: "node",
  target: "node22.19",
  unbundle: true,
  fixedExtension: false,
  dts: true,
  sourcemap: true,
  clean: true,
})
