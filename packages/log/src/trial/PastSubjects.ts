import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { isMergeKind, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Delivery } from "@inlethq/core/state/Delivery"
import type { Subject } from "@inlethq/core/state/Subject"
import {
  Sequence,
  type IdentifierKind,
  type SubjectKey,
  type WorkspaceId,
} from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Effect, Option } from "effect"
import { objectAsOf } from "../history/objectAsOf.ts"
import { personBefore } from "../history/personAsOf.ts"

/** A subject as it was, or null if there was none. */
export interface PastSubject {
  readonly key: SubjectKey
  readonly subject: Subject | null
}

/** Reads people and objects as they were just before an entry. */
export class PastSubjects {
  private readonly snapshot: Snapshot
  private readonly workspace: WorkspaceId

  constructor(snapshot: Snapshot, workspace: WorkspaceId) {
    this.snapshot = snapshot
    this.workspace = workspace
  }

  /** Returns a person before an entry. */
  readonly person = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastSubjects,
      key: SubjectKey,
      { receivedAt, sequence }: Pick<ActivityEntry, "sequence" | "receivedAt">,
    ): Effect.fn.Return<PastSubject, StoreUnavailable> {
      if (sequence === 1) return { key, subject: null }
      const moment = { _tag: "AtPosition", position: Sequence.make(sequence - 1) } as const
      const subject = yield* personBefore(this.snapshot, this.workspace, key, { moment, receivedAt })
      return { key, subject }
    },
  )

  /** Returns what a lookup text led to before an entry, or null if nothing of today leads there, or somebody who is known. */
  readonly named = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastSubjects,
      text: string,
      entry: Pick<ActivityEntry, "sequence" | "at" | "receivedAt">,
      isKnown: (key: SubjectKey) => boolean,
    ): Effect.fn.Return<PastSubject | null, StoreUnavailable> {
      const { snapshot, workspace } = this
      const [, kind = "", value = ""] = /^([^:]*):([^]*)$/.exec(text) ?? []
      if (isIdentifierKind(kind)) {
        const today = yield* snapshot.personByIdentifier(workspace, { kind, value })
        if (Option.isNone(today) || isKnown(today.value.person.key)) return null
        return yield* this.person(today.value.person.key, entry)
      }
      switch (kind) {
        case "object":
          return yield* this.object(value, entry)
        case "delivery": {
          const found = yield* snapshot.delivery(workspace, value)
          return Option.isNone(found) ? null : asToday(reportedBefore(found.value.delivery, entry.at))
        }
        case "form": {
          const found = yield* snapshot.form(workspace, value)
          return Option.isNone(found) ? null : asToday(found.value)
        }
        default:
          return null
      }
    },
  )

  readonly segment = Effect.fnUntraced(
    { self: this },
    function* (this: PastSubjects, key: SubjectKey): Effect.fn.Return<PastSubject | null, StoreUnavailable> {
      const found = yield* this.snapshot.segment(this.workspace, key)
      return Option.isNone(found) ? null : asToday(found.value.segment)
    },
  )

  /** `text` is the length of the type, the type and the id of an object. */
  private readonly object = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastSubjects,
      text: string,
      { sequence }: Pick<ActivityEntry, "sequence">,
    ): Effect.fn.Return<PastSubject | null, StoreUnavailable> {
      const [, length = "0", rest = ""] = /^(\d+):([^]*)$/.exec(text) ?? []
      const typeId = rest.slice(0, Number(length))
      const objectId = rest.slice(Number(length) + 1)
      if (typeId === "" || objectId === "" || sequence === 1) return null
      const moment = { _tag: "AtPosition", position: Sequence.make(sequence - 1) } as const
      const found = yield* objectAsOf(this.snapshot, this.workspace, { typeId, objectId }, moment)
      return Option.isNone(found) ? null : asToday(found.value.object)
    },
  )
}

/** Reports are not undone one by one: those of a later time are left out. */
const reportedBefore = (delivery: Delivery, at: EpochMillis): Delivery => ({
  ...delivery,
  metrics: new Map([...delivery.metrics].filter(([, { firstAt }]) => firstAt < at)),
})

const asToday = (subject: Subject): PastSubject => ({ key: subject.key, subject })

const isIdentifierKind = (kind: string): kind is IdentifierKind =>
  kind === "id" || kind === "email" || kind === "anonymous_id"

/** Returns the keys of the people whom an entry is about or who are in its way. */
export const peopleIn = ({ entry, owner }: ActivityRecord): ReadonlySet<SubjectKey> => {
  const keys = new Set<SubjectKey>()
  if (entry.subject !== null) keys.add(entry.subject)
  if (owner !== null) keys.add(owner.key)
  for (const { subject } of entry.overwritten) keys.add(subject)
  for (const { subject } of entry.parts) keys.add(subject)
  for (const { other } of entry.refused) if (other !== null) keys.add(other)
  return keys
}

/** Returns the keys of whoever was not there before an entry. The end of a merge brings somebody back. */
export const newIn = (entry: ActivityEntry): ReadonlyArray<SubjectKey> =>
  isMergeKind(entry.kind) ? [] : createdIn(entry)

/** Returns the keys of whoever an entry created. */
export const createdIn = ({ overwritten }: ActivityEntry): ReadonlyArray<SubjectKey> =>
  overwritten.flatMap(({ before, subject }) => (before === null || before.object === null ? [subject] : []))
