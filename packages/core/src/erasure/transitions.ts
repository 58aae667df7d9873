import type { Change } from "../fold/Change.ts"
import { addressesOf, addressOf } from "../decision/erasure.ts"
import { identifiersOf } from "../decision/updateWorkingSet.ts"
import { accepted, type Verdict } from "../decision/Verdict.ts"
import type { Envelope } from "../fold/Envelope.ts"
import { isMergedPerson } from "../state/Person.ts"
import type { Holder } from "../state/Subject.ts"
import { identifierText, type Identifier, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { RepeatErasure } from "./commands.ts"
import { subjectDigest, type ErasedCounts, type ErasureRecord } from "../ledger/ErasureRecord.ts"

/** Returns the change that writes the deletion or suppression of a person or visitor into the ledger. */
export const recordErasure = (
  state: WorkingSet,
  command: Envelope,
  action: "delete" | "suppress",
  holder: Holder,
): Change => {
  const attached = holder._tag === "Person" ? holder.attached : []
  return record(state, command, action, [holder.key, ...attached.map(({ key }) => key)], {
    freed: [
      ...(holder._tag === "Person" ? holder.former : []),
      ...attached.flatMap(({ former = [], freed }) => [
        ...former,
        ...(freed?.identifiers ?? []).map((identifier) => ({ at: freed?.at ?? 0, identifier })),
      ]),
    ],
    identifiers: identifiersOf(holder),
    addresses: addressesOf(state.digest, holder),
    nextKey: state.nextKey,
    counts: countsOf(holder),
  })
}

const countsOf = (holder: Holder): ErasedCounts => {
  const isPerson = holder._tag === "Person"
  const merged = isPerson ? holder.attached.filter(isMergedPerson).length : 0
  const others = isPerson ? holder.attached.filter((one) => one.via !== undefined).length : 0
  return {
    identifiers: identifiersOf(holder).length,
    attributes: [...holder.attributes.values()].filter(({ value }) => value !== null).length,
    devices: holder.devices.size,
    relationships: holder.relationships.size,
    segments: isPerson ? holder.segments.length : 0,
    merged,
    visitors: isPerson ? holder.attached.length - merged - others : 1,
  }
}

/** Returns the change that writes the suppression of an identifier that nobody has into the ledger. `group` is its new key. */
export const recordSuppression = (
  state: WorkingSet,
  command: Envelope,
  group: SubjectKey,
  identifier: Identifier,
  nextKey: SubjectKey,
): Change =>
  record(state, command, "suppress", [group], {
    identifiers: [identifier],
    addresses: identifier.kind === "email" ? [addressOf(state.digest, identifier.value) ?? []].flat() : [],
    nextKey,
  })

/** Returns the change that writes the release of a suppression group into the ledger. */
export const recordRelease = (
  state: WorkingSet,
  command: Envelope,
  group: SubjectKey,
  named: ReadonlyArray<Identifier>,
): Change =>
  record(state, command, "unsuppress", [group], {
    identifiers: [],
    named,
    addresses: [],
    nextKey: state.nextKey,
  })

interface Erased {
  readonly identifiers: ReadonlyArray<Identifier>
  /** Missing if they are `identifiers`. */
  readonly named?: ReadonlyArray<Identifier>
  readonly addresses: ReadonlyArray<string>
  readonly nextKey: SubjectKey
  readonly counts?: ErasedCounts
  readonly freed?: NonNullable<ErasureRecord["freed"]>
}

const record = (
  { digest, nextSequence, workspace }: WorkingSet,
  { receivedAt }: Envelope,
  action: ErasureRecord["action"],
  [first, ...others]: readonly [SubjectKey, ...ReadonlyArray<SubjectKey>],
  { addresses, counts, freed = [], identifiers, named = identifiers, nextKey }: Erased,
): Change => ({
  _tag: "ErasureRecorded",
  subjects: [first, ...others],
  named,
  record: {
    workspace,
    position: nextSequence,
    at: receivedAt,
    action,
    subjects: [subjectDigest(digest, first), ...others.map((key) => subjectDigest(digest, key))],
    identifiers: identifiers.map(({ kind, value }) => digest(identifierText(kind, value))),
    addresses,
    nextKey,
    ...(freed.length > 0 && { freed }),
    ...(counts !== undefined && { counts }),
  },
})

/** Erases again what a record of the ledger names, as far as it is there, and suppresses or releases it again. */
export const repeatErasure = (state: WorkingSet, command: RepeatErasure): Verdict => {
  const { record: repeated, subjects } = command
  const before = state.nextSequence
  const erased = subjects.flatMap((key): ReadonlyArray<Change> => {
    const subject = state.subjects.get(key)
    return subject?._tag === "Person" || subject?._tag === "Visitor" || subject?._tag === "Attached"
      ? [{ _tag: "SubjectDeleted", key, before }]
      : []
  })
  return accepted("applied", command.faults, {
    rule: "contract §16 erasure ledger",
    subject: null,
    changes: [
      ...(repeated.action === "unsuppress" ? [] : erased),
      { _tag: "ErasureRepeated", record: repeated, subjects, before },
    ],
  })
}
