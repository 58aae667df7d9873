import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

const folder = join(import.meta.dirname, "../../../apps/console/dist/assets")

/** Returns each script of the console's build by the name of its file. */
export const scripts = (): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".js"))
      .map((name) => [name, readFileSync(join(folder, name))]),
  )

/** Returns the size of each script of the console's build in bytes of gzip. */
export const scriptSizes = (): ReadonlyMap<string, number> =>
  new Map([...scripts()].map(([name, content]) => [name, gzipSync(content).length]))

/** A text of the development code of React, which no other code contains. */
export const developmentText = "React.jsx: Static children should always be an array"
