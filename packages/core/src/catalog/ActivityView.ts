import { isJsonObject, type Json, type JsonObject } from "../values/Json.ts"
import { withIgnoredIds } from "../log/ignoredIds.ts"
import { hasLostDevice } from "../log/evidence.ts"
import { noReasons } from "../log/Reason.ts"
import { overwrittenOfOthers, type PersonBefore } from "../log/Overwritten.ts"
import { svcIdText, type SubjectKey, type WorkspaceId } from "../values/Identifier.ts"
import type { FieldChange, Outcome } from "../log/Outcome.ts"
import type { Sender } from "../log/Sender.ts"
import type { Person } from "../state/Person.ts"
import type { Segment } from "../state/Segment.ts"
import type { Subject } from "../state/Subject.ts"
import { hourMs, minuteMs, type EpochMillis } from "../values/Timestamp.ts"
import {
  effectsOnOthers,
  isEventKind,
  isGoneOnceErased,
  isPermanent,
  keepsDeduplicationKey,
  type ActivityEntry,
  type EntryPart,
} from "../log/ActivityEntry.ts"

/**
 * A log entry, its subject and the subject's owner. The subject is the person, object or other thing that the entry is
 * about. The owner is the recipient of a delivery, or the person that an identified visitor or merged person belongs
 * to. Other subjects have no owner.
 */
export interface ActivityRecord {
  readonly entry: ActivityEntry
  readonly subject: Subject | null
  readonly owner: Person | null
  /** Who sent the operation, where this is known. */
  readonly sender: Sender | null
  /**
   * Whether the entry is erased, because the person, object or other subject that the entry is about was deleted later
   * (`isErased` in `erasure.ts`).
   */
  readonly isErased: boolean
}

/** A log entry as operators see it. */
export interface ActivityView extends ActivityEntry {
  readonly person: Person | null
  readonly knownAs: {
    readonly id: string | null
    readonly email: string | null
    readonly anonymousId: string | null
    readonly objectTypeId: string | null
    readonly objectId: string | null
  }
  /** The segment that the entry is about. */
  readonly segment: Pick<Segment, "key" | "name"> | null
  readonly triggerEligible: boolean
  readonly messageOverrides: JsonObject | null
}

/**
 * An event can trigger messages only if it happened at most this long before it was assigned to a person (contract §7).
 */
const triggerWindowMs = 72 * hourMs

/**
 * An event triggers no messages if its time is more than this many milliseconds after the time of its processing.
 * Smaller differences are allowed because clients' clocks may be ahead.
 */
const clockAheadMaxMs = 5 * minuteMs

/** Keys in an event's data. Their values replace addresses of the messages that the event triggers (track-api §2.5). */
const overrideKeys = ["recipient", "from_address", "reply_to"]

/**
 * Returns whether a log entry is an erased event, which no reader sees, unless it tells that others entered or left segments.
 * Other erased entries are shown without personal data.
 */
export const isHidden = ({ entry, isErased }: ActivityRecord): boolean => isErased && isGoneOnceErased(entry)

/**
 * Returns a log entry as operators see it, without erased data. If the person was merged since, the entry names the
 * person they were merged into.
 */
export const toActivityView = (record: ActivityRecord): ActivityView => {
  const { entry, owner, subject } = record
  if (record.isErased) return withoutPersonalData(entry)
  const association = associationOf(entry, subject, owner)
  const person = association?.person ?? null
  const visitor = subject?._tag === "Visitor" ? subject.knownAs : undefined
  const object = subject?._tag === "DataObject" ? subject : undefined
  const processedAt = entry.processedAt ?? association?.at ?? null
  const outcome = entry.outcome === "pending" && processedAt !== null ? settled(entry) : entry.outcome
  return {
    ...entry,
    data: dataWithCall(entry),
    changes: changesWithParts(entry),
    processedAt,
    outcome,
    rule:
      entry.outcome !== outcome && outcome === "partial"
        ? (entry.refused[0]?.rule ?? entry.rule)
        : entry.rule,
    person,
    knownAs: {
      id: person?.id ?? (visitor?.kind === "id" ? visitor.value : null),
      email: person?.email ?? (visitor?.kind === "email" ? visitor.value : null),
      anonymousId: entry.anonymousId ?? (visitor?.kind === "anonymous_id" ? visitor.value : null),
      objectTypeId: object?.typeId ?? null,
      objectId: object?.objectId ?? null,
    },
    segment: subject?._tag === "Segment" ? subject : null,
    triggerEligible: association?.triggers !== false && isTriggerEligible(entry, processedAt),
    messageOverrides: isEventKind(entry.kind) ? overridesOf(entry.data) : null,
  }
}

/** Returns the data of an entry, with what is kept of its call: the item of a rejected one, ignored ids of another. */
const dataWithCall = (entry: ActivityEntry): Json => {
  if (entry.call === null) return dataWithParts(entry)
  return entry.outcome === "rejected" ? entry.call.data : withIgnoredIds(dataWithParts(entry), entry)
}

