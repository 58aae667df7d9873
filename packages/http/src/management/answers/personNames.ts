import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Identifier, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { personKeyOf } from "./lookup.ts"

type Name = Identifier | { readonly kind: "svc_id"; readonly value: string }

const nameKinds = ["id", "email", "svc_id", "anonymous_id"] as const

/** Returns the identifiers in a query of the list of people. */
export const namesIn = (query: { readonly [Kind in Name["kind"]]?: string }): ReadonlyArray<Name> =>
  nameKinds.flatMap((kind) => {
    const value = query[kind]
    return value === undefined ? [] : [{ kind, value }]
  })

export const personNamed = (catalog: Catalog["Service"], workspace: WorkspaceId, { kind, value }: Name) => {
  if (kind !== "svc_id") return catalog.personByIdentifier(workspace, { kind, value })
  const key = personKeyOf(workspace, value)
  return key === undefined ? Effect.succeedNone : catalog.person(workspace, key)
}
