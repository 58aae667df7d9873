// Bundles the `inlet` command into `dist/command`. With `--if-changed`, does so only if a source, a dependency, the configuration or
// the bundle has changed since the last time.
import { bundle } from "./bundle.ts"

await bundle({
  program: "cli",
  folder: "dist/command",
  config: "tsdown.command.ts",
  record: "command.sha256",
})
