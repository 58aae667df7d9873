import { assert } from "@effect/vitest"
import { isHidden, present, type ActivityEntry, type ActivityRecord } from "../src/Activity.ts"
import type { Attributes } from "../src/Attributes.ts"
import { decideAll, type Decided } from "../src/Batch.ts"
import type { Command } from "../src/Command.ts"
import { deduplicationText, Sequence, SubjectKey } from "../src/Identifier.ts"
import type { Json } from "../src/Json.ts"
import type { Person } from "../src/person/Person.ts"
import type { Subject } from "../src/Subject.ts"
import { evolve } from "../src/Transition.ts"
import { make, needsOf, type Needs, type WorkingSet } from "../src/WorkingSet.ts"

/** Compares what JSON can carry, and shows all of it where it differs. */
export const assertSame = (actual: unknown, expected: unknown, what = ""): void => {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  assert.isTrue(got === wanted, `${what}\n     got ${got}\nexpected ${wanted}`)
}

/** A state before anything happened. */
export const blank = (): WorkingSet => make(SubjectKey.make(1), Sequence.make(1))

/** The state after some commands, all of it in sight. */
export const runWhole = (commands: ReadonlyArray<Command>): WorkingSet => decideAll(blank(), commands).seen

/** What a store gives a batch to see: what it names, and whoever carries that. */
export const restrict = (everything: WorkingSet, needs: Needs): WorkingSet => {
  const identifiers = new Map<string, SubjectKey>()
  const subjects = new Map<SubjectKey, Subject>()
  const see = (key: SubjectKey) => {
    const subject = everything.subjects.get(key)
    if (subject !== undefined) subjects.set(key, subject)
  }
  for (const text of needs.identifiers) {
    const key = everything.identifiers.get(text)
    if (key === undefined) continue
    identifiers.set(text, key)
    see(key)
  }
  for (const key of needs.subjects) see(key)
  const claimed = new Set([...needs.deduplication].filter((text) => everything.claimed.has(text)))
  return make(everything.nextKey, everything.nextSequence, { identifiers, subjects, claimed })
}

/** Saves what a batch wrote as a store with tables does: the written rows, and nothing else. */
export const saveWritten = (everything: WorkingSet, { entries, seen }: Decided): void => {
  everything.nextKey = seen.nextKey
  everything.nextSequence = seen.nextSequence
  for (const text of seen.written.identifiers) {
    const key = seen.identifiers.get(text)
    if (key === undefined) everything.identifiers.delete(text)
    else everything.identifiers.set(text, key)
  }
  for (const key of seen.written.subjects) {
    const subject = seen.subjects.get(key)
    if (subject !== undefined) everything.subjects.set(key, subject)
  }
  for (const entry of entries) {
    everything.written.entries.push(entry)
    if (entry.claimsId && entry.id !== null)
      everything.claimed.add(deduplicationText(entry.workspace, entry.id))
  }
}

/** Saves what a batch changed by making each change again. */
export const saveChanges = (everything: WorkingSet, { changes }: Decided): void => {
  for (const change of changes) evolve(everything, change)
}

/** Runs batches against a store that shows each one only what it names. */
export const runBatches = (
  batches: ReadonlyArray<ReadonlyArray<Command>>,
  save: (everything: WorkingSet, decided: Decided) => void,
): WorkingSet => {
  const everything = blank()
  for (const batch of batches) save(everything, decideAll(restrict(everything, needsOf(batch)), batch))
  return everything
}

const byFirst = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>) => {
  const [one, other] = [String(a[0]), String(b[0])]
  return one < other ? -1 : one > other ? 1 : 0
}

const attributesOf = (attributes: Attributes) =>
  [...attributes].map(([name, { at, value }]) => [name, value, at] as const).toSorted(byFirst)

const subjectOf = (subject: Subject) =>
  subject._tag === "Person" || subject._tag === "Visitor"
    ? { ...subject, attributes: attributesOf(subject.attributes) }
    : subject

/** Who and what there is, in a form that compares. */
export const contents = (seen: WorkingSet) => ({
  identifiers: [...seen.identifiers].toSorted(byFirst),
  subjects: [...seen.subjects].map(([key, subject]) => [key, subjectOf(subject)] as const).toSorted(byFirst),
  claimed: [...seen.claimed].toSorted(),
})

/** All of a working set, in a form that compares. */
export const snapshot = (seen: WorkingSet) => ({
  ...contents(seen),
  nextKey: seen.nextKey,
  nextSequence: seen.nextSequence,
  entries: seen.written.entries,
})

/** All of a working set with its notes of what was written: changes whenever anybody writes into it. */
export const fingerprint = (seen: WorkingSet): string =>
  JSON.stringify([
    snapshot(seen),
    [...seen.written.identifiers].toSorted(),
    [...seen.written.subjects].toSorted((a, b) => a - b),
  ])

/** An entry with whoever it is about. */
export const recordOf = (seen: WorkingSet, entry: ActivityEntry): ActivityRecord => {
  const subject = entry.subject === null ? null : (seen.subjects.get(entry.subject) ?? null)
  const owner = subject?._tag === "Attached" ? seen.subjects.get(subject.owner) : undefined
  return { entry, subject, owner: owner?._tag === "Person" ? owner : null }
}

export interface SeenPerson {
  readonly key: number
  readonly workspace: number
  readonly id: string | null
  readonly email: string | null
  readonly anonymousIds: ReadonlyArray<string>
  readonly attributes: ReadonlyArray<readonly [name: string, value: Json, at: number]>
  readonly createdAt: number
  readonly updatedAt: number
}

export interface SeenEvent {
  readonly step: number
  readonly workspace: number
  readonly name: string | null
  readonly owner: number | null
  readonly processedAt: number | null
  readonly triggers: boolean
}

const seenPerson = (person: Person): SeenPerson => ({
  key: person.key,
  workspace: person.workspace,
  id: person.id,
  email: person.email,
  anonymousIds: person.anonymousIds,
  attributes: attributesOf(person.attributes),
  createdAt: person.createdAt,
  updatedAt: person.updatedAt,
})

/** The people that operators see. */
export const seenPeople = (seen: WorkingSet): ReadonlyArray<SeenPerson> =>
  [...seen.subjects.values()]
    .flatMap((subject) => (subject._tag === "Person" ? [seenPerson(subject)] : []))
    .toSorted((a, b) => a.key - b.key)

const kept = new Set(["applied", "partial", "pending"])

/** The events that operators see, each with the place of its command in the sequence that began with a blank state. */
export const seenEvents = (seen: WorkingSet): ReadonlyArray<SeenEvent> =>
  seen.written.entries.flatMap((entry) => {
    const record = recordOf(seen, entry)
    const isEvent = entry.kind === "event" || entry.kind === "anonymous_event"
    if (!isEvent || !kept.has(entry.outcome) || isHidden(record)) return []
    const view = present(record)
    return [
      {
        step: entry.sequence - 1,
        workspace: entry.workspace,
        name: view.name,
        owner: view.person?.key ?? null,
        processedAt: view.processedAt,
        triggers: view.triggerEligible,
      },
    ]
  })
