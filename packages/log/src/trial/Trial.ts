import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import type { MergePeople } from "@inlethq/core/person/commands"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { Effect, Result } from "effect"
import { decodeCall } from "../call/decodeCall.ts"
import { encodeCall } from "../call/encodeCall.ts"
import type { Call } from "../call/Call.ts"
import type { NamesReader } from "../call/NamesReader.ts"
import { decisionOf, differences, isReproduced, isSameSubject } from "./compareEntries.ts"
import { createdIn, peopleIn, type PastSubject, type PastSubjects } from "./PastSubjects.ts"
import { TrialTally } from "./TrialTally.ts"
import { moveTo, TrialWorld, type WorldStart } from "./TrialWorld.ts"

/** The most people, objects and others that a trial holds. Beyond them, those who are the same in both worlds are read again. */
const heldMax = 20_000

/** The most people and objects that may differ between the worlds. Beyond them, the trial ends. */
export const differingMax = 50_000

/** The lookup texts that are remembered to lead nowhere. */
const missingMax = 100_000

/** Two people. */
export interface Pair {
  readonly primary: SubjectKey
  readonly secondary: SubjectKey
}

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

/** Code of an operation that the log does not say enough of: deciding it again gives something else than it says. */
const notReproduced = "not_reproduced"

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
  private readonly differing = new Set<SubjectKey>()
  private readonly missing = new Set<string>()
  private spareKey: SubjectKey

  constructor(workspace: Workspace, change: TrialChange, start: WorldStart) {
    this.change = change
    this.now = new TrialWorld(workspace, start)
    this.tried = new TrialWorld(change.workspace, start)
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
    return this.differing.size > differingMax
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
      const encoded = encodeCall(record, yield* source.names.namesFor(record))
      source.names.passed(record)
      if (Result.isFailure(encoded)) return this.leaveOut(record, encoded.failure.code)
      const command = commandOf(encoded.success, entry, this.now.workspace)
      const other = commandOf(encoded.success, entry, this.tried.workspace)
      if (command === null || other === null) return this.leaveOut(record, notReproduced)
      yield* this.ready(source, record, [command, other])
      yield* source.turns.work(() => this.decide(record, command, other))
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
    const now = this.now.decide(command)
    const isLeftOut = this.isUndone(entry)
    const tried = isLeftOut ? { entry: null, written: noKeys } : this.tried.decide(other)
    this.isApplied ||= isLeftOut
    if (created.length === 0)
      this.spareKey = SubjectKey.make(Math.max(this.now.state.nextKey, this.tried.state.nextKey))
    this.note([...now.written, ...tried.written])
    if (!isReproduced(now.entry, entry)) return this.leaveOut(record, notReproduced, now.written)
    this.tally.decided++
    const differs = differences(now.entry, tried.entry)
    if (differs.length === 0) return
    if (this.change.merge === null && this.change.unmerge === null) this.isApplied = true
    const { batchIndex, kind, name, receivedAt, sequence, subject } = entry
    const decisions = { now: decisionOf(now.entry), tried: decisionOf(tried.entry) }
    this.tally.differ({ sequence, batchIndex, receivedAt, subject, kind, name, differs, ...decisions })
  }

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
      this.now.known.add(key)
      this.tried.known.add(key)
    }
  }

  /** Counts an entry as undecidable. What it changed is read again, as the log says it, unless it differs between the worlds. */
  private leaveOut(record: ActivityRecord, code: string, written: Iterable<SubjectKey> = []): void {
    this.tally.undecidable(record.entry, code)
    for (const key of [...peopleIn(record), ...written]) this.forget(key)
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
      for (const text of needs.identifiers) {
        if (this.knows(text)) continue
        const found = yield* source.past.named(text, entry)
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

/** Returns the command that a call becomes in a workspace, or null if it becomes none or several. */
export const commandOf = (
  call: Call,
  { receivedAt, sender }: ActivityEntry,
  workspace: Workspace,
): Command | null => {
  const client = { path: call.path, userAgent: null, address: null }
  const decoded = decodeCall({ workspace, brand: defaultBrand, receivedAt, client }, call)
  const [command] = decoded ?? []
  return command === undefined || decoded?.length !== 1 ? null : { ...command, sender }
}

const mergeCommand = (
  workspace: Workspace,
  { primary, secondary }: Pair,
  receivedAt: number,
): MergePeople => ({
  _tag: "MergePeople",
  workspace,
  source: "management",
  receivedAt,
  at: receivedAt,
  followsReceipt: true,
  originalTimestamp: null,
  batchIndex: null,
  deduplicationKey: null,
  sender: null,
  faults: [],
  primary: { _tag: "BySvcId", key: primary },
  secondary: { _tag: "BySvcId", key: secondary },
})
