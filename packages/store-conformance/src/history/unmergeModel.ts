import { unsubscribedName, type Attributes, type Stamped } from "@inlethq/core/state/Attributes"
import { isTrue } from "@inlethq/core/values/flags"
import type { Device } from "@inlethq/core/state/Device"
import { patchPerson, type Person } from "@inlethq/core/state/Person"
import { isPreference } from "@inlethq/core/state/preferenceBounds"
import type { Relationships } from "@inlethq/core/state/Relationships"
import { deviceText, identifierText, type SubjectKey } from "@inlethq/core/values/Identifier"
import { sameJson } from "@inlethq/core/values/Json"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"

/*
 * What undoing a merge has to give, by the table of `docs/history.md`. It knows whole documents at four moments and no
 * entry of the log, so it shares nothing with the decision that it checks.
 */

/** The two people of a merge before and after it, and everything that they have or had when the merge is undone. */
export interface Moments {
  readonly primaryBefore: Person
  readonly secondaryBefore: Person
  /** The primary right after the merge. */
  readonly merged: Person
  readonly mergedAt: number
  /** The state just before the merge is undone, with every text and subject that the secondary had. */
  readonly now: WorkingSet
  readonly undoneAt: number
  /** The log position of the merge. */
  readonly position: number
  /** Whether events since the merge that named the secondary go back. */
  readonly isDivided: boolean
}

/** The two people afterwards, and the paths of what stays where it is. */
export interface Expected {
  readonly primary: Person
  readonly secondary: Person
  readonly stays: ReadonlySet<string>
}

/** Returns the lookup texts of the identifiers that the primary got from the merge. Only events by these can go back. */
export const movedTexts = (primaryBefore: Person, secondaryBefore: Person): ReadonlySet<string> =>
  new Set(
    namesOf(secondaryBefore).flatMap(({ kind, text }) =>
      kind === "anonymous_id" || primaryBefore[kind] === null ? [text] : [],
    ),
  )

/** Returns what is expected, or null if the merge has to stay. */
export const expectedUnmerge = (moments: Moments): Expected | null => {
  const { now, secondaryBefore } = moments
  const { key } = secondaryBefore
  const primary = now.subjects.get(moments.primaryBefore.key)
  const attached = now.subjects.get(key)
  if (primary?._tag !== "Person" || attached?._tag !== "Attached" || attached.owner !== primary.key)
    return null
  const names = namesOf(secondaryBefore)
  if (names.some(({ text }) => now.suppressed.has(text))) return null
  return new Model(moments, primary).expected()
}

interface Name {
  readonly kind: "id" | "email" | "anonymous_id"
  readonly value: string
  readonly text: string
}

const namesOf = ({ anonymousIds, email, id }: Person): ReadonlyArray<Name> => {
  const name = (kind: Name["kind"], value: string) => ({ kind, value, text: identifierText(kind, value) })
  return [
    ...(id === null ? [] : [name("id", id)]),
    ...(email === null ? [] : [name("email", email)]),
    ...anonymousIds.map((value) => name("anonymous_id", value)),
  ]
}

class Model {
  private readonly moments: Moments
  private readonly primary: Person
  private readonly stays = new Set<string>()

  constructor(moments: Moments, primary: Person) {
    this.moments = moments
    this.primary = primary
  }

  expected(): Expected {
    const { merged, now, primaryBefore, secondaryBefore: theirs } = this.moments
    const { primary } = this
    const taken = merged.segments.filter((key) => !primaryBefore.segments.includes(key))
    const back = theirs.attached.filter(({ key }) => this.isStillOf(key))
    const people = new Set([theirs, ...back].map(({ key }) => key))
    const named = primary.attached.filter(
      ({ key, via }) =>
        via !== undefined &&
        people.has(via.secondary) &&
        via.merge >= this.moments.position &&
        !people.has(key),
    )
    const divided = this.moments.isDivided ? named : []
    const gone = new Set([theirs, ...back, ...divided].map(({ key }) => key))
    const visitors = this.visitors()
    const theirDevices = this.devicesBack()
    const secondary = patchPerson(theirs, {
      ...this.nameOfSecondary("id"),
      ...this.nameOfSecondary("email"),
      anonymousIds: theirs.anonymousIds.filter((value) => {
        const owner = this.ownerOf("anonymous_id", value)
        return owner === undefined || owner === primary.key || visitors.has(owner)
      }),
      attributes: this.attributesOfSecondary(),
      devices: new Map([...theirDevices, ...this.devicesOf(visitors)]),
      segments: theirs.segments.filter((key) => now.subjects.get(key)?._tag === "Segment"),
      attached: [
        ...back,
        ...divided,
        ...[...visitors].map((key) => ({ key, at: this.moments.undoneAt, since: 0, merged: false })),
      ],
      ...(visitors.size > 0 && { updatedAt: this.moments.undoneAt }),
    })
    return {
      primary: patchPerson(primary, {
        ...this.nameOfPrimary("id"),
        ...this.nameOfPrimary("email"),
        anonymousIds: primary.anonymousIds.filter((value) => !theirs.anonymousIds.includes(value)),
        attributes: this.attributes(
          "attributes.",
          primaryBefore.attributes,
          merged.attributes,
          primary.attributes,
        ),
        devices: new Map([...primary.devices].filter(([token]) => !theirDevices.has(token))),
        relationships: this.relationships(),
        segments: primary.segments.filter((key) => !taken.includes(key)),
        attached: primary.attached.filter(({ key }) => !gone.has(key)),
        ...(primary.updatedAt === merged.updatedAt && { updatedAt: primaryBefore.updatedAt }),
      }),
      secondary,
      stays: this.stays,
    }
  }

