import { objectDocument } from "@inlethq/contract/objects/Objects"
import type { RelatedRecord } from "@inlethq/core/catalog/Catalog"
import type { Snapshot, Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { objectAsOf } from "@inlethq/log/history/objectAsOf"
import type { PastMoment } from "@inlethq/log/history/PastMoment"
import { personAsOf } from "@inlethq/log/history/personAsOf"
import { Effect, Option } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"
import { foundOr404 } from "../answers/lookup.ts"
import { expectHistory } from "../answers/pastMoment.ts"

/** The type and the id of an object in the path of a request. */
interface ObjectPath {
  readonly object_type_id: string
  readonly object_id: string
}

/**
 * Returns an object as it was. Fails with a 410 that names the beginning of the history, and with a 404 if there was no such
 * object.
 */
export const objectThen = Effect.fnUntraced(function* (
  snapshots: Snapshots["Service"],
  workspace: WorkspaceId,
  path: ObjectPath,
  moment: PastMoment,
) {
  const snapshot = yield* snapshots.open(workspace)
  const { object, people } = yield* foundThen(snapshot, workspace, path, moment)
  return { ...objectDocument({ object, peopleTotal: 0 }), people_total: people === null ? null : people.size }
}, Effect.scoped)

/** Returns a page of the people who were related to an object, as they were, in the order of their keys. Fails as `objectThen` does. */
export const peopleThen = Effect.fnUntraced(function* (
  snapshots: Snapshots["Service"],
  workspace: WorkspaceId,
  path: ObjectPath,
  moment: PastMoment,
  { after, limit, order }: PageRequest<SubjectKey>,
) {
  const snapshot = yield* snapshots.open(workspace)
  const { people } = yield* foundThen(snapshot, workspace, path, moment)
  const keys = [...(people?.keys() ?? [])].toSorted((a, b) => (order === "asc" ? a - b : b - a))
  const later = keys.filter((key) => after === null || (order === "asc" ? key > after : key < after))
  const shown = later.slice(0, limit)
  const items: Array<RelatedRecord> = []
  for (const key of shown) {
    const found = yield* personAsOf(snapshot, workspace, key, moment)
    const attributes = people?.get(key)
    if (Option.isSome(found) && attributes !== undefined)
      items.push({ subject: found.value.person, attributes })
  }
  const next = later.length > limit ? (shown.at(-1) ?? null) : null
  return { items, next } satisfies Page<RelatedRecord, SubjectKey>
}, Effect.scoped)

const foundThen = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  { object_id: objectId, object_type_id: typeId }: ObjectPath,
  moment: PastMoment,
) {
  yield* expectHistory(snapshot, workspace, moment)
  return yield* foundOr404(
    yield* objectAsOf(snapshot, workspace, { typeId, objectId }, moment),
    problemTexts.noObjectThen(),
  )
})
