import { Context, type FileSystem } from "effect"

/** The files that come with the program and are sent to browsers. */
export interface ShippedFiles {
  /**
   * The folder with the built files of the console: `index.html`, and the folder `assets`. The names of assets contain a
   * hash of their content. Null if the program has no console.
   */
  readonly console: string | null
  /** The folder with the npm package of the browser library. Null means the package that is installed. */
  readonly browserLibrary: string | null
  /** What reads both folders. Null means the platform's file system. */
  readonly system: FileSystem.FileSystem | null
}

/** The files that this program ships: unless provided, a browser library and no console. */
export const ShippedFiles = Context.Reference<ShippedFiles>("@inlethq/http/ShippedFiles", {
  defaultValue: () => ({ console: null, browserLibrary: null, system: null }),
})
