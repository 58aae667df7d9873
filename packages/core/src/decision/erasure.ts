import { isMergeKind, type ActivityEntry } from "../log/ActivityEntry.ts"
import { noReasons } from "../log/Reason.ts"
import { recipientsOf, type Delivery } from "../state/Delivery.ts"
import { identifierText, type Sequence, type SubjectKey } from "../values/Identifier.ts"
import { isJsonObject, type Json } from "../values/Json.ts"
import type { FieldChange } from "../log/Outcome.ts"
import type { Overwritten } from "../log/Overwritten.ts"
import type { Subject } from "../state/Subject.ts"
import { withoutFrom } from "./origins.ts"
import type { Claim, WorkingSet } from "../fold/WorkingSet.ts"

/*
 * The functions in this file decide which data the deletion of a person erases. Readers stop seeing this data at the
 * moment of the deletion (contract §6, §16). Housekeeping removes the same data from the store later, so readers cannot
 * tell when housekeeping runs.
 */

/** The state that erasure depends on. */
type ErasureState = Pick<WorkingSet, "subjects" | "erasedAddresses">

/**
 * Returns whether a log entry is erased: its subject was deleted after it was recorded. One about a delivery is also erased
 * if a recipient of the delivery, or the person with the address in the entry, was deleted since.
 */
export const isErased = (
  state: ErasureState,
  { address, sequence, subject }: Omit<Claim, "content">,
): boolean => {
  const about = subject === null ? undefined : state.subjects.get(subject)
  switch (about?._tag) {
    case "Erased":
      return about.keepsLog !== true && sequence < about.before
    case "Delivery":
      return (
        recipientsOf(about).some((key) => {
          const person = state.subjects.get(key)
          return person?._tag === "Erased" && sequence < person.before
        }) || isAddressErased(state, address, sequence)
      )
    case "Person":
    case "Visitor":
    case "Attached":
    case "DataObject":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
    case undefined:
      return false
  }
}

/**
 * Returns a log entry without the parts about, the refused values of, and what it overwrote of people and visitors who
 * were deleted after the entry was recorded. Only entries about objects have parts.
 */
export const withoutErasedParts = (state: ErasureState, entry: ActivityEntry): ActivityEntry =>
  withoutPartsOf(entry, (subject) => isErased(state, { sequence: entry.sequence, subject, address: null }))

/** Returns a log entry without what is about the people and visitors for whom `isGone` returns true. */
export const withoutPartsOf = (
  given: ActivityEntry,
  isGone: (subject: SubjectKey) => boolean,
): ActivityEntry => {
  if (isMergeOfOther(given, isGone)) return withoutMerge(given, isGone)
  const entry = withoutOrigins(given, isGone)
  const parts = entry.parts.filter(({ subject }) => !isGone(subject))
  const refused = entry.refused.filter(({ other }) => other === null || !isGone(other))
  const overwritten = entry.overwritten.filter(({ subject }) => !isGone(subject))
  return parts.length === entry.parts.length &&
    refused.length === entry.refused.length &&
    overwritten.length === entry.overwritten.length
    ? entry
    : { ...entry, parts, refused, overwritten }
}

/**
 * Returns whether an entry records a merge, or its end, with a person who is gone, or one that failed because of that
 * person. Another person has the entry, but its values are those of both.
 */
const isMergeOfOther = (
  { kind, overwritten, refused, subject: own }: ActivityEntry,
  isGone: (subject: SubjectKey) => boolean,
): boolean =>
  isMergeKind(kind) &&
  (overwritten.some(({ subject, within }) => within === undefined && subject !== own && isGone(subject)) ||
    refused.some(({ other }) => other !== null && isGone(other)))

const withoutMerge = (
  { plan: _1, provenance: _2, ...entry }: ActivityEntry,
  isGone: (subject: SubjectKey) => boolean,
): ActivityEntry => ({
  ...entry,
  reasons: noReasons,
  anonymousId: null,
  data: null,
  changes: [],
  parts: [],
  refused: [],
  keptAs: [],
  overwritten: entry.overwritten.filter(({ subject }) => subject !== entry.subject && !isGone(subject)),
})

/**
 * Returns an entry without what came from merged people who are gone: what it overwrote of it, and what else it says of that. The
 * rest is that of the person who had it last.
 */
export const withoutOrigins = (
  entry: ActivityEntry,
  isGone: (subject: SubjectKey) => boolean,
): ActivityEntry => {
  const { anonymousId, changes, data, kind, subject } = entry
  if (!entry.overwritten.some((one) => one.within !== undefined && isGone(one.subject))) return entry
  const paths = new Set<string>()
  const names = new Set<string>()
  const overwritten = entry.overwritten.flatMap((one): ReadonlyArray<Overwritten> => {
    if (one.within !== undefined && isGone(one.subject)) return []
    if (one.before?.from === undefined) return [one]
    const [before, erased] = withoutFrom(one.before, isGone)
    // A merge shows what the primary got of what the secondary had from others.
    if (one.subject === subject || kind === "merge") {
      for (const path of erased.paths) paths.add(path)
      for (const name of erased.names) names.add(name)
    }
    return [{ ...one, before }]
  })
  const isOf = (value: Json | undefined) => typeof value === "string" && names.has(value)
  return {
    ...entry,
    overwritten,
    anonymousId: isOf(anonymousId ?? undefined) ? null : anonymousId,
    changes: changes.flatMap((change) => changeWithout(change, kind === "merge", paths, names)),
    data: isJsonObject(data)
      ? Object.fromEntries(
          Object.entries(data).filter(([key, value]) => !(identifyingKeys.has(key) && isOf(value))),
        )
      : data,
  }
}

