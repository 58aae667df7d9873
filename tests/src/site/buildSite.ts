import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { freshDirectory } from "../cleanup.ts"
import { root } from "../documents/documents.ts"

/** Builds the documentation site into a folder of the test, and returns its path. */
export const buildSite = async (): Promise<string> => {
  const folder = freshDirectory()
  const vitepress = join(root, "site/node_modules/.bin/vitepress")
  await promisify(execFile)(vitepress, ["build", "--outDir", folder], { cwd: join(root, "site") })
  return folder
}
