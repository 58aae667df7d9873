import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { CatalogModule, CatalogSource } from "@inlethq/core/catalog/ThreadCatalog"
import { Effect, Exit, Scope } from "effect"

/** The catalog of one store at a time, which stays open until another store is asked for. */
export class CatalogOfThread {
  private opened: {
    readonly source: string
    readonly catalog: Catalog["Service"]
    readonly scope: Scope.Closeable
  } | null = null

  async of(source: CatalogSource): Promise<Catalog["Service"]> {
    const text = JSON.stringify(source)
    if (this.opened?.source === text) return this.opened.catalog
    if (this.opened !== null) await Effect.runPromise(Scope.close(this.opened.scope, Exit.void))
    this.opened = null
    // The module and the settings come from the same store.
    const { openCatalog }: CatalogModule<unknown> = await import(source.module)
    const scope = Scope.makeUnsafe()
    const catalog = await Effect.runPromise(Scope.provide(openCatalog(source.settings), scope))
    this.opened = { source: text, catalog, scope }
    return catalog
  }
}
