import { fileURLToPath } from "node:url"
import type { Plugin } from "vitepress"

const site = fileURLToPath(new URL("config.ts", import.meta.url))

/** Lets the compiled pages import Vue, although `docs` is outside the package of the site. */
export const resolveFromSite = {
  name: "resolve-from-site",
  enforce: "pre",
  resolveId(id, importer) {
    if (!/^vue(?:\/|$)/.test(id) || importer === site) return null
    return this.resolve(id, site)
  },
} satisfies Plugin