/** The keys of an entry's data under which calls name people and devices. */
const identifyingKeys = new Set(["id", "email", "anonymous_id", "token"])

const changeWithout = (
  change: FieldChange,
  isMerge: boolean,
  paths: ReadonlySet<string>,
  names: ReadonlySet<string>,
): ReadonlyArray<FieldChange> => {
  const { from, path, to } = change
  if (path === "anonymous_ids") {
    const without = (value: Json) =>
      Array.isArray(value) ? value.filter((one) => typeof one !== "string" || !names.has(one)) : value
    return [{ path, from: without(from), to: without(to) }]
  }
  const isErased = [...paths].some((one) => isAt(path, one))
  if (!isErased) return [change]
  return isMerge || to === null ? [] : [{ path, from: null, to }]
}

/** Returns whether a change is at an erased path. Changes name reserved attributes alone, and objects by type and id. */
const isAt = (path: string, erased: string): boolean =>
  path === erased ||
  `attributes.${path}` === erased ||
  path.startsWith(`${erased}.`) ||
  (erased.startsWith("relationships.") && path.startsWith("relationships."))

/** Returns whether a deduplication key is in use. The key becomes free when the entry that uses it is erased (contract §16). */
export const isClaimed = (state: ErasureState & Pick<WorkingSet, "claimed">, text: string): boolean => {
  const claim = state.claimed.get(text)
  return claim !== undefined && !isErased(state, claim)
}

/**
 * Returns the delivery. If the delivery was registered without a person, and a person with its address was deleted
 * later, the address and the email's subject line in the result are null.
 */
export const withoutErasedAddress = (
  state: Pick<WorkingSet, "erasedAddresses" | "digest">,
  delivery: Delivery,
): Delivery =>
  delivery.registered !== null &&
  isAddressErased(state, addressOfDelivery(state.digest, delivery), delivery.registered)
    ? { ...delivery, recipient: null, subject: null }
    : delivery

const isAddressErased = (
  { erasedAddresses }: Pick<WorkingSet, "erasedAddresses">,
  address: string | null,
  sequence: Sequence,
): boolean => address !== null && sequence < (erasedAddresses.get(address) ?? 0)

/** Returns the digest of the recipient's address in a delivery report, or null for any other entry. */
export const addressOfEntry = (
  digest: WorkingSet["digest"],
  entry: Pick<ActivityEntry, "kind" | "data">,
  subject: Subject | null | undefined,
): string | null => {
  if (entry.kind !== "delivery_metric" || subject?._tag !== "Delivery" || !isJsonObject(entry.data))
    return null
  const properties = entry.data["properties"] ?? null
  const recipient = isJsonObject(properties) ? properties["recipient"] : undefined
  return typeof recipient === "string" ? addressOf(digest, recipient) : null
}

/**
 * Returns the digest of the address of a delivery that was registered without a person. Returns null for any other
 * delivery, and if the delivery has no email address.
 */
export const addressOfDelivery = (
  digest: WorkingSet["digest"],
  { person, recipient }: Delivery,
): string | null => (person === null && recipient !== null ? addressOf(digest, recipient) : null)

/** Returns the digest of the email address of a person or a visitor. Returns an empty array if there is no address. */
export const addressesOf = (digest: WorkingSet["digest"], subject: Subject): ReadonlyArray<string> => {
  const email =
    subject._tag === "Person"
      ? subject.email
      : subject._tag === "Visitor" && subject.knownAs.kind === "email"
        ? subject.knownAs.value
        : null
  const address = email === null ? null : addressOf(digest, email)
  return address === null ? [] : [address]
}

/** Matches an email address on its own, or in angle brackets after a name. */
const addressIn = /^(?:.*<)?([^\s<>]+@[^\s<>]+?)>?$/s

/**
 * Returns a digest of an email address, or null if the text is not an address. Letter case and a name before the
 * address do not change the digest. The log and the deliveries are indexed by digest, so that no index contains an
 * address in clear text.
 */
export const addressOf = (digest: WorkingSet["digest"], recipient: string): string | null => {
  const address = addressIn.exec(recipient.trim())?.[1]
  return address === undefined ? null : digest(`address:${identifierText("email", address)}`)
}

/**
 * Returns digests of email addresses, so that a store can find out which of the addresses belong to deleted people. The
 * addresses are those in log entries that use deduplication keys, and in deliveries that were registered without a
 * person.
 */
export const addressesAmong = (
  digest: WorkingSet["digest"],
  claims: Iterable<Claim>,
  subjects: Iterable<Subject>,
): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { address } of claims) if (address !== null) found.add(address)
  for (const subject of subjects) {
    const address = subject._tag === "Delivery" ? addressOfDelivery(digest, subject) : null
    if (address !== null) found.add(address)
  }
  return found
}
