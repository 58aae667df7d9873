import { Context, Effect, Layer } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { etagOf } from "../entityTags.ts"

/** A script for browsers, with its entity tag. */
export interface Script {
  readonly text: string
  readonly etag: string
}

/**
 * The browser library for script tags, as files of its npm package. The entry script loads the other files ("parts") on
 * demand.
 */
export interface SnippetFiles {
  readonly version: string
  readonly entry: Script
  /** Returns the file of the browser library with this name, or undefined if the library has no file of this name. */
  readonly part: (name: string) => Script | undefined
}

const packageName = "@customerio/cdp-analytics-browser"

/** The name of the entry script in the npm package. */
const entryName = "standalone.js"

/**
 * The files of the browser library. Each file is read from disk on first use and then cached. There are about a dozen
 * files of 400 kB in total.
 */
export class BrowserLibrary extends Context.Service<
  BrowserLibrary,
  { readonly files: Effect.Effect<SnippetFiles> }
>()("@inlet/http/ingestion/snippetFiles/BrowserLibrary") {
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
  // Only file names in this listing are accepted, so a URL cannot name any other file.
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
