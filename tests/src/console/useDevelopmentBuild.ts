import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { freshDirectory } from "../cleanup.ts"
import type { ConsoleVisit } from "./ConsoleVisit.ts"

const consoleFolder = join(import.meta.dirname, "../../../apps/console")
const vite = join(consoleFolder, "node_modules/vite/bin/vite.js")

/**
 * Builds the console with the development code of React, which logs an error for mistakes such as missing keys. From
 * then on, the window shows this build in place of the build that the server serves.
 */
export const useDevelopmentBuild = async ({ context }: ConsoleVisit): Promise<void> => {
  const built = freshDirectory()
  const options = ["--mode", "development", "--minify", "false", "--outDir", built, "--logLevel", "warn"]
  await promisify(execFile)(process.execPath, [vite, "build", ...options], {
    cwd: consoleFolder,
    env: { ...process.env, NODE_ENV: "development" },
  })
  await context.route(/\/console\//, (route) => {
    const request = route.request()
    if (request.resourceType() === "document") return route.fulfill({ path: join(built, "index.html") })
    const [, asset] = /\/console\/(assets\/[^/?]+)$/.exec(request.url()) ?? []
    return asset === undefined ? route.continue() : route.fulfill({ path: join(built, asset) })
  })
}
