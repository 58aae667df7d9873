import { setBack } from "../decision/setBack.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { FieldChange, Fault } from "../log/Outcome.ts"
import type { AttributesBefore } from "../log/Overwritten.ts"
import { decisionTexts } from "../log/operationTexts.ts"
import {
  isReserved,
  noAttributes,
  unsubscribedName,
  type Attributes,
  type Stamped,
} from "../state/Attributes.ts"
import type { Device, Devices } from "../state/Device.ts"
import { emptyPerson, noOrigins, patchPerson, type Origins, type Person } from "../state/Person.ts"
import { isPreference, preferencesName } from "../state/preferenceBounds.ts"
import { isTrue } from "../values/flags.ts"
import { filledPreferences } from "../state/storedPreferences.ts"
import type { Relationships } from "../state/Relationships.ts"
import { hasRule } from "../state/Segment.ts"
import type { Visitor } from "../state/Visitor.ts"
import { deviceText, identifierText, type Identifier, type SubjectKey } from "../values/Identifier.ts"
import { sameJson } from "../values/Json.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { namedSince } from "./movedNames.ts"
import { withoutGone } from "./mergeChain.ts"
import { anonymousIdsChange } from "./anonymousIdsChange.ts"
import type { UnmergePeople } from "./commands.ts"

/** A visitor who was seen with an identifier of the secondary since the merge. The secondary takes the visitor over. */
interface ReturningVisitor {
  readonly visitor: Visitor
  readonly identifier: Identifier
  readonly setAt: number
}

/** Separates the two people of a merge. What is no longer as the merge left it stays where it is, and is noted. */
export class Separation {
  readonly visitors: Array<ReturningVisitor> = []
  readonly fields: Array<FieldChange> = []
  private readonly state: WorkingSet
  private readonly receipt: UnmergePeople["receipt"]
  private readonly isDivided: boolean
  /** Whether the secondary is erased at once. */
  private readonly erases: boolean
  private readonly primary: Person
  /** The secondary before the merge. */
  private readonly secondary: Person
  private readonly faults: Array<Fault>

  constructor(
    state: WorkingSet,
    { divide, erases, receipt: given, secondary }: UnmergePeople,
    primary: Person,
    createdAt: number,
    { faults }: DecisionDraft,
  ) {
    const receipt = withoutGone(state, given)
    this.state = state
    this.receipt = receipt
    this.isDivided = divide
    this.erases = erases === true
    this.primary = primary
    this.faults = faults
    this.secondary = setBack(emptyPerson(secondary, state.workspace, createdAt), receipt.secondary)
  }

  /** The identifiers that the secondary had. */
  get identifiers(): ReadonlyArray<Identifier> {
    const { anonymousIds, email, id } = this.secondary
    return [
      ...(id === null ? [] : [{ kind: "id", value: id } as const]),
      ...(email === null ? [] : [{ kind: "email", value: email } as const]),
      ...anonymousIds.map((value) => ({ kind: "anonymous_id", value }) as const),
    ]
  }

  /**
   * Returns a fault if the secondary had objects or segments that were deleted since. The decision does not depend on them,
   * because housekeeping forgets at any time what was deleted.
   */
  deleted(): ReadonlyArray<Fault> {
    const { relationships, segments } = this.secondary
    return [
      ...([...relationships.keys()].some((key) => this.isDeletedSince(key))
        ? [decisionTexts.goneSinceMerge("relationships")]
        : []),
      ...(segments.some((key) => this.isDeletedSince(key)) ? [decisionTexts.goneSinceMerge("segments")] : []),
    ]
  }

  private isDeletedSince(key: SubjectKey): boolean {
    const subject = this.state.subjects.get(key)
    return subject === undefined || (subject._tag === "Erased" && subject.before > this.receipt.position)
  }

  separate(): { readonly primary: Person; readonly secondary: Person } {
    const id = this.identifier("id")
    const email = this.identifier("email")
    const anonymous = this.anonymousIds()
    const devices = this.devices()
    const attached = this.attached()
    const { mergedAt, primary: before } = this.receipt
    const { key } = this.secondary
    const moved = new Set([key, ...attached.map((one) => one.key)])
    const primary = patchPerson(this.primary, {
      ...id.primary,
      ...email.primary,
      anonymousIds: anonymous.primary,
      attributes: this.withoutTaken(
        this.primary.attributes,
        before.attributes,
        this.secondary.attributes,
        attributesPath,
      ),
      devices: devices.primary,
      relationships: this.relationships(),
      segments: this.primary.segments.filter((segment) => before.segments?.added.includes(segment) !== true),
      attached: this.primary.attached.filter((one) => !moved.has(one.key)),
      ...(this.primary.updatedAt === mergedAt &&
        before.updatedAt !== undefined && { updatedAt: before.updatedAt }),
    })
    const secondary = patchPerson(this.secondary, {
      former: this.primary.attached.find((one) => one.key === key)?.former ?? [],
      ...id.secondary,
      ...email.secondary,
      anonymousIds: anonymous.secondary,
      attributes: this.stricter(),
      devices: devices.secondary,
      relationships: this.existing(),
      segments: this.segments(),
      attached,
      origins: this.origins(attached),
    })
    return { primary, secondary }
  }

