import { lostInMerge, type MergePreviewDocument } from "@inlet/contract/people/MergePreview"
import { personDocument } from "@inlet/contract/people/People"
import { sentenceOf } from "@inlet/wire/texts/sentences"
import { noReasons } from "@inlet/core/log/Reason"
import type { PersonRecord } from "@inlet/core/catalog/Catalog"
import { needsOf } from "@inlet/core/CommandTable"
import type { MergePeople } from "@inlet/core/person/commands"
import type { Store } from "@inlet/core/ports/Store"
import { previewMerge } from "@inlet/core/previewMerge"
import type { Person } from "@inlet/core/state/Person"
import type { Reference } from "@inlet/core/values/Identifier"
import type { Workspace } from "@inlet/core/workspace/Workspace"
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
