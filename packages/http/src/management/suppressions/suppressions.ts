import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Identifier } from "@inlethq/core/values/Identifier"
import { Registry } from "@inlethq/core/ports/Registry"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { workspaceAt } from "../answers/lookup.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

export const suppressionHandlers = HttpApiBuilder.group(
  ManagementApi,
  "suppressions",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog

    return handlers.handleAll({
      get: Effect.fn("management.suppressions.get")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const identifier = identifierIn(query)
        if (identifier === undefined) {
          return yield* new InvalidRequest({ detail: problemTexts.oneIdentifier() })
        }
        return { suppressed: yield* catalog.isSuppressed(workspace.id, identifier) }
      }, orUnavailable),
    })
  }),
)

/** Returns the identifier in a query. Returns undefined if the query has no identifier or several. */
const identifierIn = ({
  email,
  id,
}: {
  readonly id?: string
  readonly email?: string
}): Identifier | undefined => {
  if (id !== undefined) return email === undefined ? { kind: "id", value: id } : undefined
  return email === undefined ? undefined : { kind: "email", value: email }
}
