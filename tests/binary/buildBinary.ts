import { execFileSync } from "node:child_process"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { bundlePrograms } from "../src/bundlePrograms.ts"
import { cleanUp } from "../src/cleanup.ts"
import { buildConsole } from "../src/console/buildConsole.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly binary: string
  }
}

const root = join(import.meta.dirname, "../..")

/** Builds the executable as `pnpm build:binary` does, and the bundles of the server that tests compare it with. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  await Promise.all([bundlePrograms(), buildConsole()])
  const binary = join(root, "node_modules/.cache/inlet/inlet-tested")
  execFileSync(process.execPath, [join(root, "tools/build/binary.ts"), binary], { stdio: "inherit" })
  provide("binary", binary)
  return cleanUp
}
