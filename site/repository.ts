import { existsSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"

export const repository = "https://github.com/inlethq/inlet"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Returns the address in the repository of a file or folder that a page of `docs` links to, or undefined if it is a page. */
export const repositoryLink = (page: string, target: string): string | undefined => {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return undefined
  const [path = "", anchor] = target.split("#")
  const file = posix.join("docs", posix.dirname(page), path)
  const isPage = file.startsWith("docs/") && file.endsWith(".md")
  if (isPage || !existsSync(join(root, file))) return undefined
  const kind = statSync(join(root, file)).isDirectory() ? "tree" : "blob"
  return `${repository}/${kind}/main/${file}${anchor === undefined ? "" : `#${anchor}`}`
}
