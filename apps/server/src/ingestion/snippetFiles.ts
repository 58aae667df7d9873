import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** A script that browsers load, with its entity tag. */
export interface Script {
  readonly text: string
  readonly etag: string
}

/** The script-tag build of the browser library, from its npm package: an entry script, and parts that it loads on demand. */
export interface SnippetFiles {
  readonly version: string
  readonly entry: Script
  /** Returns a part of the library by its file name, or undefined if the file does not exist. */
  readonly part: (name: string) => Script | undefined
}

const packageName = "@customerio/cdp-analytics-browser"

/** The entry script among the files of the package. */
const entryName = "standalone.js"

/** The files of the browser library. Each is read from disk on first use and cached: about a dozen, 400 kB in total. */
export class BrowserLibrary extends Context.Service<
  BrowserLibrary,
  { readonly files: Effect.Effect<SnippetFiles> }
>()("@inlet/server/ingestion/snippetFiles/BrowserLibrary") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Effect.cached(Effect.sync(() => readPackage())), (files) => ({ files })),
  )
}

const readPackage = (): SnippetFiles => {
  const require = createRequire(import.meta.url)
  const manifest = require.resolve(`${packageName}/package.json`)
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, "utf8"))
  const directory = join(dirname(manifest), "dist", "umd")
  // Only names in this listing are read, so a file name in a URL cannot reach other files.
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

/** Returns a strong ETag for a text. */
export const etagOf = (text: string): string => `"${hash("sha256", text, "hex").slice(0, 32)}"`
