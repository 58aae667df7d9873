import { Catalog } from "@inlethq/core/catalog/Catalog"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { Store } from "@inlethq/core/ports/Store"
import { Effect } from "effect"
import { ExportChecks } from "../../src/appApi/ExportChecks.ts"

/** The checks of exports on the store of a test. */
export const exportChecks = Effect.gen(function* () {
  return yield* ExportChecks.make({ catalog: yield* Catalog, store: yield* Store, files: yield* ExportFiles })
})
