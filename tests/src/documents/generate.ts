import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { documents, readDocument, root } from "./documents.ts"

// Writes every generated file that is out of date.
for (const { content, path } of documents()) {
  if (existsSync(join(root, path)) && readDocument(path) === content) continue
  writeFileSync(join(root, path), content)
  console.log(`updated ${path}`)
}
