import type { Command } from "@inlethq/core/Command"
import type { Envelope } from "@inlethq/core/fold/Envelope"
import { keptValues, type KeptValue } from "@inlethq/core/log/KeptValue"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { createdAtName, type Assignment } from "@inlethq/core/state/Attributes"
import type { JsonObject } from "@inlethq/core/values/Json"
import { readTime, readTimeOfAnyYear, secondMs } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Result } from "effect"
import { decodeForm } from "@inlethq/wire/track-v1/forms"
import { envelope } from "@inlethq/wire/decoding/envelope"
import type { Receipt } from "@inlethq/wire/decoding/Receipt"
import { decodeMapping } from "@inlethq/wire/operations/decodeMapping"
import { decodeSegment } from "@inlethq/wire/operations/decodeSegment"
import { decodeOperation } from "@inlethq/wire/operations/decodeOperation"
import type { Provenance } from "@inlethq/core/log/Provenance"
import { omitsValue, restOfContext, restOfTrackV1, withOmitted } from "@inlethq/wire/decoding/omitted"
import { keptProvenance } from "@inlethq/wire/decoding/keptProvenance"
import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import { callProvenanceIn } from "@inlethq/contract/activity/CallProvenance"

/**
 * Decodes an entity that was made from an exported document or a log entry: an entity of the Track API v2, an operation on
 * a segment or a form, and what that API cannot say. Its key takes the place of the key in the entity.
 */
export const decodeExported = (
  receipt: Receipt,
  exported: ExportedEntity,
): Result.Result<Command, RejectOperation> =>
  Result.map(decodeItem(receivedAs(receipt, exported), exported.entity), (command) =>
    completed(command, exported),
  )

const decodeItem = (
  receipt: Receipt,
  entity: ExportedEntity["entity"],
): Result.Result<Command, RejectOperation> => {
  const { action, data, form_id, mapping, type } = entity
  if (type === "segment" && action === "create") return decodeSegment(receipt, entity)
  if (type !== "form") return decodeOperation(receipt, entity)
  const formId = typeof form_id === "string" ? form_id : ""
  return action === "map"
    ? decodeMapping(receipt, formId, mapping)
    : decodeSubmission(receipt, formId, { data: data ?? null })
}

/** A submission follows the setting `omit` of the workspace that it goes to. */
const decodeSubmission = (
  receipt: Receipt,
  formId: string,
  sent: JsonObject,
): Result.Result<Command, RejectOperation> => {
  const { omitted, rest } = restOfTrackV1(receipt.workspace, "form_submission", sent)
  return Result.map(decodeForm(receipt, formId, rest), (command) => withOmitted(command, omitted))
}

/** Returns the envelope of a command that is decoded elsewhere. */
export const exportedEnvelope = <Tag extends Command["_tag"]>(
  tag: Tag,
  receipt: Receipt,
  exported: ExportedEntity,
): Envelope & { readonly _tag: Tag } => ({
  ...envelope(tag, receivedAs(receipt, exported)),
  ...timeOf(exported),
  deduplicationKey: exported.key,
})

/** A replayed operation counts as received when it was received first, but never in the future. */
const receivedAs = (
  receipt: Receipt,
  { received_at, source = receipt.source }: Omit<ExportedEntity, "entity">,
): Receipt => {
  const receivedAt = Math.min(receipt.receivedAt, readTime(received_at) ?? receipt.receivedAt)
  return { ...receipt, source, receivedAt }
}

const timeOf = ({ at }: Pick<ExportedEntity, "at">): Partial<Pick<Envelope, "at" | "followsReceipt">> => {
  const time = readTime(at)
  return time === undefined ? {} : { at: time, followsReceipt: false }
}

const completed = (
  command: Command,
  { created_at, kept_as, key, kind, original_timestamp, ...exported }: Omit<ExportedEntity, "entity">,
): Command => {
  const came = callProvenanceIn(exported)
  const { omitted, rest: context } = restOfContext(command.workspace, came.context)
  const provenance = keptProvenance(command.workspace, {
    ...came,
    ...(context !== undefined && { context }),
    ...omittedAlso(came.omitted, command.provenance?.omitted, omitted),
  })
  const keyed = {
    ...command,
    ...timeOf(exported),
    deduplicationKey: key,
    ...(provenance !== undefined && { provenance }),
    ...(kept_as !== undefined && { keptAs: keptOf(command.workspace, kept_as) }),
  }
  if (keyed._tag === "RecordEvent") {
    // An event of a visitor keeps its kind when the visitor becomes a person.
    return { ...keyed, kind: kind ?? keyed.kind, originalTimestamp: readTime(original_timestamp) ?? null }
  }
  if (keyed._tag === "IdentifyPerson") {
    return { ...keyed, assignments: withCreatedAt(keyed.assignments, readTimeOfAnyYear(created_at)) }
  }
  return keyed
}

/** An entry goes on saying what the workspace left out in which it was first recorded. */
const omittedAlso = (
  ...lists: ReadonlyArray<ReadonlyArray<string> | undefined>
): Pick<Provenance, "omitted"> => {
  const paths = new Set(lists.flatMap((list) => list ?? []))
  return paths.size === 0 ? {} : { omitted: [...paths] }
}

/**
 * Returns what the entry keeps of values that were first sent differently, within the limits of an entry, and without what the
 * workspace omits.
 */
const keptOf = (
  workspace: Workspace,
  sent: NonNullable<ExportedEntity["kept_as"]>,
): ReadonlyArray<KeptValue> => {
  const given = sent.filter((one) => !omitsValue(workspace, one.path, one.sent))
  return keptValues(given.map(({ code, kept, path, sent }) => ({ path, sent, kept, why: code }))).map(
    (one, i) => ({ ...one, cutFrom: one.cutFrom ?? given[i]?.cut_from ?? null }),
  )
}

/** The Track API cuts `created_at` to whole seconds, so its milliseconds are given beside the entity. */
const withCreatedAt = (assignments: ReadonlyArray<Assignment>, createdAt: number | undefined) =>
  createdAt === undefined
    ? assignments
    : assignments.map((assignment) =>
        assignment.name === createdAtName ? { ...assignment, value: createdAt / secondMs } : assignment,
      )
