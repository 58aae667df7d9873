import { readFileSync } from "node:fs"
import { join } from "node:path"
import { compatibilityPage, taggedTestsIn } from "./compatibilityPage.ts"
import { errorPage } from "./errorPage.ts"
import { rulePageFiles, rulesOf, withAnchors, type RulePage } from "./rulePages.ts"
import { ruleModule } from "./ruleModule.ts"

/** The root of the repository. */
export const root = join(import.meta.dirname, "../../..")

/** A file of the repository and what it must hold. */
interface Document {
  readonly path: string
  readonly content: string
}

export const readDocument = (path: string): string => readFileSync(join(root, path), "utf8")

const rulePages = (): ReadonlyArray<RulePage> =>
  rulePageFiles.map((file) => ({ file, markdown: readDocument(`docs/${file}`) }))

/** Every rule of the documentation. */
export const allRules = () => rulePages().flatMap(rulesOf)

/** Every test whose title begins with a rule, end-to-end tests first. */
export const taggedTests = () =>
  ["tests/test", "apps", "packages"].flatMap((folder) => taggedTestsIn(root, folder))

/** Every file that is made, wholly or in part, from others in the repository. */
export const documents = (): ReadonlyArray<Document> => [
  ...rulePages().map((page) => ({ path: `docs/${page.file}`, content: withAnchors(page) })),
  { path: "packages/api/src/rules/generated.ts", content: ruleModule(allRules()) },
  { path: "docs/compatibility.md", content: compatibilityPage(allRules(), taggedTests()) },
  { path: "docs/errors.md", content: errorPage() },
]
