import { explain } from "@inlet/api/explanation/explain"
import { changedPaths, overridesOf, stalePaths } from "@inlet/api/explanation/overriding"
import { entryTexts, remedyFinder } from "@inlet/api/explanation/remedies"
import { activityDocument } from "@inlet/api/management/ActivityLog"
import { textInBrand } from "@inlet/api/wire/WrittenBrand"
import { toActivityView, type ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { noFilter } from "@inlet/core/catalog/Catalog"
import { Effect } from "effect"
import { bodyFaults } from "../../ingestion/failures.ts"
import type { ActivityReader } from "@inlet/api/log/filteredActivity"

/**
 * The explanation of an operation searches the person's log for operations on the same fields. It reads at most this
 * many entries before the operation, and at most this many after it.
 */
const entriesSearchedMax = 500

const remediesOf = remedyFinder([...entryTexts, ...Object.values(bodyFaults)])

/**
 * Returns the explanation of an operation. Searches the person's log for operations on the same fields: at most
 * `entriesSearchedMax` entries before the operation, and at most as many after it.
 */
export const explanationOf = Effect.fnUntraced(function* (
  { brand, catalog, turns }: ActivityReader,
  record: ActivityRecord,
) {
  const entry = activityDocument(record, brand)
  const { person } = toActivityView(record)
  const overrides = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, order: "asc" | "desc") {
    if (person === null || paths.length === 0) return []
    const page = { limit: entriesSearchedMax, after: record.entry.sequence, order }
    const found = yield* catalog.activity(record.entry.workspace, { ...noFilter, person }, page)
    return yield* turns.work(function* () {
      return overridesOf(
        paths,
        found.items.map((other) => activityDocument(other, brand)),
      )
    })
  })
  const { reason } = activityDocument(record, "svc")
  return explain(entry, {
    remedies: reason === null ? [] : remediesOf(reason).map((remedy) => textInBrand(brand, remedy)),
    replacedLater: yield* overrides(changedPaths(entry), "asc"),
    newerBefore: yield* overrides(stalePaths(entry), "desc"),
  })
})
