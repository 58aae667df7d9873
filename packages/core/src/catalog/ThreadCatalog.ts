import { Context, Effect, type Scope } from "effect"
import type { Catalog } from "./Catalog.ts"
import type { StoreUnavailable } from "../ports/Store.ts"

/** How another thread of this process opens the catalog of a store. */
export interface CatalogSource {
  /** The URL of a module that exports a `CatalogModule`. */
  readonly module: string
  /** What its `openCatalog` receives. It can be sent to a thread. */
  readonly settings: unknown
}

/** A module that opens a catalog. `Settings` is the type of the settings that its store puts into a `CatalogSource`. */
export interface CatalogModule<Settings> {
  readonly openCatalog: (
    settings: Settings,
  ) => Effect.Effect<Catalog["Service"], StoreUnavailable, Scope.Scope>
}

/** Lets another thread of this process read what is stored, so that long reads take no time of the main thread. */
export class ThreadCatalog extends Context.Service<
  ThreadCatalog,
  {
    /** Null if only this thread can read, because the data are in its memory, or because it alone can compute digests. */
    readonly source: CatalogSource | null
    /**
     * Runs a read in another thread, then waits until all commits that it may have seen are durable. Fails at once while the
     * store cannot be read, and also if such a commit may be lost. What was read then is worth nothing.
     */
    readonly reading: <A, E, R>(read: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreUnavailable, R>
    /**
     * Registers how another thread closes its catalog, until the scope closes. The store calls it before it undoes commits
     * that may be lost.
     */
    readonly onUndo: (close: () => Promise<void>) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@inlethq/core/catalog/ThreadCatalog") {}

/** Only this thread can read. */
export const noThreadCatalog = ThreadCatalog.of({
  source: null,
  reading: (read) => read,
  onUndo: () => Effect.void,
})
