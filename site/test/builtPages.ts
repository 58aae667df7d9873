import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"

/** A link, image, script or style sheet of a built page. */
export interface Target {
  readonly tag: string
  readonly address: string
}

const unescaped = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** Returns what the tags of a page refer to. Attributes of tags are read, and text that looks like tags is escaped in HTML. */
export const targetsOf = (html: string): ReadonlyArray<Target> =>
  [...html.matchAll(/<(a|link|img|script|source|iframe)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(
    ([, tag = "", address = ""]) => ({ tag, address: unescaped(address) }),
  )

export const isExternal = (address: string): boolean => /^(?:[a-z][\w+.-]*:|\/\/)/i.test(address)

/** Returns true if a relative address leads from a page to a file of a folder, and to an element of this file. */
export const leads = (folder: string, page: string, address: string): boolean => {
  if (address.startsWith("/")) return false
  const [path = "", anchor = ""] = address.split("#")
  const file = path === "" ? page : posix.join(posix.dirname(page), decodeURIComponent(path))
  if (file.startsWith("..") || !existsSync(join(folder, file))) return false
  if (anchor === "") return true
  return readFileSync(join(folder, file), "utf8").includes(` id="${decodeURIComponent(anchor)}"`)
}
