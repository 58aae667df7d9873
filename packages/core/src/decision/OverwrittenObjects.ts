import type { Change, ChangeOf } from "../fold/Change.ts"
import type { Overwritten } from "../log/Overwritten.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { relatedPeopleMax } from "../rule/ruleBounds.ts"
import type { Attributes } from "../state/Attributes.ts"
import type { DataObject } from "../state/DataObject.ts"
import type { Subject } from "../state/Subject.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { relationshipBytes } from "./HoldingsBudget.ts"
import { allAttributes, overwrittenInObject } from "./overwrittenIn.ts"

/** The most bytes that the attributes of all relationships to an object may have for the entry of its deletion to keep them. */
const deletedRelationshipsBytesMax = 1024 * 1024

/** What the changes of a command touched of an object. */
interface TouchedObject {
  /** The object before the command, or null if there was none. */
  readonly object: DataObject | null
  readonly names: Set<string>
}

/** Collects what the changes of a command overwrite of objects, and to which objects people are related otherwise. */
export class OverwrittenObjects {
  private readonly state: WorkingSet
  private readonly touched = new Map<SubjectKey, TouchedObject>()
  private readonly related = new Set<SubjectKey>()
  /** The people who were related to objects that the command deletes, with the attributes of each relationship. */
  private readonly left: Array<readonly [person: SubjectKey, object: SubjectKey, attributes: Attributes]> = []
  private readonly crowded = new Set<SubjectKey>()

  constructor(state: WorkingSet) {
    this.state = state
  }

  get isEmpty(): boolean {
    return this.touched.size === 0 && this.related.size === 0
  }

  /** Notes a change that is about to be applied. */
  note(change: Change): void {
    const { _tag } = change
    if (_tag === "ObjectCreated") this.touched.set(change.key, { object: null, names: new Set() })
    else if (_tag === "AttributesAssigned") this.noteAttributes(change)
    else if (_tag === "SubjectDeleted") this.noteDeleted(change.key)
    else if (_tag === "RelationshipAssigned" || _tag === "RelationshipRemoved")
      this.related.add(change.object)
    else if (_tag === "PersonAbsorbed") this.noteRelated(this.state.subjects.get(change.key))
    else if (_tag === "PeopleSeparated") {
      this.noteRelated(this.state.subjects.get(change.primary.key))
      this.noteRelated(change.primary)
      this.noteRelated(change.secondary)
    }
  }

  private noteAttributes({ entries, key }: ChangeOf<"AttributesAssigned">): void {
    const touched = this.touch(key)
    if (touched !== undefined) for (const name of entries.keys()) touched.names.add(name)
  }

  /** Notes the objects to which somebody is related who may get or lose relationships. */
  private noteRelated(subject: Subject | undefined): void {
    if (subject?._tag !== "Person") return
    for (const object of subject.relationships.keys()) this.related.add(object)
  }

  /** Notes an object that is about to be deleted. Does nothing if the key belongs to anything else. */
  private noteDeleted(key: SubjectKey): void {
    if (this.touch(key) === undefined) return
    const found: typeof this.left = []
    let holders = 0
    let bytes = 0
    for (const subject of this.state.subjects.values()) {
      if (subject._tag !== "Person" && subject._tag !== "Visitor") continue
      const attributes = subject.relationships.get(key)
      if (attributes === undefined) continue
      holders++
      if (subject._tag !== "Person") continue
      bytes += relationshipBytes(attributes)
      found.push([subject.key, key, attributes])
    }
    const isTooMuch = holders > relatedPeopleMax || bytes > deletedRelationshipsBytesMax
    if (this.state.crowded.has(key) || isTooMuch) this.crowded.add(key)
    else this.left.push(...found)
  }

  /** Returns what was collected, first what is about the subject of the entry, and begins anew. */
  take(own: SubjectKey | null): ReadonlyArray<Overwritten> {
    const all: Array<Overwritten> = []
    for (const [subject, { names, object }] of this.touched) {
      const after = this.state.subjects.get(subject)
      const isCrowded = this.crowded.has(subject)
      const before =
        object === null
          ? null
          : {
              ...overwrittenInObject(object, after?._tag === "DataObject" ? after : null, names),
              ...(isCrowded && { crowded: true as const }),
            }
      all.push({ subject, before: { object: before } })
    }
    // A store loads people in any order.
    for (const [subject, object, attributes] of this.left.toSorted(([a], [b]) => a - b)) {
      all.push({ subject, before: { relationships: new Map([[object, allAttributes(attributes)]]) } })
    }
    // An entry is found by the objects in `overwritten`, so it also names those to which only relationships changed.
    for (const subject of this.related) {
      if (subject !== own && !this.touched.has(subject)) all.push({ subject, before: {} })
    }
    this.touched.clear()
    this.related.clear()
    this.left.length = 0
    this.crowded.clear()
    return all
  }

  private touch(key: SubjectKey): TouchedObject | undefined {
    const known = this.touched.get(key)
    if (known !== undefined) return known
    const object = this.state.subjects.get(key)
    if (object?._tag !== "DataObject") return undefined
    const touched = { object, names: new Set<string>() }
    this.touched.set(key, touched)
    return touched
  }
}
