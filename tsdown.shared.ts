import { defineConfig } from "tsdown"

/** One module out for each module in: packages are imported by subpath. */
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