  /** Gives an `id` or `email` back if the primary still has it as the merge gave it, or if it is free. */
  private identifier(kind: "id" | "email") {
    const at = kind === "id" ? "idAt" : "emailAt"
    const value = this.secondary[kind]
    if (value === null) return { primary: {}, secondary: {} }
    const none = { primary: {}, secondary: { [kind]: null, [at]: null } }
    const identifier = { kind, value }
    const owner = this.state.identifiers.get(identifierText(kind, value))
    if (owner === undefined) return { primary: {}, secondary: {} }
    const { primary: before } = this.receipt
    if (owner === this.primary.key) {
      const isAsMerged = before[kind] !== undefined && this.primary[kind] === value
      if (!isAsMerged || this.primary[at] !== this.secondary[at]) {
        this.faults.push({ ...decisionTexts.changedSinceMerge(kind), value })
        return none
      }
      this.fields.push({ path: kind, from: value, to: before[kind] ?? null })
      const setAt = before[at] === undefined ? this.primary[at] : before[at]
      return { primary: { [kind]: before[kind] ?? null, [at]: setAt }, secondary: {} }
    }
    this.takeOver(identifier, owner, this.secondary[at] ?? this.receipt.mergedAt)
    return none
  }

  private anonymousIds() {
    const back: Array<string> = []
    for (const value of this.secondary.anonymousIds) {
      const identifier = { kind: "anonymous_id", value } as const
      const owner = this.state.identifiers.get(identifierText("anonymous_id", value))
      if (owner === undefined || owner === this.primary.key) back.push(value)
      else this.takeOver(identifier, owner, this.receipt.mergedAt)
    }
    const left = this.primary.anonymousIds.filter((value) => !back.includes(value))
    const removed = this.primary.anonymousIds.filter((value) => back.includes(value))
    if (removed.length > 0) this.fields.push(anonymousIdsChange(removed, []))
    return { primary: left, secondary: back }
  }

  /** Takes over the visitor who has an identifier of the secondary. A person keeps it. */
  private takeOver(identifier: Identifier, owner: SubjectKey, setAt: number): void {
    const holder = this.state.subjects.get(owner)
    if (holder?._tag === "Visitor") {
      this.visitors.push({ visitor: holder, identifier, setAt })
      return
    }
    const path = identifier.kind === "anonymous_id" ? "anonymous_ids" : identifier.kind
    this.faults.push({ ...decisionTexts.elsewhereSinceMerge(path), value: identifier.value, other: owner })
  }

  private devices(): { readonly primary: Devices; readonly secondary: Devices } {
    const mine = new Map(this.primary.devices)
    const theirs = new Map<string, Device>()
    for (const [token, device] of this.secondary.devices) {
      const path = `devices.${token}`
      const owner = this.state.identifiers.get(deviceText(token))
      const now = this.primary.devices.get(token)
      if (owner === undefined) this.faults.push(decisionTexts.goneSinceMerge(path))
      else if (owner !== this.primary.key || now === undefined) {
        this.faults.push({ ...decisionTexts.elsewhereSinceMerge(path), other: owner })
      } else if (!isSameDevice(now, device)) this.faults.push(decisionTexts.changedSinceMerge(path))
      else {
        mine.delete(token)
        theirs.set(token, device)
        this.fields.push({ path, from: device.platform, to: null })
      }
    }
    return { primary: mine, secondary: theirs }
  }

  /** Returns attributes without those that the merge took over, as long as they still have its values and times. */
  private withoutTaken(
    current: Attributes,
    before: AttributesBefore | undefined,
    taken: Attributes,
    path: string,
  ): Attributes {
    const next = new Map(current)
    let hasPreference = false
    for (const [name, old] of before ?? noneBefore) {
      if (isPreference(name)) {
        hasPreference = true
        continue
      }
      const now = current.get(name)
      if (now === undefined || !isSame(now, taken.get(name))) {
        if (now?.value != null)
          this.faults.push({ ...decisionTexts.changedSinceMerge(pathOf(path, name)), value: now.value })
        continue
      }
      if (old === null) next.delete(name)
      else next.set(name, { at: old.at, value: old.value === undefined ? now.value : old.value })
      this.fields.push({ path: pathOf(path, name), from: now.value, to: old?.value ?? null })
    }
    return hasPreference ? this.withPreferences(next, before ?? noneBefore, taken) : next
  }

