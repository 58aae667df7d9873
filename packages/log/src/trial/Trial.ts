import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { tookEffect } from "@inlethq/core/log/Outcome"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { isSameWorkspace, type Workspace } from "@inlethq/core/workspace/Workspace"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Effect, Result } from "effect"
import type { Names } from "../call/Draft.ts"
import { encodeCall } from "../call/encodeCall.ts"
import { isFixedEmail } from "../call/identifyEntities.ts"
import type { NamesReader } from "../call/NamesReader.ts"
import { concernsOf, type Concerns } from "./concernsOf.ts"
import { Doubts, isAmbiguous, namedBy } from "./Doubts.ts"
import { decisionOf, differences, isReproduced, isSameSubject } from "./compareEntries.ts"
import { createdIn, newIn, peopleIn, type PastSubject, type PastSubjects } from "./PastSubjects.ts"
import { mergeCommand, type Pair } from "./trialCommands.ts"
import { TrialTally } from "./TrialTally.ts"
import { TriedPlans } from "./TriedPlans.ts"
import { moveTo, TrialWorld, type WorldStart } from "./TrialWorld.ts"

/** The most people, objects and others that a trial holds. Beyond them, those who are the same in both worlds are read again. */
const heldMax = 20_000

/** The most people and objects that may differ between the worlds. Beyond them, the trial ends. */
export const differingMax = 50_000

/** The lookup texts that are remembered to lead nowhere. */
const missingMax = 100_000

/** What would be otherwise. */
export interface TrialChange {
  /** The workspace with the settings to try. */
  readonly workspace: Workspace
  /** Two people who would be merged as soon as both exist, or null. */
  readonly merge: Pair | null
  /** Two people whose merge would not have been made, or null. */
  readonly unmerge: Pair | null
}

/** What a trial reads. It may be replaced between two entries. */
export interface TrialSource {
  readonly names: NamesReader
  readonly past: PastSubjects
  readonly turns: ReadTurns
}

/** Codes of operations that the log does not say enough of: deciding it again gives something else than it says. */
const notReproduced = "not_reproduced"

/** It may have named somebody by any of several identifiers, of which not all lead to the same person with the change. */
const ambiguous = "call_address"

/** It is about somebody of whom an undecidable call before it leaves open what they would be with the change. */
const follows = "follows_undecidable"

/**
 * Decides the entries of a log again, in order, twice: as they were decided, and with something changed. People and objects are
 * read as they were before the first entry that needs them. Whatever the first way does not decide as the log says is undecidable,
 * and never guessed.
 */
export class Trial {
  readonly tally = new TrialTally()
  /**
   * Whether the change has had its moment: a merge once both people exist, a path that is left out with the first operation that
   * has it.
   */
  isApplied: boolean
  private readonly change: TrialChange
  private readonly now: TrialWorld
  private readonly tried: TrialWorld
  private readonly plans: TriedPlans
  private readonly differing = new Set<SubjectKey>()
  private readonly missing = new Set<string>()
  private readonly doubts: Doubts
  /** Whether the same command can be decided otherwise by the settings of the tried world, and which can. */
  private readonly hasOtherSettings: boolean
  private readonly isConcerned: Concerns
  private spareKey: SubjectKey

  constructor(workspace: Workspace, change: TrialChange, start: WorldStart) {
    this.change = change
    this.now = new TrialWorld(workspace, start)
    this.tried = new TrialWorld(change.workspace, start)
    this.plans = new TriedPlans(workspace, change.workspace)
    this.doubts = new Doubts(this.now, this.tried)
    this.hasOtherSettings = !isSameWorkspace(workspace, change.workspace)
    this.isConcerned = concernsOf(workspace, change.workspace)
    this.spareKey = start.nextKey
    const leavesOut = change.workspace.omit.length > workspace.omit.length
    this.isApplied = change.merge === null && change.unmerge === null && !leavesOut
  }

  /** Whether the two people to merge are there after the last operation, but were not before it. */
  get mergesLast(): boolean {
    const { merge } = this.change
    if (merge === null || this.isApplied) return false
    const { subjects } = this.tried.state
    return [merge.primary, merge.secondary].every((key) => subjects.get(key)?._tag === "Person")
  }

