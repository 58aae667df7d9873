import type { CauseRow, LogSummaries } from "@inlethq/core/ports/LogSummaries"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Effect } from "effect"

/** Returns the summaries of all causes of refusals in a workspace, which have a limit. */
export const allCauses = Effect.fnUntraced(function* (
  summaries: LogSummaries["Service"],
  workspace: WorkspaceId,
): Effect.fn.Return<ReadonlyArray<CauseRow>, StoreUnavailable> {
  const found: Array<CauseRow> = []
  let after: string | null = null
  do {
    const page: Page<CauseRow, string> = yield* summaries.causes(workspace, after)
    found.push(...page.items)
    after = page.next
  } while (after !== null)
  return found
})
