import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { isBuilt, runBuild } from "./buildRecord.ts"

interface Bundle {
  /** The folder of the program in `apps`. */
  readonly program: string
  /** The folder of the bundle, from the root of the repository. */
  readonly folder: string
  /** The configuration of tsdown, beside this file. */
  readonly config: string
  /** The name of the file that records the build. */
  readonly record: string
}

const root = join(import.meta.dirname, "../..")

/** Bundles a program. If the arguments have `--if-changed`, does so only if what the bundle is made of has changed. */
export const bundle = async ({ config, folder, program, record }: Bundle): Promise<void> => {
  const target = join(root, folder)
  mkdirSync(target, { recursive: true })
  const build = {
    sources: sourcesOf(program),
    outputs: () => scriptsIn(target),
    record: join(root, "node_modules/.cache/inlet", record),
  }
  if (process.argv.includes("--if-changed") && isBuilt(build)) return
  await runBuild(build, async () => {
    // The bundler is loaded only for a build, because loading it takes longer than the check for changes.
    const tsdown = await import("tsdown")
    await tsdown.build({ config: join(import.meta.dirname, config), logLevel: "warn" })
  })
}

const sourcesOf = (program: string): ReadonlyArray<string> => {
  const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name))
  return [
    ...[...packages, join("apps", program)].flatMap((folder) => [
      join(folder, "src"),
      join(folder, "package.json"),
    ]),
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "package.json",
    "tsconfig.base.json",
    "tools/build",
  ].map((path) => join(root, path))
}

const scriptsIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(folder, name))
