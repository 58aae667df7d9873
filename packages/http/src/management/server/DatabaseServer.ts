import type { DatabaseDocument } from "@inlethq/contract/server/Server"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Context, type Effect } from "effect"

/** The database server of the store. A store without a database server does not provide this service. */
export class DatabaseServer extends Context.Service<
  DatabaseServer,
  { readonly state: Effect.Effect<DatabaseDocument, StoreUnavailable> }
>()("@inlethq/http/management/server/DatabaseServer") {}
