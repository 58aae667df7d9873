import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** The published package has these beside its bundle (tools/build/packCommand.ts), and a clone has them as packages. */
const beside = (name: string): string | null => {
  const path = join(import.meta.dirname, name)
  return existsSync(path) ? path : null
}

const installed = (name: string): string =>
  dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))

/** Returns the folder with the built files of the console. */
export const consoleFolder = (): string => beside("console") ?? join(installed("@inlethq/console"), "dist")

/** Returns the folder of the browser library, or null if it is an installed package. */
export const browserLibraryFolder = (): string | null => beside("browser-library")

/** Returns how this program was installed. */
export const channel = (): "clone" | "image" | "npm" | "npx" => {
  if (beside("console") === null) return "clone"
  if (beside("healthcheck.mjs") !== null) return "image"
  return import.meta.dirname.includes("/_npx/") ? "npx" : "npm"
}