  private ownerOf(kind: Name["kind"], value: string): SubjectKey | undefined {
    return this.moments.now.identifiers.get(identifierText(kind, value))
  }

  private isStillOf(key: SubjectKey): boolean {
    const one = this.moments.now.subjects.get(key)
    return one?._tag === "Attached" && one.owner === this.primary.key
  }

  /** The visitors who were seen with an identifier of the secondary since the merge. */
  private visitors(): ReadonlySet<SubjectKey> {
    return new Set(
      namesOf(this.moments.secondaryBefore).flatMap(({ kind, value }) => {
        const owner = this.ownerOf(kind, value)
        return owner !== undefined && this.moments.now.subjects.get(owner)?._tag === "Visitor" ? [owner] : []
      }),
    )
  }

  private devicesOf(visitors: ReadonlySet<SubjectKey>): ReadonlyArray<readonly [string, Device]> {
    return [...visitors].flatMap((key) => {
      const visitor = this.moments.now.subjects.get(key)
      return visitor?._tag === "Visitor" ? [...visitor.devices] : []
    })
  }

  /** Whether the primary has an identifier only from the merge. */
  private isTaken(kind: "id" | "email"): boolean {
    const { merged, primaryBefore } = this.moments
    const at = kind === "id" ? "idAt" : "emailAt"
    const { primary } = this
    return primaryBefore[kind] === null && primary[kind] === merged[kind] && primary[at] === merged[at]
  }

  private nameOfPrimary(kind: "id" | "email") {
    const value = this.moments.secondaryBefore[kind]
    const at = kind === "id" ? "idAt" : "emailAt"
    if (value === null || this.primary[kind] !== value || !this.isTaken(kind)) return {}
    return { [kind]: null, [at]: this.moments.primaryBefore[at] }
  }

  private nameOfSecondary(kind: "id" | "email") {
    const at = kind === "id" ? "idAt" : "emailAt"
    const { mergedAt, now, secondaryBefore } = this.moments
    const value = secondaryBefore[kind]
    if (value === null) return {}
    const owner = this.ownerOf(kind, value)
    if (owner === undefined) return {}
    if (owner === this.primary.key && this.isTaken(kind)) return {}
    if (now.subjects.get(owner)?._tag === "Visitor") return { [at]: secondaryBefore[at] ?? mergedAt }
    this.stays.add(kind)
    return { [kind]: null, [at]: null }
  }

  /** Whoever unsubscribed since the merge stays unsubscribed. */
  private attributesOfSecondary(): Attributes {
    const { mergedAt, secondaryBefore } = this.moments
    const { attributes } = secondaryBefore
    const unsubscribed = this.primary.attributes.get(unsubscribedName)
    const isSince = unsubscribed !== undefined && isTrue(unsubscribed.value) && unsubscribed.at >= mergedAt
    const isOwn = isTrue(attributes.get(unsubscribedName)?.value)
    return isSince && !isOwn ? new Map([...attributes, [unsubscribedName, unsubscribed]]) : attributes
  }

  /** Every attribute that the merge changed is as it was before, unless it changed since. */
  private attributes(prefix: string, before: Attributes, merged: Attributes, now: Attributes): Attributes {
    const next = new Map(now)
    for (const name of new Set([...before.keys(), ...merged.keys()])) {
      if (isPreference(name) || isSame(before.get(name), merged.get(name))) continue
      const old = before.get(name)
      if (!isSame(now.get(name), merged.get(name))) {
        if (now.get(name)?.value != null) this.stays.add(name === unsubscribedName ? name : prefix + name)
      } else if (old === undefined) next.delete(name)
      else next.set(name, old)
    }
    const own = preferencesIn(before)
    if (isSameGroup(own, preferencesIn(merged))) return next
    if (!isSameGroup(preferencesIn(now), preferencesIn(merged))) {
      this.stays.add("preferences")
      return next
    }
    return new Map([...[...next].filter(([name]) => !isPreference(name)), ...own])
  }

  private devicesBack(): ReadonlyMap<string, Device> {
    const back = new Map<string, Device>()
    for (const [token, device] of this.moments.secondaryBefore.devices) {
      const now = this.primary.devices.get(token)
      const isOfPrimary = this.moments.now.identifiers.get(deviceText(token)) === this.primary.key
      if (isOfPrimary && now !== undefined && isSameDevice(now, device)) back.set(token, device)
      else this.stays.add(`devices.${token}`)
    }
    return back
  }

  private relationships(): Relationships {
    const { merged, primaryBefore, secondaryBefore } = this.moments
    const next = new Map(this.primary.relationships)
    for (const object of secondaryBefore.relationships.keys()) {
      const before = primaryBefore.relationships.get(object)
      const taken = merged.relationships.get(object)
      const now = next.get(object)
      if (taken === undefined || now === undefined) continue
      if (before !== undefined) next.set(object, this.attributes("relationships.", before, taken, now))
      else if (isSameGroup(taken, now)) next.delete(object)
      else this.stays.add("relationships")
    }
    return next
  }
}

const preferencesIn = (attributes: Attributes): Attributes =>
  new Map([...attributes].filter(([name]) => isPreference(name)))

const isSame = (one: Stamped | undefined, other: Stamped | undefined): boolean =>
  one === undefined || other === undefined
    ? one === other
    : one.at === other.at && sameJson(one.value, other.value)

const isSameGroup = (one: Attributes, other: Attributes): boolean =>
  one.size === other.size && [...one].every(([name, stamped]) => isSame(stamped, other.get(name)))

const isSameDevice = (one: Device, other: Device): boolean =>
  one.platform === other.platform &&
  one.lastUsed === other.lastUsed &&
  isSameGroup(one.attributes, other.attributes)
