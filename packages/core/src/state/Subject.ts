import { Schema } from "effect"
import { Delivery, recipientsOf } from "./Delivery.ts"
import { Form } from "./Form.ts"
import { ErasurePlace } from "../ledger/ErasureRecord.ts"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { DataObject } from "./DataObject.ts"
import { patchPerson, Person } from "./Person.ts"
import type { Relationships } from "./Relationships.ts"
import { RuleBuild } from "./RuleBuild.ts"
import { Segment, SegmentMembers } from "./Segment.ts"
import { dayMs, type EpochMillis } from "../values/Timestamp.ts"
import { Visitor } from "./Visitor.ts"

/**
 * A visitor who was identified, or a person who was merged. Since the time `at`, this subject belongs to the person
 * `owner`, together with the subject's activity received at `since` or later.
 */
const Attached = Schema.TaggedStruct("Attached", {
  key: SubjectKey,
  workspace: WorkspaceId,
  owner: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
  /**
   * True if a merge of two people gave this visitor or merged person to the owner. Events that a merge moves to a
   * person trigger no messages (contract §6).
   */
  merged: Schema.Boolean,
  /** The log position of the merge of this person. Missing for whoever was never a person. */
  merge: Schema.optionalKey(Sequence),
})
export type Attached = typeof Attached.Type

/**
 * A deleted person, object or segment. Readers do not see its activity before the log position `before`, and housekeeping erases
 * that activity, unless the log keeps it.
 */
const Erased = Schema.TaggedStruct("Erased", {
  key: SubjectKey,
  workspace: WorkspaceId,
  before: Sequence,
  /**
   * Digests of the deleted person's email addresses. Delivery reports that name one of these addresses are erased too.
   */
  addresses: Schema.Array(Schema.String),
  /** The record of the ledger whose receipt counts what is erased. Missing for whoever has none, such as objects. */
  record: Schema.optionalKey(ErasurePlace),
  /** Of an object: the log keeps what it says about it, so that the object can be shown as it was. */
  keepsLog: Schema.optionalKey(Schema.Literal(true)),
})
export type Erased = typeof Erased.Type

/**
 * The subject of a log entry: the person, object or other thing that the entry is about. An entry keeps its subject key
 * forever. Identifying a visitor, merging people or deleting a subject changes one subject row, however many entries
 * refer to the subject.
 */
export const Subject = Schema.Union([
  Person,
  Visitor,
  Attached,
  Erased,
  DataObject,
  Delivery,
  Form,
  Segment,
  SegmentMembers,
  RuleBuild,
])
export type Subject = typeof Subject.Type

/**
 * Returns whether a subject is a record: a person, an object, a form, a delivery, or a visitor known by `id` or `email`.
 * A record is stored until it is deleted, so `recordsMax` of a workspace limits the number of records.
 */
export const isRecord = (subject: Subject | undefined): boolean => {
  switch (subject?._tag) {
    case "Person":
    case "DataObject":
    case "Form":
    case "Delivery":
      return true
    case "Visitor":
      return subject.knownAs.kind !== "anonymous_id"
    case "Attached":
    case "Erased":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
    case undefined:
      return false
  }
}

/** A person or visitor, who can have devices and relationships. */
export type Holder = Person | Visitor

/**
 * Returns what a person or delivery links to: the keys of the person's objects and segments, or of the delivery's
 * recipients. Stores have an index that finds links by their source and by their target.
 */
export const linksOf = (subject: Subject): ReadonlyArray<SubjectKey> => {
  switch (subject._tag) {
    case "Person":
      return [...subject.relationships.keys(), ...subject.segments]
    case "Visitor":
      return [...subject.relationships.keys()]
    case "Delivery":
      return recipientsOf(subject)
    case "Attached":
    case "Erased":
    case "DataObject":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
      return []
  }
}

/**
 * Returns a subject without its links to deleted objects and segments, or undefined if it has none.
 */
export const withoutDeletedLinks = (
  subject: Subject,
  isGone: (key: SubjectKey) => boolean,
): Subject | undefined => {
  if (!linksOf(subject).some(isGone)) return undefined
  switch (subject._tag) {
    case "Person": {
      const segments = subject.segments.filter((key) => !isGone(key))
      return patchPerson(subject, { relationships: withoutDeleted(subject.relationships, isGone), segments })
    }
    case "Visitor":
      return { ...subject, relationships: withoutDeleted(subject.relationships, isGone) }
    case "Delivery":
      return withoutRecipients(subject, isGone)
    case "Attached":
    case "Erased":
    case "DataObject":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
      return undefined
  }
}

/**
 * Returns a delivery without its deleted recipients. If the current recipient was deleted, also removes the address and
 * the email's subject line.
 */
const withoutRecipients = (delivery: Delivery, isGone: (key: SubjectKey) => boolean): Delivery => {
  const formerly = delivery.formerly.filter((key) => !isGone(key))
  return delivery.person !== null && isGone(delivery.person)
    ? { ...delivery, formerly, recipient: null, subject: null }
    : { ...delivery, formerly }
}

const withoutDeleted = (relationships: Relationships, isGone: (key: SubjectKey) => boolean): Relationships =>
  new Map([...relationships].filter(([key]) => !isGone(key)))

export const isLinked = (subject: Subject | undefined, target: SubjectKey): boolean => {
  switch (subject?._tag) {
    case "Person":
      return subject.relationships.has(target) || subject.segments.includes(target)
    case "Visitor":
      return subject.relationships.has(target)
    case "Delivery":
      return recipientsOf(subject).includes(target)
    case "Attached":
    case "Erased":
    case "DataObject":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
    case undefined:
      return false
  }
}

/** Returns a person, object or other subject as plain data. A store may return people with lazy getters as fields. */
export const toPlainSubject = (subject: Subject): Subject =>
  subject._tag === "Person" ? patchPerson(subject, {}) : subject

/** The time for which an anonymous visitor is stored after the last request that named it (contract §13). */
export const visitorRetentionMs = 30 * dayMs

/**
 * Returns whether this is an anonymous visitor past its retention, so that the visitor and its activity can be deleted.
 * Visitors known by `id` or `email` never expire.
 */
export const isExpiredVisitor = (subject: Subject, now: EpochMillis): boolean =>
  subject._tag === "Visitor" &&
  subject.knownAs.kind === "anonymous_id" &&
  subject.updatedAt < now - visitorRetentionMs

/** Returns the visitor, or null if its retention has passed. */
export const unlessExpired = (visitor: Visitor | null, now: number): Visitor | null =>
  visitor === null || isExpiredVisitor(visitor, now) ? null : visitor
