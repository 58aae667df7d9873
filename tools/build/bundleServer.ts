// Bundles the server into `dist`. With `--if-changed`, does so only if a source, a dependency, the configuration or the bundle
// has changed since the last time.
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { isBuilt, runBuild } from "./buildRecord.ts"

const root = join(import.meta.dirname, "../..")
const dist = join(root, "dist")
const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name))

const bundle = {
  sources: [
    ...[...packages, "apps/server"].flatMap((folder) => [join(folder, "src"), join(folder, "package.json")]),
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "package.json",
    "tsconfig.base.json",
    "tools/build",
  ].map((path) => join(root, path)),
  outputs: () =>
    readdirSync(dist)
      .filter((name) => name.endsWith(".js"))
      .map((name) => join(dist, name)),
  record: join(root, "node_modules/.cache/inlet/server.sha256"),
}

mkdirSync(dist, { recursive: true })
if (!process.argv.includes("--if-changed") || !isBuilt(bundle)) {
  await runBuild(bundle, async () => {
    // The bundler is loaded only for a build, because loading it takes longer than the check for changes.
    const { build } = await import("tsdown")
    await build({ config: join(import.meta.dirname, "tsdown.start.ts"), logLevel: "warn" })
  })
}
