import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, relatedShownMax, type PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { NamedSubjects } from "@inlethq/core/catalog/NamedSubjects"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { noAttributes } from "@inlethq/core/state/Attributes"
import type { DataObject } from "@inlethq/core/state/DataObject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { Page } from "@inlethq/core/values/Page"
import { Effect } from "effect"
import { isAfter, type PastMoment } from "./PastMoment.ts"

/** The entries that are read at once. */
const entriesPerPage = 200

/** The deletion of an object, as its entry tells it. */
export interface Deletion {
  readonly key: SubjectKey
  readonly typeId: string
  readonly objectId: string
  readonly entry: ActivityEntry
}

/** Returns the deletions of objects since a moment, newest first. */
export const deletionsSince = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  about: NamedSubjects,
  moment: PastMoment,
): Effect.fn.Return<ReadonlyArray<Deletion>, StoreUnavailable> {
  const found: Array<Deletion> = []
  let after: Sequence | null = null
  do {
    const page: Page<ActivityRecord, Sequence> = yield* snapshot.activity(
      workspace,
      { ...noFilter, kind: "object_delete", about },
      {
        after,
        limit: entriesPerPage,
        order: "desc",
        ...(moment._tag === "AtPosition" && { end: moment.position }),
      },
    )
    for (const { entry } of page.items) {
      if (!isAfter(entry, moment)) return found
      const deletion = deletionIn(entry)
      if (deletion !== undefined) found.push(deletion)
    }
    after = page.next
  } while (after !== null)
  return found
})

/** Returns which object an entry deleted, or undefined if it deleted none. */
const deletionIn = (entry: ActivityEntry): Deletion | undefined => {
  const { data, subject } = entry
  if (subject === null || !isJsonObject(data)) return undefined
  const { object_id: objectId, object_type_id: typeId } = data
  return typeof typeId === "string" && typeof objectId === "string"
    ? { key: subject, typeId, objectId, entry }
    : undefined
}

/** Returns a person as they were at a moment, with the objects that were deleted since, which are named by type and id only. */
export const withDeletedObjects = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  record: PersonRecord,
  moment: PastMoment,
): Effect.fn.Return<PersonRecord, StoreUnavailable> {
  const { person, relationships } = record
  const known = new Set(relationships.map(({ object }) => object.key))
  const others = [...person.relationships.keys()].filter((key) => !known.has(key)).slice(0, relatedShownMax)
  if (others.length === 0) return record
  const gone = [...(yield* snapshot.goneAmong(person.workspace, new Set(others)))]
  if (gone.length === 0) return record
  const about = { people: [], keys: gone, objects: [] }
  const deletions = yield* deletionsSince(snapshot, person.workspace, about, moment)
  const deleted = deletions.map(({ key, objectId, typeId }) => ({
    object: namedObject(person.workspace, key, typeId, objectId),
    attributes: person.relationships.get(key) ?? noAttributes,
  }))
  return { ...record, relationships: [...relationships, ...deleted] }
})

const namedObject = (
  workspace: WorkspaceId,
  key: SubjectKey,
  typeId: string,
  objectId: string,
): DataObject => ({
  _tag: "DataObject",
  key,
  workspace,
  typeId,
  objectId,
  attributes: noAttributes,
  createdAt: 0,
  updatedAt: 0,
  settling: null,
})
