import type { CatalogModule } from "@inlethq/core/catalog/ThreadCatalog"
import { Effect, Redacted } from "effect"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { ConnectionSettings } from "../engine/ConnectionUrl.ts"
import { connectWith } from "../engine/connectWith.ts"
import { makeCatalog } from "./catalog.ts"
import { digestWith } from "./digestWith.ts"

export interface CatalogSettings {
  readonly connection: Omit<ConnectionSettings, "password">
  readonly password: string | undefined
  readonly digestKey: Uint8Array
}

/**
 * Opens the catalog of a database that the main thread has checked and migrated, on one connection.
 *
 * @public A thread imports it by the URL of this module.
 */
export const openCatalog: CatalogModule<CatalogSettings>["openCatalog"] = Effect.fnUntraced(function* ({
  connection,
  digestKey,
  password,
}) {
  const database = yield* connectWith({
    ...connection,
    password: password === undefined ? undefined : Redacted.make(password),
    poolSize: 1,
  }).pipe(Effect.mapError((cause) => new StoreUnavailable({ operation: "connect in another thread", cause })))
  return makeCatalog(database, digestWith(digestKey))
})