  /** Whether so much differs that the trial cannot go on. */
  get isFull(): boolean {
    return this.differing.size > differingMax || this.doubts.isFull
  }

  /** Decides the next entry. */
  readonly step = Effect.fnUntraced(
    { self: this },
    function* (
      this: Trial,
      source: TrialSource,
      record: ActivityRecord,
    ): Effect.fn.Return<void, StoreUnavailable> {
      const { entry } = record
      this.tally.entries++
      this.tally.position = entry.sequence
      yield* this.mergeIfDue(source, entry)
      const encoded = encodeCall(record, yield* this.namesFor(source, record))
      source.names.passed(record)
      if (Result.isFailure(encoded)) return this.leaveOut(record, encoded.failure.code)
      const commands = this.plans.commandsOf(encoded.success, entry)
      if (commands === null) return this.leaveOut(record, notReproduced)
      const { now, tried } = commands
      yield* this.ready(source, record, [now, tried])
      yield* source.turns.work(() => this.decide(record, now, tried))
      this.evict()
    },
  );

  private *decide(record: ActivityRecord, command: Command, other: Command): Generator<undefined, void> {
    const { entry } = record
    const created = createdIn(entry).filter((key) => !this.now.state.subjects.has(key))
    const [first = this.spareKey] = created.toSorted((a, b) => a - b)
    const at = { sequence: entry.sequence, nextKey: first }
    moveTo(this.now, at)
    moveTo(this.tried, at)
    const unknown = this.unknownOf(record, command, other)
    const before = this.canDiffer ? this.doubts.textsOf(peopleIn(record)) : noTexts
    const now = this.now.decide(command)
    const isLeftOut = this.isUndone(entry)
    const tried = isLeftOut || unknown !== null ? { entry: null, written: noKeys } : this.tried.decide(other)
    this.isApplied ||= isLeftOut
    if (created.length === 0)
      this.spareKey = SubjectKey.make(Math.max(this.now.state.nextKey, this.tried.state.nextKey))
    const written = [...now.written, ...tried.written]
    this.note(written)
    const code = isReproduced(now.entry, entry)
      ? (unknown ?? (this.doubts.has(written) ? follows : null))
      : notReproduced
    if (code !== null) {
      if (code !== notReproduced) for (const key of written) this.doubts.add(key)
      return this.leaveOut(record, code, { written, before })
    }
    this.tally.decided++
    const differs = differences(this.plans.asRecorded(now.entry, entry), tried.entry)
    if (differs.length === 0) return
    if (this.change.merge === null && this.change.unmerge === null) this.isApplied = true
    const { batchIndex, kind, name, receivedAt, sequence, subject } = entry
    const decisions = { now: decisionOf(now.entry), tried: decisionOf(tried.entry) }
    this.tally.differ({ sequence, batchIndex, receivedAt, subject, kind, name, differs, ...decisions })
  }

  /** Returns why nothing can be said of a command in the tried world, or null. */
  private unknownOf(record: ActivityRecord, command: Command, other: Command): string | null {
    if (!this.canDiffer) return null
    const { entry } = record
    const needs = needsOf(entry.workspace, [other])
    if (
      this.doubts.has(peopleIn(record)) ||
      this.doubts.has(needs.subjects) ||
      this.doubts.lead(needs.identifiers)
    )
      return follows
    if (this.differing.size === 0 && !this.hasOtherSettings) return null
    const isOpen = namedBy(command, this.now).some((person) => isAmbiguous(person, this.tried))
    return isOpen || this.isAddressOpen(entry) || this.hasUnkeptNames(entry) ? ambiguous : null
  }

  /** Whether identifiers must be shorter, and a call could have named its person by one that the log does not keep. */
  private hasUnkeptNames({ kind }: ActivityEntry): boolean {
    const [now, tried] = [this.now.workspace.limits, this.tried.workspace.limits]
    const isShorter =
      tried.attributeValueBytesMax < now.attributeValueBytesMax ||
      tried.personIdBytesMax < now.personIdBytesMax
    return isShorter && kind !== "identify"
  }