  private withPreferences(current: Attributes, before: AttributesBefore, taken: Attributes): Attributes {
    const own = new Map<string, Stamped>()
    for (const [name, old] of before) {
      const value = old?.value === undefined ? current.get(name)?.value : old.value
      if (old !== null && isPreference(name) && value !== undefined) own.set(name, { at: old.at, value })
    }
    const times = [...own, ...taken].flatMap(([name, { at }]) => (isPreference(name) ? [at] : []))
    const merged = this.receipt.preferences ?? {
      value: filledPreferences(own, taken),
      at: Math.max(...times),
    }
    const now = [...current].filter(([name]) => isPreference(name))
    const [only] = now
    if (isSameGroup(new Map(now), own)) return current
    if (now.length !== 1 || only?.[0] !== preferencesName || !isSame(only[1], merged)) {
      this.faults.push(decisionTexts.changedSinceMerge(preferencesName))
      return current
    }
    this.fields.push({
      path: preferencesName,
      from: merged.value,
      to: own.get(preferencesName)?.value ?? null,
    })
    return new Map([...[...current].filter(([name]) => !isPreference(name)), ...own])
  }

  private relationships(): Relationships {
    const next = new Map(this.primary.relationships)
    for (const [object, before] of this.receipt.primary.relationships ?? []) {
      const now = this.primary.relationships.get(object)
      if (now === undefined) continue
      const taken = this.secondary.relationships.get(object) ?? noAttributes
      const path = `relationships.`
      if (before !== null) next.set(object, this.withoutTaken(now, before, taken, path))
      else if (isAsTaken(now, taken)) next.delete(object)
      else this.faults.push(decisionTexts.changedSinceMerge("relationships"))
    }
    return next
  }

  /** The attributes of the secondary. Who unsubscribed since the merge stays unsubscribed, whichever of the two it was. */
  private stricter(): Attributes {
    const now = this.primary.attributes.get(unsubscribedName)
    const { attributes } = this.secondary
    const isSince = now !== undefined && now.at >= this.receipt.mergedAt && isTrue(now.value)
    return isSince && !isTrue(attributes.get(unsubscribedName)?.value)
      ? new Map([...attributes, [unsubscribedName, now]])
      : attributes
  }

  /**
   * The relationships of the secondary to objects that still exist. Of somebody who is erased at once all of them, because a batch
   * that also has the merge does not know which exist.
   */
  private existing(): Relationships {
    if (this.erases) return this.secondary.relationships
    return new Map(
      [...this.secondary.relationships].filter(
        ([key]) => this.state.subjects.get(key)?._tag === "DataObject",
      ),
    )
  }

  private segments(): Person["segments"] {
    const { segments } = this.secondary
    return this.erases
      ? segments
      : [...segments.filter((segment) => this.isChosenByHand(segment)), ...this.paused()]
  }

  private isChosenByHand(key: SubjectKey): boolean {
    const segment = this.state.subjects.get(key)
    return segment?._tag === "Segment" && !hasRule(segment)
  }

  /** Nobody enters or leaves a paused segment, so the secondary is in it as before the merge. */
  private paused(): ReadonlyArray<SubjectKey> {
    const { ruled } = this.receipt
    return this.state.rules.segments.flatMap(({ _tag, key, members, version }) =>
      _tag === "Frozen" && ruled.some((one) => one.segment === key && one.version === version)
        ? [members]
        : [],
    )
  }

  /** What the secondary had from people who were merged into them and still are. */
  private origins(attached: Person["attached"]): Origins {
    const from = this.receipt.secondary.from ?? noOrigins
    const merged = new Set(attached.map(({ key }) => key))
    return from.size === 0 ? noOrigins : new Map([...from].filter(([, key]) => merged.has(key)))
  }

  /**
   * The visitors and merged people of the secondary who still belong to the primary, and what has the events since the merge
   * that go back.
   */
  private attached(): Person["attached"] {
    const back = this.secondary.attached.filter(({ key }) => {
      const one = this.state.subjects.get(key)
      return one?._tag === "Attached" && one.owner === this.primary.key
    })
    if (!this.isDivided) return back
    const theirs = new Set([this.secondary.key, ...back.map(({ key }) => key)])
    const named = namedSince(this.primary, theirs, this.receipt.position)
    return [...back, ...named.filter(({ key }) => !theirs.has(key))]
  }
}

const attributesPath = "attributes."

/** Returns the path of an attribute, or of a reserved one, such as `unsubscribed`. */
const pathOf = (path: string, name: string): string =>
  path === attributesPath && isReserved(name) ? name : path + name

const noneBefore: AttributesBefore = new Map()

const isSameGroup = (one: Attributes, other: Attributes): boolean =>
  one.size === other.size && [...one].every(([name, stamped]) => isSame(stamped, other.get(name)))

const isSame = (one: Stamped, other: Stamped | undefined): boolean =>
  other !== undefined && one.at === other.at && sameJson(one.value, other.value)

/** Whether a relationship still has the attributes that a merge took: those of the secondary with a value. */
const isAsTaken = (now: Attributes, taken: Attributes): boolean => {
  const present = [...taken.values()].filter(({ value }) => value !== null).length
  return now.size === present && [...now].every(([name, stamped]) => isSame(stamped, taken.get(name)))
}

const isSameDevice = (one: Device, other: Device): boolean =>
  one.platform === other.platform &&
  one.lastUsed === other.lastUsed &&
  isSameGroup(one.attributes, other.attributes)
