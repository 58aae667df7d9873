import { Context } from "effect"

/** The data directory of the server, or null if the server has none. */
export const DataFolder = Context.Reference<string | null>("@inlethq/http/management/node/DataFolder", {
  defaultValue: () => null,
})