  /** Whether anything can be otherwise in the tried world. */
  private get canDiffer(): boolean {
    return this.hasOtherSettings || this.differing.size > 0
  }

  /** Returns whether an email was refused by a setting that is otherwise, and the entry is too old to say how it named the person. */
  private isAddressOpen({ refused, subject }: ActivityEntry): boolean {
    const isOther = this.now.workspace.emailUpdateById !== this.tried.workspace.emailUpdateById
    const person = isOther && subject !== null ? this.now.state.subjects.get(subject) : undefined
    if (person?._tag !== "Person" || person.id === null) return false
    return refused.some((one) => isFixedEmail(one) && one.values["by"] === undefined)
  }

  /** Returns the names of an entry. If it says that it named its person by email, this is the one that stands for the person. */
  private readonly namesFor = Effect.fnUntraced(
    { self: this },
    function* (
      this: Trial,
      source: TrialSource,
      record: ActivityRecord,
    ): Effect.fn.Return<Names, StoreUnavailable> {
      const names = yield* source.names.namesFor(record)
      const { refused, subject } = record.entry
      if (subject === null || !refused.some((one) => isFixedEmail(one) && one.values["by"] === "email"))
        return names
      yield* this.readyPerson(source, subject, record.entry)
      const person = this.now.state.subjects.get(subject)
      if (person?._tag !== "Person" || person.email === null) return names
      const address = { kind: "email", value: person.email } as const
      return { ...names, addressOf: (key) => (key === subject ? address : names.addressOf(key)) }
    },
  )

  private isUndone(entry: ActivityEntry): boolean {
    const { unmerge } = this.change
    const merge = unmerge === null ? null : mergeIn(entry)
    return merge !== null && merge.primary === unmerge?.primary && merge.secondary === unmerge.secondary
  }

  /** Notes which of the subjects differ between the worlds. */
  private note(keys: Iterable<SubjectKey>): void {
    for (const key of keys) {
      const isSame = isSameSubject(this.now.state.subjects.get(key), this.tried.state.subjects.get(key))
      if (isSame) this.differing.delete(key)
      else this.differing.add(key)
      this.doubts.written(key)
      this.now.known.add(key)
      this.tried.known.add(key)
    }
  }

  /** Counts an entry as undecidable. What it changed is read again, as the log says it, unless it differs between the worlds. */
  private leaveOut(record: ActivityRecord, code: string, { before, written }: Touched = untouched): void {
    const { entry } = record
    this.tally.undecidable(entry, code)
    const keys = [...peopleIn(record), ...written]
    if (this.canDiffer) this.doubt(record, keys, before)
    for (const key of keys) this.forget(key)
  }

  /** Notes about whom nothing can be said after an undecidable call. */
  private doubt(
    record: ActivityRecord,
    keys: ReadonlyArray<SubjectKey>,
    before: ReadonlyArray<string>,
  ): void {
    const { entry, subject } = record
    const { kind, outcome } = entry
    if (!tookEffect(outcome)) {
      if (outcome !== "rejected") this.doubts.passedOver()
      for (const key of keys) if (this.differing.has(key)) this.doubts.add(key)
      return
    }
    const isErasing = kind === "delete" || kind === "suppress"
    const isConcerned = this.hasOtherSettings && this.isConcerned(entry)
    for (const key of keys) {
      const isGone = key === entry.subject && (subject === null || subject._tag === "Erased")
      if (isErasing && key === entry.subject && !this.isOpen(key)) {
        // The same call may erase somebody else in the tried world.
        for (const other of this.doubts.ledTo(key)) this.doubts.add(other)
        this.drop(key)
      } else if (this.differing.has(key) || (isConcerned && !isGone)) {
        this.doubts.add(key)
        this.doubts.add(key, before)
      }
    }
  }

  /** Whether it matters by which identifier a call named somebody. */
  private isOpen(key: SubjectKey): boolean {
    const subject = this.now.state.subjects.get(key)
    return subject?._tag === "Person" && isAmbiguous(subject, this.tried)
  }

