import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

const folder = join(import.meta.dirname, "../../../apps/console/dist/assets")

const assets = (extension: ".js" | ".css"): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(extension))
      .map((name) => [name, readFileSync(join(folder, name))]),
  )

/** Returns each script of the console's build by the name of its file. */
export const scripts = (): ReadonlyMap<string, Buffer> => assets(".js")

const sizesOf = (files: ReadonlyMap<string, Buffer>): ReadonlyMap<string, number> =>
  new Map([...files].map(([name, content]) => [name, gzipSync(content).length]))

/** Returns the size of each script of the console's build in bytes of gzip. */
export const scriptSizes = (): ReadonlyMap<string, number> => sizesOf(scripts())

/** Returns the size of each style sheet of the console's build in bytes of gzip. */
export const styleSizes = (): ReadonlyMap<string, number> => sizesOf(assets(".css"))

/** A text of the development code of React, which no other code contains. */
export const developmentText = "React.jsx: Static children should always be an array"
