import { lostInMerge, type MergePreviewDocument } from "@inlethq/contract/people/MergePreview"
import { personDocument } from "@inlethq/contract/people/People"
import { sentenceOf } from "@inlethq/wire/texts/sentences"
import { noReasons } from "@inlethq/core/log/Reason"
import type { PersonRecord } from "@inlethq/core/catalog/Catalog"
import { needsOf } from "@inlethq/core/CommandTable"
import type { MergePeople } from "@inlethq/core/person/commands"
import type { Store } from "@inlethq/core/ports/Store"
import { previewMerge } from "@inlethq/core/previewMerge"
import type { Person } from "@inlethq/core/state/Person"
import type { Reference } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { BrandInUse } from "../../BrandInUse.ts"
import { managementEnvelope } from "../operations/managementEnvelope.ts"

/** Returns the result that a merge of two people would have, without merging them. */
export const mergePreviewOf = Effect.fnUntraced(function* (
  store: Store["Service"],
  workspace: Workspace,
  primary: PersonRecord,
  secondary: PersonRecord,
) {
  const command: MergePeople = {
    ...(yield* managementEnvelope(workspace)),
    _tag: "MergePeople",
    primary: referenceTo(primary),
    secondary: referenceTo(secondary),
  }
  const state = yield* store.view(needsOf(workspace.id, [command]))
  const preview = previewMerge(state, command)
  const before = { primary: personDocument(primary), secondary: personDocument(secondary) }
  const { merged = null } = preview ?? {}
  const after = merged === null ? null : personDocument(mergedRecord(merged, primary, secondary))
  const document: MergePreviewDocument = {
    outcome: preview?.entry.outcome ?? "dropped",
    reason: sentenceOf(yield* BrandInUse, preview?.entry.reasons ?? noReasons),
    ...before,
    merged: after,
    lost: after === null ? [] : lostInMerge(before.secondary, after),
  }
  return document
})

const referenceTo = ({ person }: PersonRecord): Reference => ({ _tag: "BySvcId", key: person.key })

/** Returns the record of the merged person, with the objects and segments of the two people together. */
const mergedRecord = (merged: Person, primary: PersonRecord, secondary: PersonRecord): PersonRecord => {
  const objects = new Map(
    [...primary.relationships, ...secondary.relationships].map(({ object }) => [object.key, object]),
  )
  return {
    person: merged,
    relationships: [...objects].flatMap(([key, object]) => {
      const attributes = merged.relationships.get(key)
      return attributes === undefined ? [] : [{ object, attributes }]
    }),
    segments: [...new Set([...primary.segments, ...secondary.segments])],
  }
}
