import { NotFound } from "@inlethq/contract/access/Problem"
import { defaultBrand, unprefixed } from "@inlethq/wire/decoding/Brand"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { svcIdKey, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Registry } from "@inlethq/core/ports/Registry"
import { Effect, Option } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"

/** Returns the workspace in a path, or fails with a 404. */
export const workspaceAt = Effect.fnUntraced(function* (registry: Registry["Service"], id: WorkspaceId) {
  const found = yield* registry.workspace(id)
  return yield* foundOr404(found, problemTexts.noWorkspace({ workspace: id }))
})

/** Returns the person with the `svc_id` in a path, or fails with a 404. */
export const personAt = Effect.fnUntraced(function* (
  catalog: Snapshot,
  workspace: WorkspaceId,
  svcId: string,
) {
  const key = personKeyOf(workspace, svcId)
  const found = key === undefined ? Option.none() : yield* catalog.person(workspace, key)
  return yield* foundOr404(found, problemTexts.notFound({ thing: "person" }))
})

/** Returns the key in a `svc_id` with or without its brand prefix, or undefined if the workspace has no such id. */
export const personKeyOf = (workspace: WorkspaceId, svcId: string): SubjectKey | undefined =>
  svcIdKey(workspace, unprefixed(defaultBrand, svcId) ?? svcId)

/** Returns the value if it was found, or fails with a 404. */
export const foundOr404 = <A>(found: Option.Option<A>, detail: string) =>
  Effect.mapError(Effect.fromOption(found), () => new NotFound({ detail }))
