import { join } from "node:path"
import { rolldown } from "rolldown"

const source = join(import.meta.dirname, "../../packages/sdk/src")

/**
 * Bundles a module of the SDK as one file and returns its code. `effect` and built-in modules are not bundled but
 * imported.
 */
export const bundleSdk = async (module: string, minify: boolean): Promise<string> => {
  const bundle = await rolldown({ input: join(source, module), external: /^(effect|node:)/, treeshake: true })
  try {
    const { output } = await bundle.generate({ format: "esm", minify })
    return output[0].code
  } finally {
    await bundle.close()
  }
}
