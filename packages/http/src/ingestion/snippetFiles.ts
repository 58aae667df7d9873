import { Context, Effect, FileSystem, Layer, Schema } from "effect"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { etagOf } from "../entityTags.ts"
import { ShippedFiles } from "../ShippedFiles.ts"

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

const manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

/** The name of the entry script in the npm package. */
const entryName = "standalone.js"

/** The files of the browser library, which are read on first use. There are about a dozen files of 400 kB in total. */
export class BrowserLibrary extends Context.Service<
  BrowserLibrary,
  { readonly files: Effect.Effect<SnippetFiles> }
>()("@inlethq/http/ingestion/snippetFiles/BrowserLibrary") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const shipped = yield* ShippedFiles
      const system = shipped.system ?? (yield* FileSystem.FileSystem)
      return { files: yield* Effect.cached(Effect.orDie(readPackage(system, shipped.browserLibrary))) }
    }),
  )
}

const readPackage = Effect.fnUntraced(function* (system: FileSystem.FileSystem, folder: string | null) {
  const root = folder ?? dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`))
  const { version } = yield* Schema.decodeUnknownEffect(manifest)(
    yield* system.readFileString(join(root, "package.json")),
  )
  const scriptFolder = join(root, "dist", "umd")
  const names = (yield* system.readDirectory(scriptFolder)).filter((name) => name.endsWith(".js"))
  // Only these names are accepted, so a URL cannot name any other file.
  const scripts = new Map<string, Script>()
  for (const name of names) {
    const text = yield* system.readFileString(join(scriptFolder, name))
    scripts.set(name, { text, etag: etagOf(text) })
  }
  const entry = yield* Effect.fromNullishOr(scripts.get(entryName))
  return { version, entry, part: (name: string) => scripts.get(name) } satisfies SnippetFiles
})
