import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

const folder = join(import.meta.dirname, "../../../apps/console/dist/assets")

/** Returns the size of each script of the console's build in bytes of gzip. */
export const scriptSizes = (): ReadonlyMap<string, number> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".js"))
      .map((name) => [name, gzipSync(readFileSync(join(folder, name))).length]),
  )
