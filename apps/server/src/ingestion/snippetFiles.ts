import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** A script that browsers load. */
export interface Script {
  readonly text: string
  readonly etag: string
}

/** The browser library as its package holds it, built for script tags: an entry, and parts that it loads on demand. */
export interface SnippetFiles {
  readonly version: string
  readonly entry: Script
  /** A part of the library by its file name; undefined where there is none of that name. */
  readonly part: (name: string) => Script | undefined
}

const packageName = "@customerio/cdp-analytics-browser"

/** The build for script tags among the files of the package. */
const entryName = "standalone.js"

let files: SnippetFiles | undefined

/** The files of the library, read when they are first asked for and kept: there are about a dozen, of 400 kB together. */
export const snippetFiles = (): SnippetFiles => (files ??= readPackage())

const readPackage = (): SnippetFiles => {
  const require = createRequire(import.meta.url)
  const manifest = require.resolve(`${packageName}/package.json`)
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, "utf8"))
  const directory = join(dirname(manifest), "dist", "umd")
  // Only what is listed here is ever read: no name from outside becomes a path.
  const names = new Set(readdirSync(directory).filter((name) => name.endsWith(".js")))
  const scripts = new Map<string, Script>()
  const read = (name: string): Script => {
    const text = readFileSync(join(directory, name), "utf8")
    const script = { text, etag: etagOf(text) }
    scripts.set(name, script)
    return script
  }
  return {
    version,
    entry: read(entryName),
    part: (name) => scripts.get(name) ?? (names.has(name) ? read(name) : undefined),
  }
}

/** The entity tag of a text. */
export const etagOf = (text: string): string => `"${hash("sha256", text, "hex").slice(0, 32)}"`