  private drop(key: SubjectKey): void {
    this.now.drop(key)
    this.tried.drop(key)
    this.differing.delete(key)
    this.doubts.deleted(key)
  }

  private forget(key: SubjectKey): void {
    if (this.differing.has(key)) return
    this.now.forget(key)
    this.tried.forget(key)
    this.missing.clear()
  }

  /** Merges the two people of the change once both are there. */
  private readonly mergeIfDue = Effect.fnUntraced(
    { self: this },
    function* (
      this: Trial,
      source: TrialSource,
      entry: ActivityEntry,
    ): Effect.fn.Return<void, StoreUnavailable> {
      const { merge } = this.change
      if (merge === null || this.isApplied) return
      for (const key of [merge.primary, merge.secondary]) yield* this.readyPerson(source, key, entry)
      const { subjects } = this.tried.state
      const isThere = (key: SubjectKey) => subjects.get(key)?._tag === "Person"
      if (!isThere(merge.primary) || !isThere(merge.secondary)) return
      this.isApplied = true
      moveTo(this.tried, { sequence: entry.sequence, nextKey: this.spareKey })
      this.note(this.tried.decide(mergeCommand(this.tried.workspace, merge, entry.receivedAt)).written)
    },
  )

  /** Has everything in both worlds that the commands need. */
  private readonly ready = Effect.fnUntraced(
    { self: this },
    function* (
      this: Trial,
      source: TrialSource,
      record: ActivityRecord,
      commands: ReadonlyArray<Command>,
    ): Effect.fn.Return<void, StoreUnavailable> {
      const { entry } = record
      const needs = needsOf(entry.workspace, commands)
      const isKnown = (key: SubjectKey) => this.now.known.has(key) && this.tried.known.has(key)
      for (const key of newIn(entry)) this.put({ key, subject: null })
      for (const text of needs.identifiers) {
        if (this.knows(text)) continue
        const found = yield* source.past.named(text, entry, isKnown)
        if (found !== null) this.put(found)
        if (!this.now.state.identifiers.has(text)) this.missing.add(text)
      }
      for (const key of peopleIn(record)) yield* this.readyPerson(source, key, entry)
      for (const key of needs.subjects) {
        yield* this.readyPerson(source, key, entry)
        if (this.now.state.subjects.has(key) || this.differing.has(key)) continue
        const segment = yield* source.past.segment(key)
        if (segment !== null) this.put(segment)
      }
    },
  )

  private knows(text: string): boolean {
    return (
      this.missing.has(text) ||
      (this.now.state.identifiers.has(text) && this.tried.state.identifiers.has(text))
    )
  }

  private readonly readyPerson = Effect.fnUntraced(
    { self: this },
    function* (
      this: Trial,
      { past }: TrialSource,
      key: SubjectKey,
      entry: ActivityEntry,
    ): Effect.fn.Return<void, StoreUnavailable> {
      this.now.touch(key)
      this.tried.touch(key)
      if (this.now.known.has(key) && this.tried.known.has(key)) return
      this.put(yield* past.person(key, entry))
    },
  )

  private put({ key, subject }: PastSubject): void {
    for (const world of [this.now, this.tried]) {
      if (!world.state.subjects.has(key) && !this.differing.has(key)) world.put(key, subject)
    }
  }

  /** Forgets those who were not needed for the longest time and are the same in both worlds. */
  private evict(): void {
    if (this.missing.size > missingMax) this.missing.clear()
    if (this.now.known.size <= heldMax + this.differing.size) return
    let left = heldMax / 10
    for (const key of this.now.known) {
      if (left-- === 0) return
      this.forget(key)
    }
  }
}

const noKeys: ReadonlySet<SubjectKey> = new Set()
const noTexts: ReadonlyArray<string> = []

/** Whom a command wrote, and the lookup texts that led there before. */
interface Touched {
  readonly written: ReadonlyArray<SubjectKey>
  readonly before: ReadonlyArray<string>
}

const untouched: Touched = { written: [], before: [] }
