import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Sequence } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"

/**
 * Returns a page of the operations that arrived in the same request as the operation of `record`, in the order of the
 * request. These operations have consecutive log positions, because the commands of a request are applied together.
 */
export const sameRequest = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  record: ActivityRecord,
  { after, limit }: Pick<PageRequest<Sequence>, "after" | "limit">,
) {
  const { batchIndex, sequence, workspace } = record.entry
  if (batchIndex === null) return { items: [record], next: null } satisfies Page<ActivityRecord, Sequence>
  const first = sequence - batchIndex
  const before = first > 1 ? Sequence.make(first - 1) : null
  const page = yield* catalog.activity(workspace, noFilter, { after: after ?? before, limit, order: "asc" })
  const items = page.items.filter(({ entry }) => entry.batchIndex === entry.sequence - first)
  return { items, next: items.length === page.items.length ? page.next : null }
})
