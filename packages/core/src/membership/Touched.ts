import type { Change, ChangeOf } from "../Change.ts"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import { attributeTopic } from "../rule/fields.ts"
import { countedIn, counts, occurrenceIn } from "../rule/Occurrence.ts"
import { topics, placesOf, type LeafGroup } from "../rule/LeafIndex.ts"
import { unite } from "../rule/Ring.ts"
import { hasRelationships, type RuleIndex } from "../rule/RuleIndex.ts"
import { emptyLeafState, type LeafState, type LeafStates } from "../state/LeafState.ts"
import { deviceText, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { countOccurrence } from "./countOccurrence.ts"

/** What the changes of a command mean for the leaves of one person or visitor. */
export interface TouchedHolder {
  /** The groups of the leaves whose truth may have changed. All whom a build comes to share one set. */
  groups: ReadonlySet<LeafGroup>
  /** `groups`, if no other person shares it. */
  ownGroups: Set<LeafGroup> | null
  /** Whether the person is new, so that rules which nobody has to do anything for hold, too. */
  isNew: boolean
  /** Whether a build has come to the person. */
  isWalked: boolean
}

/**
 * Collects which leaves the changes of a command may make true or false, by person and visitor, and which states of
 * leaves follow from them. Finds the leaves by lookup, so changes that no rule is about cost next to nothing.
 */
export class Touched {
  holders: ReadonlyMap<SubjectKey, TouchedHolder> = noHolders
  /** The objects that changed and have more people than the batch has loaded. The value is true if they were deleted. */
  crowded: ReadonlyMap<SubjectKey, boolean> = noneCrowded
  /** `holders` and `crowded`, once there are any. Most commands touch none. */
  private ownHolders: Map<SubjectKey, TouchedHolder> | null = null
  private ownCrowded: Map<SubjectKey, boolean> | null = null
  private readonly state: WorkingSet
  private readonly rules: RuleIndex
  /** The groups of the leaves that a build evaluates. */
  private built: ReadonlySet<LeafGroup> | null = null

  constructor(state: WorkingSet) {
    this.state = state
    this.rules = state.rules
  }

  /** Notes a change that is about to be applied. Returns the changes of leaf states that follow from it. */
  note(change: Change): ReadonlyArray<Change> {
    switch (change._tag) {
      case "PersonCreated":
        this.noteCreation(change.key)
        return none
      case "IdentifierAssigned":
      case "EmailRemoved":
        this.noteTopic(change.key, topics.identifiers)
        return none
      case "AttributesAssigned":
        this.noteObject(change.key, false)
        for (const name of this.rules.leaves.isAboutAttributes ? change.entries.keys() : none) {
          this.noteTopic(change.key, topics.attribute(attributeTopic(name)))
        }
        return none
      case "DeviceAdded": {
        const loser = this.state.identifiers.get(deviceText(change.token))
        if (loser !== undefined) this.noteTopic(loser, topics.devices)
        this.noteTopic(change.key, topics.devices)
        return none
      }
      case "DeviceRemoved":
        this.noteTopic(change.key, topics.devices)
        return none
      case "RelationshipAssigned":
      case "RelationshipRemoved":
        this.noteTopic(change.key, topics.relationships)
        return none
      case "SegmentJoined":
      case "SegmentLeft":
        this.noteTopic(change.key, topics.segment(change.segment))
        return none
      case "VisitorAttached":
      case "PersonAbsorbed":
        return this.unite(change.owner, change.key, change._tag === "PersonAbsorbed" ? 0 : change.since)
      case "PeopleSeparated":
        return this.separate(change)
      case "SubjectDeleted":
        this.noteObject(change.key, true)
        return this.remove(change.key)
      case "PeopleWalked":
        return this.noteWalked(change.key, change.people)
      case "IdentifierConfirmed":
      case "MovedNameUsed":
      case "VisitorSeen":
      case "ObjectCreated":
      case "SegmentCreated":
      case "SegmentUpdated":
      case "RuleProposed":
      case "BuildStarted":
      case "HistoryRead":
      case "PeopleFound":
      case "BuildFinished":
      case "SegmentEntered":
      case "SegmentExited":
      case "LeafStatesSet":
      case "LeafStatesRemoved":
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
        return none
    }
  }

  /** Notes what an entry of a person or visitor records. Returns the change of leaf states that follows from it, or null. */
  noteEntry(entry: ActivityEntry, key: SubjectKey): Change | null {
    const occurrence = occurrenceIn(entry)
    const found = occurrence === null ? none : this.rules.leaves.counts(occurrence)
    const holder = found.length === 0 ? undefined : this.state.subjects.get(key)
    if (holder?._tag !== "Person" && holder?._tag !== "Visitor") return null
    const counted = countedIn(entry)
    const known = this.state.leafStates.get(key)
    const states = new Map<SubjectKey, LeafState>()
    for (const { counted: leaf, group } of found) {
      if (!counts(leaf, entry, counted)) continue
      const before = known?.get(group.key) ?? emptyLeafState
      const after = countOccurrence(group, holder, before, counted, entry.receivedAt)
      if (after === null) continue
      states.set(group.key, after.state)
      if (after.decides) this.noteGroups(key, [group])
    }
    return states.size === 0 ? null : { _tag: "LeafStatesSet", key, states }
  }

  /**
   * Notes the leaves whose time has come for a person whom the command acts on. Returns the change that empties the states
   * of leaves that no rule has any more, so that they are not due for ever.
   */
  noteDue(key: SubjectKey, now: number): Change | null {
    const known = this.state.leafStates.get(key)
    if (known === undefined || !isSomeDue(known, now)) return null
    const emptied = new Map<SubjectKey, LeafState>()
    for (const [leafKey, { due }] of known) {
      if (due === null || due > now) continue
      const group = this.rules.leaves.groups.get(leafKey)
      if (group === undefined) emptied.set(leafKey, emptyLeafState)
      else this.noteGroups(key, [group])
    }
    return emptied.size === 0 ? null : { _tag: "LeafStatesSet", key, states: emptied }
  }

  noteTopic(key: SubjectKey, topic: string): void {
    const found = this.rules.leaves.byTopic.get(topic)
    if (found !== undefined) this.noteGroups(key, found)
  }

  private noteGroups(key: SubjectKey, noted: Iterable<LeafGroup>): void {
    const holder = this.holder(key)
    for (const group of noted) {
      if (holder.groups.has(group)) continue
      if (holder.ownGroups === null) holder.groups = holder.ownGroups = new Set(holder.groups)
      holder.ownGroups.add(group)
    }
  }

  /** Notes the leaves of the rules that are being built, or those about related objects. */
  private noteWalked(key: SubjectKey, people: ReadonlyArray<SubjectKey>): ReadonlyArray<Change> {
    const { leaves, segments } = this.rules
    const build = this.state.subjects.get(key)
    if (build?._tag === "RuleBuild" && build.settles !== null) {
      for (const person of people) this.noteTopic(person, topics.relationships)
      return none
    }
    this.built ??= new Set(
      [...leaves.groups.values()].filter((group) =>
        placesOf(group).some((place) => segments[place]?.isNext === true),
      ),
    )
    for (const person of people) {
      if (this.state.subjects.get(person)?._tag !== "Person") continue
      const holder = this.holder(person)
      holder.isWalked = true
      if (holder.groups.size === 0) holder.groups = this.built
      else this.noteGroups(person, this.built)
    }
    return none
  }

  private holder(key: SubjectKey): TouchedHolder {
    const holders = (this.holders = this.ownHolders ??= new Map())
    const known = holders.get(key)
    if (known !== undefined) return known
    const added: TouchedHolder = { groups: noGroups, ownGroups: null, isNew: false, isWalked: false }
    holders.set(key, added)
    return added
  }

  /** A person who replaces a visitor keeps the visitor's devices, relationships and states of leaves. */
  private noteCreation(key: SubjectKey): void {
    this.holder(key).isNew = true
    this.noteTopic(key, topics.creation)
    if (this.state.subjects.get(key)?._tag !== "Visitor") return
    this.noteTopic(key, topics.devices)
    this.noteTopic(key, topics.relationships)
    this.noteLeavesOf(key, this.state.leafStates.get(key))
  }

  /** Notes the people who are related to an object that changes. */
  private noteObject(key: SubjectKey, isDeleted: boolean): void {
    if (!hasRelationships(this.rules) || this.state.subjects.get(key)?._tag !== "DataObject") return
    if (this.state.crowded.has(key)) {
      this.crowded = this.ownCrowded ??= new Map()
      this.ownCrowded.set(key, isDeleted)
    }
    for (const subject of this.state.subjects.values()) {
      if (subject._tag === "Person" && subject.relationships.has(key)) {
        this.noteTopic(subject.key, topics.relationships)
      }
    }
  }

  private noteLeavesOf(key: SubjectKey, states: LeafStates | undefined): void {
    for (const leafKey of states?.keys() ?? none) {
      const group = this.rules.leaves.groups.get(leafKey)
      if (group !== undefined) this.noteGroups(key, [group])
    }
  }

  /** The owner takes over what was received since a time. */
  private unite(owner: SubjectKey, key: SubjectKey, since: number): ReadonlyArray<Change> {
    const theirs = this.state.leafStates.get(key)
    if (theirs === undefined) return none
    const own = this.state.leafStates.get(owner)
    const states = new Map<SubjectKey, LeafState>()
    for (const [leafKey, { ring }] of theirs) {
      const needed = this.rules.leaves.groups.get(leafKey)?.needed ?? 0
      if (needed === 0) continue
      const before = own?.get(leafKey) ?? emptyLeafState
      const taken = ring.filter(({ receivedAt }) => receivedAt >= since)
      const united = unite(before.ring, taken, needed)
      if (united !== before.ring) states.set(leafKey, { due: before.due, ring: united })
    }
    this.noteLeavesOf(owner, states)
    const removed: Change = { _tag: "LeafStatesRemoved", key }
    return states.size === 0 ? [removed] : [{ _tag: "LeafStatesSet", key: owner, states }, removed]
  }

  /** All rules are evaluated again for both people, with what each of them did. */
  private separate({ primary, rings, secondary }: ChangeOf<"PeopleSeparated">): ReadonlyArray<Change> {
    for (const { key } of [primary, secondary]) {
      this.noteGroups(key, this.rules.leaves.groups.values())
    }
    this.holder(secondary.key).isNew = true
    return Array.from(rings, ([key, byLeaf]) => {
      const known = this.state.leafStates.get(key)
      const states = Array.from(byLeaf, ([leaf, ring]) => {
        return [leaf, { ring, due: known?.get(leaf)?.due ?? null }] as const
      })
      return { _tag: "LeafStatesSet", key, states: new Map(states) }
    })
  }

  private remove(key: SubjectKey): ReadonlyArray<Change> {
    return this.state.leafStates.has(key) ? [{ _tag: "LeafStatesRemoved", key }] : none
  }
}

/** Every event asks this, so it makes no iterator. */
const isSomeDue = (states: LeafStates, now: number): boolean => {
  let isDue = false
  states.forEach(({ due }) => {
    isDue ||= due !== null && due <= now
  })
  return isDue
}

const none: ReadonlyArray<never> = []

const noGroups: ReadonlySet<LeafGroup> = new Set()
const noHolders: ReadonlyMap<SubjectKey, TouchedHolder> = new Map()
const noneCrowded: ReadonlyMap<SubjectKey, boolean> = new Map()
