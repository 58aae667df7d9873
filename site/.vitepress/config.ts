import { fileURLToPath } from "node:url"
import { defineConfig, type DefaultTheme, type MarkdownRenderer } from "vitepress"
import { headingSlug } from "../../tools/documents/headingSlug.ts"
import { front, sections } from "../navigation.ts"
import { pagesOf } from "../pages.ts"
import { repository, repositoryLink } from "../repository.ts"
import { writeLlms } from "../llms.ts"
import { consoleColours } from "./consoleColours.ts"
import { resolveFromSite } from "./resolveFromSite.ts"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Leads links to files and folders that are no pages into the repository. */
const linkRepository = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push("link_repository", ({ env, tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = repositoryLink(env.relativePath, token.attrGet("href") ?? "#")
      if (link !== undefined) token.attrSet("href", link)
    }
  })
}

/** The way from a page to the folder of the site. */
const rootOf = (page: string): string => "../".repeat(page.split("/").length - 1) || "./"

const link = (page: string): string => `/${page.replace(/^README\.md$/, "index.md")}`

const sidebar: ReadonlyArray<DefaultTheme.SidebarItem> = sections.map((section) => ({
  text: section.title,
  ...(section.isCollapsed && { collapsed: true }),
  items: pagesOf(section).map((page) => ({ text: page.label, link: link(page.path) })),
}))

/** Searches leave these pages out, because their tables have every word of the others. */
const evidence = new Set(
  sections
    .filter(({ isEvidence }) => isEvidence)
    .flatMap((section) => pagesOf(section).map(({ path }) => path)),
)

export default defineConfig({
  title: "Inlet",
  description: "A self-hosted ingestion service for customer data that explains each call.",
  srcDir: "../docs",
  outDir: at("../dist"),
  cacheDir: at("../node_modules/.cache"),
  base: "./",
  rewrites: { "README.md": "index.md" },
  transformHead: ({ page }) => [
    ["link", { rel: "icon", href: `${rootOf(page)}icon.svg`, type: "image/svg+xml" }],
  ],
  router: { prefetchLinks: false },
  vite: { publicDir: at("../../apps/console/public"), plugins: [consoleColours, resolveFromSite] },
  markdown: {
    config: linkRepository,
    anchor: { slugify: headingSlug },
    linkify: false,
    // The pages are read on git hosts as well, so they use nothing that only VitePress understands.
    attrs: false,
    emoji: false,
    container: false,
    snippet: false,
    include: false,
    toc: false,
    component: false,
    image: { lazyLoad: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
  },
  themeConfig: {
    logo: "/icon.svg",
    nav: [
      ...front.map(([page, text]) => ({ text, link: link(page) })),
      { text: "Repository", link: repository },
    ],
    sidebar: [...sidebar],
    outline: { level: 2 },
    search: {
      provider: "local",
      options: {
        _render: (page, env, markdown) =>
          evidence.has(env.relativePath) ? "" : markdown.renderAsync(page, env),
      },
    },
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: "Change this page" },
    docFooter: { prev: "Before", next: "Next" },
  },
  buildEnd: ({ outDir }) => writeLlms(outDir),
})
