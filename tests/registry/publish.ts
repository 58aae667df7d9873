import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { cleanUp } from "../src/cleanup.ts"
import { Registry } from "./Registry.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the registry that has the packages. */
    readonly registry: string
    /** The folders of the versions of Node to test with. */
    readonly nodes: ReadonlyArray<string>
  }
}

const variable = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`run \`pnpm test:registry\`, which sets ${name}`)
  return value
}

/** Starts a registry, and publishes the packages whose tarballs `tools/release/pack.mjs` has written. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const tarballs = variable("INLET_TEST_TARBALLS")
  const registry = await Registry.start()
  for (const file of readdirSync(tarballs).filter((name) => name.endsWith(".tgz")))
    await registry.publish(join(tarballs, file))
  provide("registry", registry.url)
  provide("nodes", variable("INLET_TEST_NODES").split(":"))
  return cleanUp
}
