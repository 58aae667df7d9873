import { readFileSync } from "node:fs"
import { join } from "node:path"
import { clientModule } from "./clientModule.ts"
import { commandPage } from "./commandPage.ts"
import { compatibilityPage, taggedTestsIn } from "./compatibilityPage.ts"
import { entryPage } from "./entryPage.ts"
import { errorPage } from "./errorPage.ts"
import { figuresPage } from "./figuresPage.ts"
import { boundsPage, limitsPage } from "./limitsPage.ts"
import { managementPage } from "./managementPage.ts"
import { performancePage } from "./performancePage.ts"
import { withOperators } from "./operatorTable.ts"
import { requirementModule } from "./requirementModule.ts"
import { clausePageFiles, clausesOf, withAnchors, type ClausePage } from "./clausePages.ts"
import { clauseModule } from "./clauseModule.ts"

/** The root folder of the repository. */
export const root = join(import.meta.dirname, "../../..")

/** A generated file of the repository and its expected content. */
interface Document {
  readonly path: string
  readonly content: string
}

export const readDocument = (path: string): string => readFileSync(join(root, path), "utf8")

const clausePages = (): ReadonlyArray<ClausePage> =>
  clausePageFiles.map((file) => ({ file, markdown: readDocument(`docs/${file}`) }))

/** Returns every rule of the documentation. */
export const allClauses = () => clausePages().flatMap(clausesOf)

/** Returns all tests with a title that begins with the name of a rule. End-to-end tests come first. */
export const taggedTests = () =>
  ["tests/test", "apps", "packages"].flatMap((folder) => taggedTestsIn(root, folder))

/** Returns every generated file of the repository. Some of these files are generated only in part. */
export const documents = (): ReadonlyArray<Document> => [
  ...clausePages().map((page) => ({ path: `docs/${page.file}`, content: withAnchors(page) })),
  { path: "packages/log/src/clauses/generated.ts", content: clauseModule(allClauses()) },
  { path: "packages/contract/src/access/requirements/generated.ts", content: requirementModule() },
  { path: "apps/console/src/api/generated.ts", content: clientModule() },
  { path: "docs/compatibility.md", content: compatibilityPage(allClauses(), taggedTests()) },
  { path: "docs/entry.md", content: entryPage() },
  { path: "docs/errors.md", content: errorPage() },
  { path: "docs/cli.md", content: commandPage() },
  { path: "docs/management.md", content: managementPage() },
  { path: "docs/segments.md", content: withOperators(readDocument("docs/segments.md")) },
  { path: "docs/figures.md", content: figuresPage(root) },
  { path: "docs/performance.md", content: performancePage(root) },
  { path: "docs/limits.md", content: limitsPage(root) },
  { path: "docs/bounds.md", content: boundsPage(root) },
]
