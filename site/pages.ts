import { readFileSync } from "node:fs"
import type { Section } from "./navigation.ts"

export interface Page {
  /** Path below `docs`. */
  readonly path: string
  /** What the sidebar shows. */
  readonly label: string
  /** The heading of the page. */
  readonly title: string
}

export const readPage = (path: string): string =>
  readFileSync(new URL(`../docs/${path}`, import.meta.url), "utf8")

export const pagesOf = ({ pages }: Section): ReadonlyArray<Page> =>
  pages.map((page) => {
    const [path, label] = typeof page === "string" ? [page] : page
    const title = /^# (.+)$/m.exec(readPage(path))?.[1]
    if (title === undefined) throw new Error(`docs/${path} has no heading`)
    return { path, title, label: label ?? title }
  })

/** Returns the first paragraph of a page as one line of Markdown, without headings, lists, tables, images and code before it. */
const paragraphOf = (markdown: string): string => {
  const paragraph = markdown
    .replaceAll(/^```.*?^```$/gms, "")
    .split(/\n{2,}/)
    .map((block) => block.trim().replace(/^\*\*\w+\.\*\* /, ""))
    .find((block) => /^[^\s#|!>*-]/.test(block) && !/^(?:\d+\. |[\w ]+: `)/.test(block))
  if (paragraph === undefined) throw new Error("the page has no paragraph")
  return paragraph.replaceAll(/\s+/g, " ")
}

const plain = (line: string): string =>
  line
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "")
    .replace(/:$/, ".")

export const firstParagraph = (markdown: string): string => plain(paragraphOf(markdown))

export const firstSentence = (markdown: string): string => {
  const line = paragraphOf(markdown)
  return plain(/^.+?\.(?= [^a-z]|$)/.exec(line)?.[0] ?? line)
}
