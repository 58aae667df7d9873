import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { sections, type Section } from "./navigation.ts"
import { firstParagraph, firstSentence, pagesOf, readPage } from "./pages.ts"
import { repositoryLink } from "./repository.ts"

/** A page as Markdown that can be read anywhere: its links to files that are no pages lead into the repository. */
const portable = (path: string): string =>
  readPage(path).replaceAll(
    /\]\(([^)\s]+)\)/g,
    (_link, target: string) => `](${repositoryLink(path, target) ?? target})`,
  )

const listOf = (sections: ReadonlyArray<Section>): string =>
  sections
    .flatMap(pagesOf)
    .map(({ path, title }) => `- [${title}](${path}): ${firstSentence(readPage(path))}`)
    .join("\n")

/** Writes the pages as Markdown beside the built ones, their index in the form of llmstxt.org, and all of them in one file. */
export const writeLlms = (folder: string): void => {
  const needed = sections.filter(({ isEvidence }) => isEvidence !== true)
  const optional = sections.filter(({ isEvidence }) => isEvidence === true)
  const lists = needed.map((section) => `## ${section.title}\n\n${listOf([section])}\n`)
  const summary = firstParagraph(readPage("README.md"))
  const index = [
    `# Inlet\n\n> ${summary}\n`,
    "`llms-full.txt` has all pages except the optional ones.\n",
    ...lists,
    `## Optional\n\n${listOf(optional)}\n`,
  ].join("\n")
  writeFileSync(join(folder, "llms.txt"), index)
  const full = needed.flatMap(pagesOf).map(({ path }) => `<!-- ${path} -->\n\n${portable(path)}`)
  writeFileSync(join(folder, "llms-full.txt"), full.join("\n"))
  for (const { path } of sections.flatMap(pagesOf)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), portable(path))
  }
}
