import { ActivityKind, provenanceOf, type SegmentEffect } from "@inlethq/core/log/ActivityEntry"
import { toActivityView, type ActivityRecord, type ActivityView } from "@inlethq/core/catalog/ActivityView"
import { operationIdText, svcIdText, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { KeptValue } from "@inlethq/core/log/KeptValue"
import { keptTexts } from "@inlethq/core/log/keptTexts"
import type { RejectedCall } from "@inlethq/core/log/RejectedCall"
import type { Sender } from "@inlethq/core/log/Sender"
import type { RefusedValue } from "@inlethq/core/log/RefusedValue"
import type { Person } from "@inlethq/core/state/Person"
import { searchedName } from "@inlethq/core/state/searchedNames"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { messageOf, reasonInBrand, sentenceOf } from "@inlethq/wire/texts/sentences"
import { pathInBrand, type WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { isoTimeOrNull } from "@inlethq/contract/values/IsoTime"
import { callProvenanceDocument } from "@inlethq/contract/activity/CallProvenance"
import {
  ActivityDocument,
  type EffectDocument,
  type KeptDocument,
  ObjectIds,
  type RefusedDocument,
  type SenderDocument,
} from "@inlethq/contract/activity/ActivityLog"

const isObjectIds = Schema.is(ObjectIds)

export const activityDocument = (record: ActivityRecord, brand: WrittenBrand): ActivityDocument => {
  const view = toActivityView(record)
  const told = toldActivity(record, view, brand)
  const { subject } = told
  return {
    operation_id: told.operation_id,
    sequence: told.sequence,
    at: toIso(view.at),
    original_timestamp: isoTimeOrNull(view.originalTimestamp),
    received_at: toIso(view.receivedAt),
    processed_at: isoTimeOrNull(view.processedAt),
    source: told.source,
    sender: record.sender === null ? null : senderDocument(record.sender),
    kind: told.kind,
    name: told.name,
    outcome: told.outcome,
    reason: told.reason,
    reasons: told.reasons,
    rule: told.rule,
    subject: {
      svc_id: subject.svc_id,
      id: subject.id,
      email: subject.email,
      name: view.person === null ? null : searchedName(view.person.attributes),
      anonymous_id: subject.anonymous_id,
      object_type_id: subject.object_type_id,
      object_id: subject.object_id,
      ...(view.segment !== null && {
        segment: { segment_id: view.segment.key, name: view.segment.name },
      }),
    },
    ...viaOf(record),
    id: told.id,
    trigger_eligible: view.triggerEligible,
    data: told.data,
    changes: told.changes,
    refused: view.refused.map((refused) => refusedDocument(view.workspace, refused, brand)),
    kept_as: told.kept_as,
    effects: told.effects,
    request: view.call === null || view.outcome !== "rejected" ? null : requestDocument(view.call),
    ...(view.messageOverrides === null ? {} : { message_overrides: view.messageOverrides }),
    ...callProvenanceDocument(provenanceOf(view)),
    ...(view.plan !== undefined && { plan: view.plan }),
  }
}

/** Returns the fields of a document that the lake stores too. */
export const toldActivity = (record: ActivityRecord, view: ActivityView, brand: WrittenBrand) => ({
  operation_id: operationIdText(view.workspace, view.sequence, view.batchIndex),
  sequence: view.sequence,
  source: view.source,
  kind: view.kind,
  name: view.name,
  outcome: view.outcome,
  reason: sentenceOf(brand, view.reasons),
  reasons: view.reasons.map((reason) => reasonInBrand(brand, reason)),
  rule: view.rule,
  subject: {
    svc_id: svcIdOf(record, view.person),
    id: view.knownAs.id,
    email: view.knownAs.email,
    anonymous_id: view.knownAs.anonymousId,
    ...objectOf(view),
  },
  id: view.id,
  data: view.data,
  changes: view.changes.map(({ from, path, to }) => ({ path: pathInBrand(brand, path), from, to })),
  kept_as: view.keptAs.map((kept) => keptDocument(kept, brand)),
  effects: view.effects.map((effect) => effectDocument(view.workspace, effect)),
})

const viaOf = ({ entry, isErased, owner }: ActivityRecord): Pick<ActivityDocument, "via"> => {
  const via = isErased ? undefined : owner?.attached.find(({ key }) => key === entry.subject)?.via
  return via === undefined ? {} : { via: { svc_id: svcIdText(entry.workspace, via.secondary) } }
}

const effectDocument = (
  workspace: WorkspaceId,
  { change, segment, subject, version }: SegmentEffect,
): EffectDocument => ({ svc_id: svcIdText(workspace, subject), segment_id: segment, version, change })

export const senderDocument = ({ key, route, token, userAgent }: Sender): SenderDocument => ({
  key: key === null ? null : { key_id: key.id, name: key.name },
  token: token === undefined ? null : { token_id: token.id, name: token.name },
  user_agent: userAgent,
  route,
})

const requestDocument = ({ address, cutFrom, key, path, userAgent }: RejectedCall) => ({
  path,
  key_id: key?.id ?? null,
  key_name: key?.name ?? null,
  user_agent: userAgent,
  address,
  ...(cutFrom !== null && { cut_from: cutFrom }),
})

const refusedDocument = (
  workspace: WorkspaceId,
  { code, cutFrom, other, path, rule, value, values }: RefusedValue,
  brand: WrittenBrand,
): RefusedDocument => ({
  path: pathInBrand(brand, path),
  value,
  ...(cutFrom !== null && { cut_from: cutFrom }),
  reason: messageOf(brand, { code, field: path, values }),
  code,
  rule,
  other: other === null ? null : { svc_id: svcIdText(workspace, other) },
})

const keptDocument = ({ cutFrom, kept, path, sent, why }: KeptValue, brand: WrittenBrand): KeptDocument => ({
  path: pathInBrand(brand, path),
  sent,
  ...(cutFrom !== null && { cut_from: cutFrom }),
  kept,
  why: keptTexts[why](),
  code: why,
})

/**
 * Returns the type and id of the object that an entry is about. Of a deleted object, only the entry of the deletion has them, by
 * which it is found, too.
 */
const objectOf = ({ data, kind, knownAs }: ActivityView): ObjectIds =>
  kind === "object_delete" && isObjectIds(data)
    ? { object_type_id: data.object_type_id, object_id: data.object_id }
    : { object_type_id: knownAs.objectTypeId, object_id: knownAs.objectId }

/**
 * Returns the `svc_id` of the person that an entry is about, even if the person has been deleted since. Returns null if
 * the entry is about an anonymous visitor. Only operations on visitors are stored as pending.
 */
export const svcIdOf = ({ entry, subject }: ActivityRecord, person: Person | null): string | null => {
  if (person !== null) return svcIdText(person.workspace, person.key)
  const deleted = subject === null || subject._tag === "Erased"
  return deleted && entry.subject !== null && entry.outcome !== "pending" && isPersonKind(entry.kind)
    ? svcIdText(entry.workspace, entry.subject)
    : null
}

/** Returns true if log entries of this kind are always about a person or visitor. */
const isPersonKind = (kind: ActivityKind | null): boolean => {
  switch (kind) {
    case "identify":
    case "delete":
    case "suppress":
    case "unsuppress":
    case "merge":
    case "unmerge":
    case "event":
    case "page":
    case "screen":
    case "anonymous_event":
    case "add_device":
    case "delete_device":
    case "unsubscribe":
    case "form_submission":
    case "delivery_metric":
      return true
    case "add_relationships":
    case "delete_relationships":
    case "object_identify":
    case "object_delete":
    case "segment_add":
    case "segment_remove":
    case "segment_change":
    case null:
      return false
  }
}
