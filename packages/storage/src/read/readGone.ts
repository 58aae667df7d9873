import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { stateCodes } from "../columns/codes.ts"
import type { Read } from "./ReadQueries.ts"
import { sizesInSlices } from "./subjectsInSlices.ts"

export const goneCodes: ReadonlyArray<number> = [stateCodes.erased, stateCodes.stillNamed]

/** Returns which subjects were deleted or no longer exist. Keys are never used again. */
export const readGone = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
): Effect.fn.Return<ReadonlySet<SubjectKey>, StoreUnavailable> {
  const sizes = yield* sizesInSlices(read, workspace, keys)
  return new Set([...keys].filter((key) => goneCodes.includes(sizes.get(key)?.state ?? stateCodes.erased)))
})