/** Returns a log entry without personal data. */
export const withoutPersonalData = ({ plan: _1, provenance: _2, ...entry }: ActivityEntry): ActivityView => ({
  ...entry,
  name: isEventKind(entry.kind) ? null : entry.name,
  id: keepsDeduplicationKey(entry) ? entry.id : null,
  claimsId: keepsDeduplicationKey(entry),
  reasons: noReasons,
  anonymousId: null,
  data: null,
  changes: [],
  parts: [],
  refused: [],
  keptAs: [],
  effects: effectsOnOthers(entry),
  overwritten: overwrittenOfOthers(entry),
  call: null,
  person: null,
  knownAs: { id: null, email: null, anonymousId: null, objectTypeId: null, objectId: null },
  segment: null,
  triggerEligible: false,
  messageOverrides: null,
})

/**
 * Returns whether an entry about somebody or something else also records an effect on the person, or on a visitor or
 * merged person that belongs to them.
 */
export const hasPartOf = (entry: ActivityEntry, { attached, key }: Person): boolean => {
  const isTheirs = ({ subject }: { readonly subject: SubjectKey }) =>
    subject === key ||
    attached.some((attachment) => attachment.key === subject && entry.receivedAt >= attachment.since)
  const isOverwritten = entry.overwritten.some((one) => one.within === undefined && isTheirs(one))
  return isOverwritten || entry.parts.some(isTheirs)
}

/**
 * Returns whether an entry about somebody or something else is shown with a person, too, because it tells of an effect on
 * them. An event is shown with the person whose it is: that it was theirs while they were one with somebody, and what rules
 * made of it then, does not show it to the other.
 */
export const isShownWith = (entry: ActivityEntry, person: Person): boolean => {
  if (!tellsWhatItDid(entry) || !hasPartOf(entry, person)) return false
  if (!isEventKind(entry.kind)) return true
  const overwritten = entry.overwritten.filter(({ before }) => before === null || changesDocument(before))
  return hasPartOf({ ...entry, overwritten }, person)
}

const changesDocument = (before: PersonBefore): boolean =>
  Object.keys(before).some((name) => name !== "attached")

/** Returns whether an entry tells what it did. Steps of builds, and erased entries that concern others, have only effects. */
const tellsWhatItDid = ({ data, effects }: ActivityEntry): boolean => data !== null || effects.length > 0

const dataWithParts = ({ data, parts }: ActivityEntry): Json =>
  parts.length > 0 && isJsonObject(data) ? { ...data, relationships: parts.map((part) => part.data) } : data

/**
 * Returns the field changes of an entry and of its parts. In a part, each path starts with `people.` and the `svc_id`
 * or anonymous id, so that the changes of different people can be told apart.
 */
const changesWithParts = (entry: ActivityEntry): ReadonlyArray<FieldChange> => {
  const { changes, overwritten, parts, workspace } = entry
  if (parts.length === 0 && overwritten.length === 0) return changes
  return [...changes, ...parts.flatMap((part) => changesOfPart(workspace, part)), ...lostDevices(entry)]
}

/** Returns the changes of people who lost a device because somebody else received it. A merged person loses nothing. */
const lostDevices = (entry: ActivityEntry): ReadonlyArray<FieldChange> =>
  entry.overwritten.flatMap((one) => {
    if (!hasLostDevice(entry, one)) return []
    const path = `people.${svcIdText(entry.workspace, one.subject)}.devices.`
    return [...(one.before?.devices ?? [])].flatMap(([token, device]) =>
      device?.platform === undefined ? [] : [{ path: path + token, from: device.platform, to: null }],
    )
  })

const changesOfPart = (
  workspace: WorkspaceId,
  { anonymousId, changes, subject }: EntryPart,
): ReadonlyArray<FieldChange> => {
  const path = `people.${anonymousId ?? svcIdText(workspace, subject)}.`
  return changes.map((change) => ({ ...change, path: path + change.path }))
}

const associationOf = (
  entry: ActivityEntry,
  subject: Subject | null,
  owner: Person | null,
): { readonly person: Person; readonly at: EpochMillis; readonly triggers: boolean } | undefined => {
  switch (subject?._tag) {
    case "Person":
      return { person: subject, at: Math.max(subject.createdAt, entry.receivedAt), triggers: true }
    case "Attached":
      return owner !== null && entry.receivedAt >= subject.since
        ? { person: owner, at: Math.max(subject.at, entry.receivedAt), triggers: !subject.merged }
        : undefined
    case "Visitor":
    case "Erased":
    case "DataObject":
    case "Delivery":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
    case undefined:
      return undefined
  }
}

/**
 * Returns the outcome of a pending operation once its person is known. The outcome is partial if the entry has
 * reasons, which say what was left out of the request.
 */
const settled = ({ reasons }: ActivityEntry): Outcome => (reasons.length === 0 ? "applied" : "partial")

const isTriggerEligible = (entry: ActivityEntry, processedAt: EpochMillis | null): boolean => {
  if (processedAt === null || !isPermanent(entry.kind, entry.outcome)) return false
  const age = processedAt - entry.at
  return age <= triggerWindowMs && age >= -clockAheadMaxMs
}

const overridesOf = (data: Json): JsonObject | null => {
  if (!isJsonObject(data)) return null
  const found = overrideKeys.flatMap((key) =>
    Object.hasOwn(data, key) ? [[key, data[key] ?? null] as const] : [],
  )
  return found.length === 0 ? null : Object.fromEntries(found)
}
