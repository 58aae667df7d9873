import { effectsOnOthers, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { PlanFinding } from "@inlethq/core/log/PlanFinding"
import type { Provenance } from "@inlethq/core/log/Provenance"
import type { SenderId } from "@inlethq/core/log/Sender"
import type { FieldChange } from "@inlethq/core/log/Outcome"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { kindCodes, kindOf, outcomeCodes, outcomeOf, sourceCodes, sourceOf } from "../columns/codes.ts"
import { ownProvenance, wholeProvenance, type StoredContext } from "./contextRows.ts"
import type { EntryCodes } from "../columns/entryCodes.ts"
import { integer, integerOrNull, text, textOrNull, type Row } from "../columns/columns.ts"
import { attributePath, beforeOf, isChangeOf, storedBefore, type StoredBefore } from "./overwrittenRows.ts"
import { keptItem, keptValue, type KeptItem } from "./keptItems.ts"
import { ownRefusals, refusedValue, type RefusedItem } from "./refusedItems.ts"
import { senderId, sequenceOf, subjectKey, workspaceId } from "../columns/ids.ts"
import { reasonsFrom, storedReasons, type StoredReason } from "./storedReasons.ts"
import { fromStored, toStored } from "../columns/storedText.ts"

/*
 * Rows of the table `activity`, which contains the log entries. Encoding and decoding are written by hand for speed,
 * because every recorded operation writes a row. A test proves that the code agrees with the schema in `packages/core`.
 */

/**
 * The fields of a log entry that no query filters by. A field that is null or empty is `undefined`, so that JSON leaves
 * it out. All these objects have the same properties, which is faster in V8.
 */
interface Detail {
  /** The deduplication key, unless it is in the column `claim`. */
  readonly id: string | undefined
  readonly batchIndex: number | undefined
  readonly originalTimestamp: number | undefined
  readonly anonymousId: string | undefined
  readonly reasons: ReadonlyArray<StoredReason> | undefined
  readonly rule: string | undefined
  readonly data: Json | undefined
  /**
   * Three items for each change: path, old value, new value. If `data` contains the new value of a changed attribute,
   * the items for that change are 0, the attribute's name and its old value.
   */
  readonly changes: ReadonlyArray<Json> | undefined
  /** The refused values that belong to nobody else. */
  readonly refused: ReadonlyArray<RefusedItem> | undefined
  /** The values that were read otherwise. */
  readonly keptAs: ReadonlyArray<KeptItem> | undefined
  readonly effects: ActivityEntry["effects"] | undefined
  readonly provenance: Provenance | undefined
  readonly plan: PlanFinding | undefined
  /** What the operation overwrote of the entry's own subject. */
  readonly before: StoredBefore | undefined
  /** The merged people from whom something came that the operation overwrote. */
  readonly merged: ReadonlyArray<SubjectKey> | undefined
}

/** A row of `activity`, with the names of its columns. */
export interface EntryRow {
  readonly sequence: Sequence
  readonly workspace: WorkspaceId
  readonly subject: SubjectKey | null
  readonly kind: number | null
  readonly name: string | null
  readonly source: number
  readonly outcome: number
  readonly at: number
  readonly received: number
  readonly processed: number | null
  readonly claim: string | null
  readonly parts: number | null
  readonly detail: string
  readonly rule_code: number
  readonly reason_code: number | null
  readonly anonymous_code: number | null
  readonly sender: SenderId | null
  /** The number of the description of the client, in `contexts`. */
  readonly context: number | null
}

/**
 * Returns the row of a log entry without its parts. `partBytes` is the total length of the JSON of its parts, or null
 * if it has no parts.
 */
export const entryRow = (
  entry: ActivityEntry,
  partBytes: number | null,
  codes: EntryCodes,
  context?: StoredContext,
): EntryRow => ({
  sequence: entry.sequence,
  workspace: entry.workspace,
  subject: entry.subject,
  kind: entry.kind === null ? null : kindCodes[entry.kind],
  name: nameColumn(entry.name),
  source: sourceCodes[entry.source],
  outcome: outcomeCodes[entry.outcome],
  at: entry.at,
  received: entry.receivedAt,
  processed: entry.processedAt,
  claim: claimColumn(entry),
  parts: partBytes,
  detail: detailColumn(
    entry,
    context === undefined || entry.provenance === undefined
      ? entry.provenance
      : ownProvenance(entry.provenance, context),
  ),
  rule_code: codes.rule,
  reason_code: codes.reason,
  anonymous_code: codes.anonymous,
  sender: entry.sender,
  context: context?.number ?? null,
})

/** Returns the name of a log entry in the escaped form that the column stores. */
export const nameColumn = (name: string | null): string | null => (name === null ? null : toStored(name))

/**
 * Returns the deduplication key that a log entry uses, in the escaped form that the column stores. Returns null if the
 * entry uses no key.
 */
const claimColumn = ({ claimsId, id }: ActivityEntry): string | null =>
  claimsId && id !== null ? toStored(id) : null

/**
 * Returns the column `detail` of a log entry. `provenance` is that of the entry, without the part of the context that has a number.
 */
export const detailColumn = (entry: ActivityEntry, provenance = entry.provenance): string => {
  const detail: Detail = {
    id: entry.claimsId ? undefined : (entry.id ?? undefined),
    batchIndex: entry.batchIndex ?? undefined,
    originalTimestamp: entry.originalTimestamp ?? undefined,
    anonymousId: entry.anonymousId ?? undefined,
    reasons: storedReasons(entry.reasons),
    rule: entry.rule ?? undefined,
    data: entry.data ?? undefined,
    changes: entry.changes.length === 0 ? undefined : flatChanges(entry.changes, entry.data),
    refused: entry.refused.length === 0 ? undefined : ownRefusals(entry.refused),
    keptAs: entry.keptAs.length === 0 ? undefined : entry.keptAs.map(keptItem),
    effects: entry.effects.length === 0 ? undefined : entry.effects,
    provenance,
    plan: entry.plan,
    before: entry.overwritten.length === 0 ? undefined : ownBefore(entry),
    merged: entry.overwritten.length === 0 ? undefined : mergedIn(entry),
  }
  return JSON.stringify(detail)
}

const mergedIn = ({ overwritten }: ActivityEntry): ReadonlyArray<SubjectKey> | undefined => {
  if (overwritten.every(({ within }) => within === undefined)) return undefined
  return [...new Set(overwritten.flatMap(({ subject, within }) => (within === undefined ? [] : [subject])))]
}

/** Returns whether an operation overwrote something that came from a merged person. Reads the column `detail`. */
export const hasOrigin = (detail: string, merged: SubjectKey): boolean => {
  if (!detail.includes('"merged":[')) return false
  const { merged: keys = [] }: Detail = JSON.parse(detail)
  return keys.includes(merged)
}

const ownBefore = (entry: ActivityEntry): StoredBefore | undefined => {
  const own = entry.overwritten.find(({ subject }) => subject === entry.subject)
  return own === undefined ? undefined : storedBefore(own.before, entry)
}

/**
 * Returns the `detail` column of a log entry without any data that could identify a person or reveal what the person
 * did. `subject` is the subject of the entry if it was deleted. That others entered and left segments stays.
 */
export const redactedDetail = (detail: string, subject: SubjectKey | null): string => {
  const { batchIndex, effects = [], originalTimestamp, rule }: Detail = JSON.parse(detail)
  const others = effectsOnOthers({ effects, subject })
  return JSON.stringify({
    batchIndex,
    originalTimestamp,
    rule,
    effects: others.length === 0 ? undefined : others,
  })
}

/** Returns whether an entry tells that others than its subject entered or left segments. */
export const hasEffectsOnOthers = (detail: string, subject: SubjectKey | null): boolean => {
  if (!detail.includes('"effects":')) return false
  const { effects = [] }: Detail = JSON.parse(detail)
  return effectsOnOthers({ effects, subject }).length > 0
}

/** Returns the event data in the `detail` column of a log entry. */
export const dataOf = (detail: string): Json => {
  const { data }: Detail = JSON.parse(detail)
  return data ?? null
}

/** Decodes all columns of the row of a log entry. The entry's parts are stored in the table `entry_parts`. */
export const entryFromRow = (row: Row): ActivityEntry => {
  const workspace = workspaceId(integer(row["workspace"]))
  const subject = integerOrNull(row["subject"] ?? null)
  const kind = integerOrNull(row["kind"] ?? null)
  const name = textOrNull(row["name"] ?? null)
  const claim = textOrNull(row["claim"] ?? null)
  const detail: Detail = JSON.parse(text(row["detail"]))
  const receivedAt = integer(row["received"])
  const data = detail.data ?? null
  const changes = changesOf(detail.changes ?? [], data)
  return {
    sequence: sequenceIn(row),
    workspace,
    subject: subject === null ? null : subjectKey(subject),
    kind: kind === null ? null : kindOf(kind),
    name: name === null ? null : fromStored(name),
    source: sourceOf(integer(row["source"])),
    sender: senderIn(row),
    at: integer(row["at"]),
    receivedAt,
    processedAt: integerOrNull(row["processed"] ?? null),
    outcome: outcomeOf(integer(row["outcome"])),
    id: claim === null ? (detail.id ?? null) : fromStored(claim),
    claimsId: claim !== null,
    batchIndex: detail.batchIndex ?? null,
    originalTimestamp: detail.originalTimestamp ?? null,
    anonymousId: detail.anonymousId ?? null,
    reasons: reasonsFrom(detail.reasons),
    rule: detail.rule ?? null,
    data,
    changes,
    parts: [],
    call: null,
    refused: detail.refused === undefined ? [] : detail.refused.map((item) => refusedValue(item, null)),
    keptAs: detail.keptAs === undefined ? [] : detail.keptAs.map(keptValue),
    effects: detail.effects ?? [],
    ...provenanceIn(detail, row),
    ...(detail.plan !== undefined && { plan: detail.plan }),
    overwritten:
      detail.before === undefined || subject === null
        ? []
        : [{ subject: subjectKey(subject), before: beforeOf(detail.before, { changes, data, receivedAt }) }],
  }
}

/** The column `described` has the description of the client, in queries of readers that show it. */
const provenanceIn = ({ provenance }: Detail, { described }: Row): Pick<ActivityEntry, "provenance"> => {
  if (typeof described === "string") return { provenance: wholeProvenance(provenance, described) }
  return provenance === undefined ? {} : { provenance }
}

/** Returns the log position in a row of `activity` or `entry_parts`. */
export const sequenceIn = (row: Row): Sequence => sequenceOf(integer(row["sequence"]))

/** Returns the number of the sender in a row of `activity`. */
export const senderIn = (row: Row): SenderId | null => {
  const sender = integerOrNull(row["sender"] ?? null)
  return sender === null ? null : senderId(sender)
}

const flatChanges = (changes: ReadonlyArray<FieldChange>, data: Json): ReadonlyArray<Json> => {
  const items: Array<Json> = []
  const given = isJsonObject(data) ? data : {}
  const nameOf = nameFinder(Object.keys(given))
  for (const change of changes) {
    const { from, path, to } = change
    const name = path.startsWith(attributePath) ? nameOf(change) : undefined
    if (name !== undefined && Object.hasOwn(given, name) && given[name] === to) items.push(0, name, from)
    else items.push(path, from, to)
  }
  return items
}

/**
 * Returns a function that finds the name of a changed attribute. Nearly all attributes change in the order of the `keys`
 * of the data, and to find one of these is faster than to cut the name from the path.
 */
const nameFinder = (keys: ReadonlyArray<string>): ((change: FieldChange) => string) => {
  let next = 0
  return (change) => {
    while (next < keys.length && !isChangeOf(keys[next] ?? "", change)) next++
    return keys[next++] ?? change.path.slice(attributePath.length)
  }
}

/**
 * Decodes a list with three items for each change. `data` is the data of the same entry, and contains the new values
 * that the list leaves out.
 */
export const changesOf = (items: ReadonlyArray<Json>, data: Json): ReadonlyArray<FieldChange> => {
  const changes: Array<FieldChange> = []
  const given = isJsonObject(data) ? data : {}
  for (let i = 0; i + 2 < items.length; i += 3) {
    const [path, second = null, third = null] = items.slice(i, i + 3)
    if (path === 0 && typeof second === "string") {
      changes.push({ path: attributePath + second, from: third, to: given[second] ?? null })
    } else if (typeof path === "string") changes.push({ path, from: second, to: third })
    else throw new TypeError("the changes in a row of activity must be triples that begin with a path or 0")
  }
  return changes
}
