import { ownershipOf, unowned, type Ownership } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { stateCodes } from "../columns/codes.ts"
import { goneCodes } from "./readGone.ts"
import type { Read, SubjectSize } from "./ReadQueries.ts"
import { sizesInSlices, subjectsInSlices } from "./subjectsInSlices.ts"

/** Reads to whom subjects belong. Decodes only those that belong to somebody else, whose documents are small. */
export const readOwners = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
): Effect.fn.Return<ReadonlyMap<SubjectKey, Ownership>, StoreUnavailable> {
  const sizes = yield* sizesInSlices(read, workspace, keys)
  const owners = new Map<SubjectKey, Ownership>()
  const attached = new Map<SubjectKey, SubjectSize>()
  for (const [key, size] of sizes) {
    if (goneCodes.includes(size.state)) continue
    if (size.state === stateCodes.attached) attached.set(key, size)
    else owners.set(key, size.state === stateCodes.person ? { owner: key, since: null } : unowned)
  }
  const decoded = yield* subjectsInSlices(read, workspace, new Set(attached.keys()), attached, ownershipOf)
  for (const [key, owner] of decoded) owners.set(key, owner)
  return owners
})
