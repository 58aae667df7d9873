// Bundles the server into `dist`. With `--if-changed`, does so only if a source, a dependency, the configuration or the bundle
// has changed since the last time.
import { bundle } from "./bundle.ts"

await bundle({ program: "server", folder: "dist", config: "tsdown.start.ts", record: "server.sha256" })
