import type { Change, ChangeOf } from "../fold/Change.ts"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { Overwritten, PersonBefore } from "../log/Overwritten.ts"
import { chosenByHand } from "../rule/definitions.ts"
import type { Attributes } from "../state/Attributes.ts"
import { noOrigins, type Person } from "../state/Person.ts"
import { deviceText, type SubjectKey } from "../values/Identifier.ts"
import { isJsonObject } from "../values/Json.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { anonymousIdPath, originsAfter, originsGained, withFrom } from "./origins.ts"
import { OverwrittenObjects } from "./OverwrittenObjects.ts"
import { allOf, overwrittenIn, type Keys, type Touches } from "./overwrittenIn.ts"

/** What the changes of a command touched of a person. */
interface Touched extends Touches {
  /** The person before the command, or null if there was none. */
  readonly person: Person | null
  attributes?: Keys
  devices?: Set<string>
  relationships?: Map<SubjectKey, Attributes | undefined>
  segments?: Set<SubjectKey>
}

/**
 * Collects what the changes of a command overwrite in the documents of people, so that the entry of the command can say
 * it. Costs nothing for a command that changes no person, such as most events.
 */
export class OverwrittenDraft {
  private readonly state: WorkingSet
  private readonly people = new Map<SubjectKey, Touched>()
  private readonly noted: Array<Change> = []
  private readonly objects: OverwrittenObjects

  constructor(state: WorkingSet) {
    this.state = state
    this.objects = new OverwrittenObjects(state)
  }

  /** Notes a change that is about to be applied. */
  note(change: Change): void {
    this.objects.note(change)
    switch (change._tag) {
      case "PersonCreated":
      case "IdentifierAssigned":
      case "EmailRemoved":
      case "IdentifierConfirmed":
        this.touch(change.key)
        return
      case "AttributesAssigned":
        this.touchAttributes(change)
        return
      case "VisitorAttached":
      case "MovedNameUsed":
        this.touch(change.owner)
        return
      case "PersonAbsorbed":
      case "PeopleSeparated":
        this.touchBoth(change)
        return
      case "DeviceAdded": {
        const loser = this.state.identifiers.get(deviceText(change.token))
        if (loser !== undefined) this.touchDevice(loser, change.token)
        this.touchDevice(change.key, change.token)
        return
      }
      case "DeviceRemoved":
        this.touchDevice(change.key, change.token)
        return
      case "RelationshipAssigned":
      case "RelationshipRemoved":
        this.touchRelationship(change.key, change.object)
        return
      case "SegmentJoined":
      case "SegmentLeft":
        this.touchSegment(change)
        return
      case "OriginsNoted":
      case "SegmentEntered":
      case "SegmentExited":
      case "LeafStatesSet":
      case "LeafStatesRemoved":
      case "SubjectDeleted":
      case "VisitorSeen":
      case "ObjectCreated":
      case "SegmentCreated":
      case "SegmentUpdated":
      case "RuleProposed":
      case "BuildStarted":
      case "HistoryRead":
      case "PeopleWalked":
      case "PeopleFound":
      case "BuildFinished":
      case "FormMapped":
      case "DeliverySeen":
      case "DeliveryRegistered":
      case "MetricReported":
      case "IdentifiersSuppressed":
      case "IdentifiersErased":
      case "ErasureRecorded":
      case "ErasureRepeated":
      case "SuppressionLifted":
      case "OperationRecorded":
        return
    }
    change satisfies never
  }

  /** Adds to the entry of a command what its changes overwrote, and begins anew. All changes must be applied. */
  record(entry: ActivityEntry): ActivityEntry {
    if (this.people.size === 0 && this.objects.isEmpty && entry.effects.length === 0) return entry
    const own: Array<Overwritten> = []
    const ofOthers: Array<Overwritten> = []
    const ofObject: Array<Overwritten> = []
    const marks: Array<Overwritten> = []
    const merged = this.mergedIn(entry)
    for (const [subject, touched] of this.people) {
      const { person } = touched
      const after = this.state.subjects.get(subject)
      const before =
        after?._tag === "Person"
          ? person && overwrittenIn(person, after, touched)
          : after?._tag === "Attached" && person !== null
            ? allOf(person, chosenByHand(this.state.rules, person.segments))
            : undefined
      if (before === undefined) continue
      const origins = person?.origins ?? noOrigins
      const marked = (part: PersonBefore | null): Overwritten => {
        if (part === null) return { subject, before: part }
        const before = withFrom(part, origins)
        if (before.from !== undefined) {
          for (const key of new Set(before.from.values())) {
            marks.push({ subject: key, before: {}, within: subject })
          }
        }
        return { subject, before }
      }
      if (subject === entry.subject) own.push(marked(before && withNames(before, entry, person)))
      else {
        const [apart, rest] = splitAt(before, entry.subject)
        ofOthers.push(marked(rest))
        if (apart !== undefined) ofObject.push(marked(apart))
      }
      if (after?._tag === "Person" && before !== null) {
        this.noteOrigins(after, before, subject === entry.subject ? merged : null)
      }
    }
    // An entry is found by the people in `overwritten`, so it also names those who only entered or left segments.
    if (entry.effects.length > 0) {
      for (const subject of new Set(entry.effects.map((effect) => effect.subject))) {
        if (subject !== entry.subject && !this.people.has(subject)) ofOthers.push({ subject, before: {} })
      }
    }
    this.people.clear()
    for (const one of this.objects.take(entry.subject))
      (one.subject === entry.subject ? own : ofObject).push(one)
    const overwritten =
      ofOthers.length + ofObject.length + marks.length === 0
        ? own
        : [...own, ...ofOthers, ...ofObject, ...marks]
    return overwritten.length === 0 ? entry : { ...entry, overwritten }
  }

