import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"

/** Returns the log position of the newest entry of a workspace, or null if the log of the workspace is empty. */
export const newestSequence = Effect.fnUntraced(function* (
  catalog: Pick<Catalog["Service"], "activity">,
  workspace: WorkspaceId,
) {
  const page = yield* catalog.activity(workspace, noFilter, { limit: 1, after: null, order: "desc" })
  return page.items[0]?.entry.sequence ?? page.next
})
