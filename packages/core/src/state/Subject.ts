import { Schema } from "effect"
import { Delivery, recipientsOf } from "./Delivery.ts"
import { Form } from "./Form.ts"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { DataObject } from "./DataObject.ts"
import { patchPerson, Person } from "./Person.ts"
import type { Relationships } from "./Relationships.ts"
import { Segment } from "./Segment.ts"
import { dayMs, type EpochMillis } from "../values/Timestamp.ts"
import { Visitor } from "./Visitor.ts"

/** A subject that `owner` has taken over: what it did from `since` on belongs to `owner` since `at`. */
const Attached = Schema.TaggedStruct("Attached", {
  key: SubjectKey,
  workspace: WorkspaceId,
  owner: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
  /** Whether a merge brought it: what it did triggers nothing (contract §6). */
  merged: Schema.Boolean,
})
export type Attached = typeof Attached.Type

/** A subject that was deleted: its activity before `before` is gone for every reader, and erased in the background. */
const Erased = Schema.TaggedStruct("Erased", {
  key: SubjectKey,
  workspace: WorkspaceId,
  before: Sequence,
  /** Digests of the addresses that it had: reports that name one of them as recipient are erased with it. */
  addresses: Schema.Array(Schema.String),
})
export type Erased = typeof Erased.Type

/**
 * Whom or what activity is about. Every entry of the log names one subject for good; that a visitor becomes a person's,
 * that people are merged, or that one goes, changes the subject and not its entries, however many there are.
 */
export const Subject = Schema.Union([Person, Visitor, Attached, Erased, DataObject, Delivery, Form, Segment])
export type Subject = typeof Subject.Type

/** Those who have devices and relationships. */
export type Holder = Person | Visitor

/** The subjects that one names, as links from it that can be followed backwards: objects, segments, and to whom a delivery went. */
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
      return []
  }
}

/** A subject without those that it names and that are gone; undefined where it names none of them. */
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
      return undefined
  }
}

/** The person it went to stays named, so that later reports are known to be about somebody who is gone. */
const withoutRecipients = (delivery: Delivery, isGone: (key: SubjectKey) => boolean): Delivery => {
  const formerly = delivery.formerly.filter((key) => !isGone(key))
  return delivery.person !== null && isGone(delivery.person)
    ? { ...delivery, formerly, recipient: null, subject: null }
    : { ...delivery, formerly }
}

const withoutDeleted = (relationships: Relationships, isGone: (key: SubjectKey) => boolean): Relationships =>
  new Map([...relationships].filter(([key]) => !isGone(key)))

/** Whether a subject names another one. */
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
    case undefined:
      return false
  }
}

/** A subject as plain data, whatever a store hands out. */
export const toPlainSubject = (subject: Subject): Subject =>
  subject._tag === "Person" ? patchPerson(subject, {}) : subject

/** How long an anonymous visitor is remembered after it was last named (contract §13). */
const visitorRetentionMs = 30 * dayMs

/**
 * Whether a subject is an anonymous visitor past its time: it and what it did can go. What waits for an `id` or an
 * `email` has no such window.
 */
export const isExpiredVisitor = (subject: Subject, now: EpochMillis): boolean =>
  subject._tag === "Visitor" &&
  subject.knownAs.kind === "anonymous_id" &&
  subject.updatedAt < now - visitorRetentionMs

/** A visitor, unless it is past its time: then nothing of it counts any more. */
export const unlessExpired = (visitor: Visitor | null, now: number): Visitor | null =>
  visitor === null || isExpiredVisitor(visitor, now) ? null : visitor
