import type { TestProject } from "vitest/node"
import { Inlet } from "./Inlet.ts"
import { clearUp } from "./leftovers.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly servedAt: string
  }
}

/** One server for all tests that only need a workspace of their own. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const inlet = await Inlet.start()
  provide("servedAt", inlet.url)
  return async () => {
    await inlet.stop()
    await clearUp()
  }
}
