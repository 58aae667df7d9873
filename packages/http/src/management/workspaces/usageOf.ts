import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { objectDocument } from "@inlethq/contract/objects/Objects"
import { personDocument } from "@inlethq/contract/people/People"
import type { UsageDocument } from "@inlethq/contract/workspaces/Workspaces"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { NeedsCollector } from "@inlethq/core/fold/Needs"
import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { PageRequest } from "@inlethq/core/values/Page"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence, SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { estimateUsage, type Usage } from "./estimateUsage.ts"

/**
 * Returns the number of records of a workspace, and estimates the space that the log, the people and the objects of the
 * workspace need.
 */
export const usageOf = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  store: Store["Service"],
  workspace: WorkspaceId,
  brand: WrittenBrand,
): Effect.fn.Return<UsageDocument, StoreUnavailable> {
  const activity = yield* estimateUsage({
    read: (page: PageRequest<Sequence>) => catalog.activity(workspace, noFilter, page),
    keyOf: ({ entry }) => entry.sequence,
    makeKey: (number) => Sequence.make(number),
    bytesOf: (record) => lengthOf(activityDocument(record, brand)),
  })
  const people = yield* estimateUsage({
    read: (page: PageRequest<SubjectKey>) => catalog.people(workspace, null, page),
    keyOf: ({ person }) => person.key,
    makeKey: (number) => SubjectKey.make(number),
    bytesOf: (record) => lengthOf(personDocument(record)),
  })
  const objects = yield* estimateUsage({
    read: (page: PageRequest<SubjectKey>) => catalog.objects(workspace, null, page),
    keyOf: ({ object }) => object.key,
    makeKey: (number) => SubjectKey.make(number),
    bytesOf: (record) => lengthOf(objectDocument(record)),
  })
  const { records } = yield* store.view(new NeedsCollector(workspace))
  return {
    records,
    activity: shown(activity),
    people: shown(people),
    objects: shown(objects),
    bytes: activity.bytes + people.bytes + objects.bytes,
  }
})

const lengthOf = (document: unknown): number => Buffer.byteLength(JSON.stringify(document))

const shown = ({ bytes, isExact, items }: Usage) => ({ items, bytes, exact: isExact })