  /** Returns the changes that note where what people have comes from, and forgets them. */
  takeNoted(): ReadonlyArray<Change> {
    return this.noted.length === 0 ? noneNoted : this.noted.splice(0)
  }

  /** Returns the person whom an entry merges into its subject, as they were, or null. */
  private mergedIn({ kind, subject }: ActivityEntry): Person | null {
    if (kind !== "merge") return null
    for (const [key, { person }] of this.people) {
      if (key !== subject && person !== null && this.state.subjects.get(key)?._tag === "Attached")
        return person
    }
    return null
  }

  private noteOrigins(after: Person, before: PersonBefore, merged: Person | null): void {
    const left = originsAfter(after, before)
    const origins = merged === null ? left : new Map([...left, ...originsGained(before, after, merged)])
    if (origins !== after.origins && (origins.size > 0 || after.origins.size > 0)) {
      this.noted.push({ _tag: "OriginsNoted", key: after.key, origins })
    }
  }

  private touch(key: SubjectKey): Touched | undefined {
    const known = this.people.get(key)
    if (known !== undefined) return known
    const subject = this.state.subjects.get(key)
    if (subject !== undefined && subject._tag !== "Person" && subject._tag !== "Visitor") return undefined
    const touched: Touched = { person: subject?._tag === "Person" ? subject : null }
    this.people.set(key, touched)
    return touched
  }

  private touchAttributes({ entries, key }: ChangeOf<"AttributesAssigned">): void {
    const touched = this.touch(key)
    if (touched !== undefined) touched.attributes = allKeys(touched.attributes, entries)
  }

  private touchSegment({ key, segment }: ChangeOf<"SegmentJoined" | "SegmentLeft">): void {
    const touched = this.touch(key)
    if (touched !== undefined) (touched.segments ??= new Set()).add(segment)
  }

  private touchBoth(change: ChangeOf<"PersonAbsorbed" | "PeopleSeparated">): void {
    if (change._tag === "PersonAbsorbed") {
      this.touch(change.owner)
      this.touch(change.key)
    } else {
      this.touchAll(change.primary)
      this.people.set(change.secondary.key, { person: null })
    }
  }

  /** Notes everything that a person has or gets. */
  private touchAll(after: Person): void {
    const touched = this.touch(after.key)
    const person = touched?.person
    if (touched === undefined || person == null) return
    touched.attributes = allKeys(person.attributes, after.attributes)
    touched.devices = new Set([...person.devices.keys(), ...after.devices.keys()])
    touched.segments = new Set(chosenByHand(this.state.rules, [...person.segments, ...after.segments]))
    for (const object of [...person.relationships.keys(), ...after.relationships.keys()]) {
      this.touchRelationship(after.key, object)
    }
  }

  /** Notes the attributes of a relationship at once, because a batch changes the map of relationships in place. */
  private touchRelationship(key: SubjectKey, object: SubjectKey): void {
    const touched = this.touch(key)
    if (touched === undefined || touched.person === null) return
    touched.relationships ??= new Map()
    if (touched.relationships.has(object)) return
    touched.relationships.set(object, touched.person.relationships.get(object))
  }

  private touchDevice(key: SubjectKey, token: string): void {
    const touched = this.touch(key)
    if (touched !== undefined) (touched.devices ??= new Set()).add(token)
  }
}

const noneNoted: ReadonlyArray<Change> = []

/**
 * Adds the identifiers in the data of an entry that the person has from a merge. The operation did not change them, but they are
 * erased with whom they came from.
 */
const withNames = (
  before: PersonBefore,
  { anonymousId, data }: ActivityEntry,
  person: Person | null,
): PersonBefore => {
  if (person === null || person.origins.size === 0) return before
  const given = isJsonObject(data) ? data : {}
  const has = (path: "id" | "email") =>
    before[path] === undefined && person.origins.has(path) && typeof given[path] === "string"
  const ids = [anonymousId, given["anonymous_id"]].flatMap((value) =>
    typeof value === "string" && person.origins.has(anonymousIdPath(value)) ? [value] : [],
  )
  return {
    ...before,
    ...(has("id") && { id: person.id }),
    ...(has("email") && { email: person.email }),
    ...(ids.length > 0 && {
      anonymousIds: {
        added: [...(before.anonymousIds?.added ?? []), ...new Set(ids)],
        removed: [...(before.anonymousIds?.removed ?? []), ...new Set(ids)],
      },
    }),
  }
}

/** Returns the keys of both. Copies nothing for the first, because most commands assign attributes once. */
const allKeys = (before: Keys | undefined, added: Keys): Keys =>
  before === undefined ? added : new Set([...before.keys(), ...added.keys()])

/** Splits off the relationship to the object that an entry is about, because deleting the object erases it. */
const splitAt = (
  before: PersonBefore | null,
  object: SubjectKey | null,
): readonly [apart: PersonBefore | undefined, rest: PersonBefore | null] => {
  const relationship = object === null ? undefined : before?.relationships?.get(object)
  if (before === null || object === null || relationship === undefined) return [undefined, before]
  const { relationships: all, ...rest } = before
  const relationships = new Map(all)
  relationships.delete(object)
  return [
    { relationships: new Map([[object, relationship]]) },
    relationships.size === 0 ? rest : { ...rest, relationships },
  ]
}
