import type { Change, ChangeOf } from "../fold/Change.ts"
import type { ActivityEntry, SegmentEffect } from "../log/ActivityEntry.ts"
import { attributeTopic } from "../rule/fields.ts"
import { countedIn, counts, occurrenceIn } from "../rule/Occurrence.ts"
import { topics, placesOf, type LeafGroup } from "../rule/LeafIndex.ts"
import { unite } from "../rule/Ring.ts"
import { hasRelationships, type IndexedVersion, type RuleIndex } from "../rule/RuleIndex.ts"
import { emptyLeafState, type LeafState, type LeafStates } from "../state/LeafState.ts"
import { countsApart, type Person } from "../state/Person.ts"
import { isBuiltFor } from "../state/RuleBuild.ts"
import { deviceText, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { countOccurrence } from "./countOccurrence.ts"
import { countingKeys, ringOf } from "./ringOf.ts"

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
  /** The people who leave segments because they are no people any more, and who are in paused ones again. */
  readonly told: Array<SegmentEffect> = []
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
        this.noteAttributes(change)
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
        return this.unite(change)
      case "PersonAbsorbed":
        return this.absorb(change)
      case "PeopleSeparated":
        return this.separate(change)
      case "SubjectDeleted":
        this.noteObject(change.key, true)
        return this.remove(change.key)
      case "PeopleWalked":
        return this.noteWalked(change.key, change.people)
      case "IdentifierConfirmed":
      case "MovedNameUsed":
      case "OriginsNoted":
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

  /** Notes what an entry of a person or visitor records. Returns the changes of leaf states that follow from it. */
  noteEntry(entry: ActivityEntry, key: SubjectKey): ReadonlyArray<Change> {
    const occurrence = occurrenceIn(entry)
    const found = occurrence === null ? none : this.rules.leaves.counts(occurrence)
    const holder = found.length === 0 ? undefined : this.state.subjects.get(key)
    if (holder?._tag !== "Person" && holder?._tag !== "Visitor") return none
    const counted = countedIn(entry)
    const { leafStates } = this.state
    const known = leafStates.get(key)
    const actor = entry.subject ?? key
    const states = new Map<SubjectKey, LeafState>()
    const apart = new Map<SubjectKey, LeafState>()
    for (const { counted: leaf, group } of found) {
      if (!counts(leaf, entry, counted)) continue
      const { due, ring: own } = known?.get(group.key) ?? emptyLeafState
      const ring = actor === key ? own : (leafStates.get(actor)?.get(group.key)?.ring ?? [])
      const before = { due, ring, others: ringOf(leafStates, holder, group, actor) }
      const after = countOccurrence(group, holder, before, counted, entry.receivedAt)
      if (after === null) continue
      if (actor === key) states.set(group.key, { ring: after.ring, due: after.due })
      else {
        apart.set(group.key, { ring: after.ring, due: null })
        if (after.due !== due) states.set(group.key, { ring: own, due: after.due })
      }
      if (after.decides) this.noteGroups(key, [group])
    }
    const changes: Array<Change> = []
    if (states.size > 0) changes.push({ _tag: "LeafStatesSet", key, states })
    if (apart.size > 0) changes.push({ _tag: "LeafStatesSet", key: actor, states: apart })
    return changes
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

  private noteAttributes({ entries, key }: ChangeOf<"AttributesAssigned">): void {
    this.noteObject(key, false)
    if (!this.rules.leaves.isAboutAttributes) return
    for (const name of entries.keys()) this.noteTopic(key, topics.attribute(attributeTopic(name)))
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
        placesOf(group).some((place) => segments[place]?._tag === "Building"),
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
  private unite({
    key,
    owner,
    since,
  }: Pick<ChangeOf<"VisitorAttached">, "key" | "owner" | "since">): ReadonlyArray<Change> {
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

  /** The owner of a merged person counts what they did, too. It stays apart, and is due for nobody but the owner. */
  private absorb({ key, owner }: ChangeOf<"PersonAbsorbed">): ReadonlyArray<Change> {
    const person = this.state.subjects.get(key)
    if (person?._tag !== "Person") return none
    this.noteLeaving(person)
    for (const one of countingKeys([person])) this.noteLeavesOf(owner, this.state.leafStates.get(one))
    const states = new Map<SubjectKey, LeafState>()
    for (const [leaf, { due, ring }] of this.state.leafStates.get(key) ?? none) {
      if (due !== null) states.set(leaf, { ring, due: null })
    }
    return states.size === 0 ? none : [{ _tag: "LeafStatesSet", key, states }]
  }

  /**
   * All rules are evaluated again for both people, with what each of them did, unless the secondary is erased at once. What visitors of the secondary did who were
   * counted apart is the secondary's again.
   */
  private separate({ erases, primary, secondary }: ChangeOf<"PeopleSeparated">): ReadonlyArray<Change> {
    for (const { key } of erases === true ? [primary] : [primary, secondary]) {
      this.noteGroups(key, this.rules.leaves.groups.values())
    }
    if (erases === true) return none
    this.holder(secondary.key).isNew = true
    for (const { _tag, key, members, version } of this.rules.segments) {
      if (_tag !== "Frozen" || !secondary.segments.includes(members)) continue
      this.told.push({ subject: secondary.key, segment: key, version, change: "entered" })
    }
    return secondary.attached.flatMap((attachment) =>
      countsApart(attachment) ? none : this.unite({ ...attachment, owner: secondary.key }),
    )
  }

  private remove(key: SubjectKey): ReadonlyArray<Change> {
    const { leafStates, subjects } = this.state
    const subject = subjects.get(key)
    const removed = (one: SubjectKey): ReadonlyArray<Change> =>
      leafStates.has(one) ? [{ _tag: "LeafStatesRemoved", key: one }] : none
    switch (subject?._tag) {
      case "Person":
        this.noteLeaving(subject)
        return Array.from(countingKeys([subject])).flatMap(removed)
      case "Attached":
        this.noteLeavesOf(subject.owner, leafStates.get(key))
        return removed(key)
      default:
        return removed(key)
    }
  }

  /** Notes that entries tell which segments somebody leaves who is no person any more. */
  private noteLeaving({ key: subject, segments }: Person): void {
    if (segments.length === 0) return
    const own = new Set(segments)
    const isBuilt = isBuiltBy(this.state, subject)
    for (const version of this.rules.segments) {
      if (!own.has(version.members) || !isTold(version, isBuilt)) continue
      this.told.push({ subject, segment: version.key, version: version.version, change: "left" })
    }
  }
}

/** Returns whether the build under way, if any, has passed a person. */
export const isBuiltBy = ({ rules, subjects }: WorkingSet, person: SubjectKey): boolean => {
  const build = rules.build === null ? undefined : subjects.get(rules.build)
  return build?._tag === "RuleBuild" && isBuiltFor(build, person)
}

/**
 * Returns whether entries tell who enters and leaves a version. Of two versions of a segment, they tell about one for each
 * person, so that everybody enters and leaves in turns.
 */
export const isTold = (version: IndexedVersion, isBuilt: boolean): boolean =>
  version._tag === "Building"
    ? version.announces || version.replaces === null
    : !(version.isAnnouncedByNext && isBuilt)

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
