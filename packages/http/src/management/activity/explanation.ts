import { explain } from "@inlethq/log/explanation/explain"
import { changedPaths, overridesOf, ownRecords, stalePaths } from "@inlethq/log/explanation/overriding"
import { activityDocument } from "@inlethq/log/documents/activityDocument"
import type { ExplanationDocument } from "@inlethq/contract/activity/ExplanationDocument"
import { pathInBrand } from "@inlethq/wire/texts/WrittenBrand"
import { toActivityView, type ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { Person } from "@inlethq/core/state/Person"
import { IdentifierKind, svcIdText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { Effect, Option, Schema } from "effect"
import type { ActivityReader } from "@inlethq/log/reading/filteredActivity"

/**
 * The largest number of entries of a person's log, before an operation and again after it, in which its explanation
 * looks for operations on the same fields.
 */
const entriesSearchedMax = 500

/** The largest number of refused values of which an explanation names the owners. */
const ownersMax = 10

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
        ownRecords(record.entry.subject, found.items).map((other) => activityDocument(other, brand)),
      )
    })
  })
  const owners = Effect.fnUntraced(function* () {
    const found: Array<ExplanationDocument["owners"][number]> = []
    for (const { other, path, value } of toActivityView(record).refused.slice(0, ownersMax)) {
      if (other === null) continue
      const owner = yield* ownerOf(catalog, record.entry.workspace, other, path, value)
      if (Option.isSome(owner))
        found.push({ path: pathInBrand(brand, path), person: named(owner.value.person) })
    }
    return found
  })
  return explain(entry, {
    brand,
    replacedLater: yield* overrides(changedPaths(entry), "asc"),
    newerBefore: yield* overrides(stalePaths(entry), "desc"),
    owners: yield* owners(),
  })
})

/**
 * Returns the person to whom a refused value belongs. If that person was merged since, returns the person who has the
 * identifier now.
 */
const ownerOf = Effect.fnUntraced(function* (
  catalog: Snapshot,
  workspace: WorkspaceId,
  other: SubjectKey,
  path: string,
  value: Json,
) {
  const owner = yield* catalog.person(workspace, other)
  const kind = path.slice(path.lastIndexOf(".") + 1)
  return Option.isNone(owner) && isIdentifierKind(kind) && typeof value === "string" && value !== ""
    ? yield* catalog.personByIdentifier(workspace, { kind, value })
    : owner
})

const isIdentifierKind = Schema.is(IdentifierKind)

const named = ({ email, id, key, workspace }: Person) => ({ svc_id: svcIdText(workspace, key), id, email })
