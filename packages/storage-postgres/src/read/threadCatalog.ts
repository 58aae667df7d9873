import type { Digest } from "@inlethq/core/ports/Digest"
import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Effect, Redacted } from "effect"
import type { ConnectionSettings } from "../engine/ConnectionUrl.ts"
import type { CatalogSettings } from "./openPostgresCatalog.ts"

const catalogModule = new URL(
  import.meta.url.endsWith(".ts") ? "./openPostgresCatalog.ts" : "./openPostgresCatalog.js",
  import.meta.url,
)

/** Lets other threads read the database, each on one connection of its own. */
export const makeThreadCatalog = (
  connection: ConnectionSettings | undefined,
  { key }: Digest["Service"],
): ThreadCatalog["Service"] => {
  if (connection === undefined || key === undefined) return noThreadCatalog
  const { password, ...rest } = connection
  const settings: CatalogSettings = {
    connection: rest,
    password: password === undefined ? undefined : Redacted.value(password),
    digestKey: key,
  }
  return ThreadCatalog.of({
    source: { module: catalogModule.href, settings },
    // PostgreSQL shows only what is durable.
    reading: (read) => read,
    onUndo: () => Effect.void,
  })
}
