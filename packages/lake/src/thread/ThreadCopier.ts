import type { CatalogModule, CatalogSource } from "@inlethq/core/catalog/ThreadCatalog"
import { Effect, Exit, Scope } from "effect"
import { LogCopier, type RowFiles } from "./LogCopier.ts"
import type { Closed, Copied, RangePaths, ToCopy } from "./Copied.ts"

/** Copies logs of one store at a time, whose catalog stays open until another store is asked for. */
export class ThreadCopier {
  private readonly files: RowFiles<never>
  private opened: {
    readonly source: string
    readonly copier: LogCopier<never>
    readonly scope: Scope.Closeable
  } | null = null

  constructor(files: RowFiles<never>) {
    this.files = files
  }

  async copy(source: CatalogSource, asked: ToCopy): Promise<Copied> {
    const copier = await this.copierOf(source)
    return Effect.runPromise(copier.copy(asked))
  }

  async close(paths: RangePaths): Promise<Closed> {
    if (this.opened === null) throw new Error(`${paths.activity} is not open`)
    return Effect.runPromise(this.opened.copier.close(paths))
  }

  forget(paths: ReadonlyArray<string>): void {
    this.opened?.copier.forget(paths)
  }

  private async copierOf(source: CatalogSource): Promise<LogCopier<never>> {
    const text = JSON.stringify(source)
    if (this.opened?.source === text) return this.opened.copier
    if (this.opened !== null) await Effect.runPromise(Scope.close(this.opened.scope, Exit.void))
    this.opened = null
    // The module and the settings come from the same store.
    const { openCatalog }: CatalogModule<unknown> = await import(source.module)
    const scope = Scope.makeUnsafe()
    const catalog = await Effect.runPromise(Scope.provide(openCatalog(source.settings), scope))
    const copier = new LogCopier(catalog, this.files)
    this.opened = { source: text, copier, scope }
    return copier
  }
}
