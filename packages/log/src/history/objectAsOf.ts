import { attributesWith } from "@inlethq/core/decision/setBack"
import type { NamedObject } from "@inlethq/core/catalog/NamedSubjects"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { ObjectBefore, Overwritten } from "@inlethq/core/log/Overwritten"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { noAttributes, type Attributes } from "@inlethq/core/state/Attributes"
import type { DataObject } from "@inlethq/core/state/DataObject"
import { emptyPerson } from "@inlethq/core/state/Person"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Sequence as SequenceOf } from "@inlethq/core/values/Identifier"
import { Effect, Option } from "effect"
import { deletionsSince } from "./deletedObjects.ts"
import type { PastMoment } from "./PastMoment.ts"
import { walkBack } from "./personAsOf.ts"

/** The related people who are read at once. */
const peoplePerPage = 500

/** An object as it was at a moment. */
export interface ObjectThen {
  readonly object: DataObject
  /**
   * The people who were related to it and were not erased since, with the attributes of the relationships, by their keys. Anonymous
   * visitors are left out. Null if this is not known, because the object was deleted while it had very many people.
   */
  readonly people: ReadonlyMap<SubjectKey, Attributes> | null
}

/**
 * Returns an object as it was at a moment: walks from today, or from its deletion, backwards over the entries about it. Returns none
 * if there was no such object. The moment must be within the history that the workspace keeps.
 */
export const objectAsOf = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  named: NamedObject & { readonly typeId: string },
  moment: PastMoment,
): Effect.fn.Return<Option.Option<ObjectThen>, StoreUnavailable> {
  const start = yield* startOf(snapshot, workspace, named, moment)
  if (start === null) return Option.none()
  const walk = new Walk(start)
  const about = emptyPerson(start.key, workspace, 0)
  yield* walkBack(snapshot, { workspace, about, from: start.from, moment }, (entry) => walk.undo(entry))
  return walk.object === null ? Option.none() : Option.some({ object: walk.object, people: walk.people })
})

/** Where a walk begins. */
interface Start {
  readonly key: SubjectKey
  readonly named: DataObject
  /** The position before which the walk begins, or null for the newest entry. */
  readonly from: Sequence | null
  /** Whether the object is there at that position. */
  readonly isThere: boolean
  readonly people: ReadonlyMap<SubjectKey, Attributes>
}

/** Of several objects with the same name, the one that was deleted first after the moment may have been there. */
const startOf = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  { objectId, typeId }: NamedObject & { readonly typeId: string },
  moment: PastMoment,
): Effect.fn.Return<Start | null, StoreUnavailable> {
  const about = { people: [], keys: [], objects: [{ typeId, objectId }] }
  const deletion = (yield* deletionsSince(snapshot, workspace, about, moment)).at(-1)
  if (deletion !== undefined) {
    const { entry, key } = deletion
    const named = { _tag: "DataObject", key, workspace, typeId, objectId, ...nothing } as const
    const from = SequenceOf.make(entry.sequence + 1)
    return { key, named, from, isThere: false, people: new Map() }
  }
  const today = yield* snapshot.object(workspace, typeId, objectId)
  if (Option.isNone(today)) return null
  const { object } = today.value
  const people = yield* peopleOf(snapshot, workspace, object.key)
  return { key: object.key, named: object, from: null, isThere: true, people }
})

const nothing = { attributes: noAttributes, createdAt: 0, updatedAt: 0, settling: null }

/** Returns the people related to an object today. */
const peopleOf = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  object: SubjectKey,
): Effect.fn.Return<ReadonlyMap<SubjectKey, Attributes>, StoreUnavailable> {
  const found = new Map<SubjectKey, Attributes>()
  let after: SubjectKey | null = null
  do {
    const page: Effect.Success<ReturnType<Snapshot["related"]>> = yield* snapshot.related(workspace, object, {
      after,
      limit: peoplePerPage,
      order: "asc",
    })
    for (const { attributes, subject } of page.items) {
      if (subject._tag === "Person") found.set(subject.key, attributes)
    }
    after = page.next
  } while (after !== null)
  return found
})

/** An object on the way back through the entries about it. */
class Walk {
  /** Null while the object is not there. */
  object: DataObject | null
  people: Map<SubjectKey, Attributes> | null
  private readonly start: Start

  constructor(start: Start) {
    this.start = start
    this.object = start.isThere ? start.named : null
    this.people = new Map(start.people)
  }

  /** Undoes what an entry says about the object. */
  undo({ overwritten }: ActivityEntry): void {
    for (const one of overwritten) {
      if (one.within !== undefined) continue
      if (one.subject !== this.start.key) this.undoPerson(one)
      else if (one.before?.object !== undefined) this.undoObject(one.before.object)
    }
  }

  private undoObject(before: ObjectBefore | null): void {
    const after = this.object ?? this.start.named
    this.object = before && {
      ...after,
      createdAt: before.createdAt ?? after.createdAt,
      updatedAt: before.updatedAt ?? after.updatedAt,
      attributes: attributesWith(after.attributes, before.attributes),
    }
    if (before?.crowded === true) this.people = null
  }

  private undoPerson({ before, subject }: Overwritten): void {
    const { people } = this
    if (people === null) return
    if (before === null) people.delete(subject)
    const old = before?.relationships?.get(this.start.key)
    if (old === undefined) return
    if (old === null) people.delete(subject)
    else people.set(subject, attributesWith(people.get(subject) ?? noAttributes, old))
  }
}
