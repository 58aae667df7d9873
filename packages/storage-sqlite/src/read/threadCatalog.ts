import type { Digest } from "@inlethq/core/ports/Digest"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"
import type { CatalogSettings } from "./openSqliteCatalog.ts"

const catalogModule = new URL(
  import.meta.url.endsWith(".ts") ? "./openSqliteCatalog.ts" : "./openSqliteCatalog.js",
  import.meta.url,
)

/** Lets other threads read the database, each on a connection of its own. */
export const makeThreadCatalog = (
  { durability, file }: Database,
  { key }: Digest["Service"],
): ThreadCatalog["Service"] =>
  ThreadCatalog.of({
    source:
      key === undefined
        ? null
        : { module: catalogModule.href, settings: { file, digestKey: key } satisfies CatalogSettings },
    reading: (read) =>
      Effect.andThen(
        durability.attempt("read in another thread", () => undefined),
        // What the thread saw was committed before it answered.
        Effect.tap(read, () => Effect.suspend(() => durability.untilDurable("read in another thread"))),
      ),
    onUndo: (close) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => durability.addThread(close)),
          () => Effect.sync(() => durability.removeThread(close)),
        ),
      ),
  })
