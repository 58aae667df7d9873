import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { CatalogSource } from "@inlethq/core/catalog/ThreadCatalog"
import { Effect } from "effect"
import { CatalogOfThread } from "./CatalogOfThread.ts"
import type { Closed, Copied, RangePaths, ToCopy } from "./Copied.ts"
import { LogCopier, type RowFiles } from "./LogCopier.ts"

/** Copies logs of one store at a time. */
export class ThreadCopier {
  private readonly files: RowFiles<never>
  private readonly catalogs = new CatalogOfThread()
  private opened: { readonly catalog: Catalog["Service"]; readonly copier: LogCopier<never> } | null = null

  constructor(files: RowFiles<never>) {
    this.files = files
  }

  async copy(source: CatalogSource, asked: ToCopy): Promise<Copied> {
    const catalog = await this.catalogs.of(source)
    if (this.opened?.catalog !== catalog)
      this.opened = { catalog, copier: new LogCopier(catalog, this.files) }
    return Effect.runPromise(this.opened.copier.copy(asked))
  }

  async close(paths: RangePaths): Promise<Closed> {
    if (this.opened === null) throw new Error(`${paths.activity} is not open`)
    return Effect.runPromise(this.opened.copier.close(paths))
  }

  forget(paths: ReadonlyArray<string>): void {
    this.opened?.copier.forget(paths)
  }
}
