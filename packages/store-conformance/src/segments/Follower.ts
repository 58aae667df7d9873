import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { segmentsOf } from "@inlethq/core/rule/definitions"
import type { RuleIndex } from "@inlethq/core/rule/RuleIndex"
import type { Subject } from "@inlethq/core/state/Subject"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"

/** Who is in which segment, as a store says. */
export interface Membership {
  readonly rules: RuleIndex
  readonly subjects: ReadonlyMap<SubjectKey, Subject>
}

/**
 * Knows who is in which segment from nothing but the entries, as somebody does who reads each as it is committed: everybody
 * enters and leaves in turns, and is in whatever they entered last. Only a rule that takes effect without announcing whom it
 * found makes it read the members anew, as the page says.
 */
export class Follower {
  private readonly members = new Map<SubjectKey, Set<SubjectKey>>()
  /** The segments whose rules took effect since the members were read. */
  private readonly silent = new Set<SubjectKey>()
  /** The segments that have a rule in force, or one that is announced. Nothing is known of the others yet. */
  private followed: ReadonlySet<SubjectKey> = new Set()
  /** The segments whose next rule is announced. */
  private announced: ReadonlySet<SubjectKey> = new Set()

  /** Follows the entries of a commit. Returns what is wrong with them, or null. */
  follow(entries: Iterable<ActivityEntry>): string | null {
    for (const { data, effects, kind, sequence } of entries) {
      for (const segment of kind === "segment_change" ? builtIn(data) : []) {
        if (!this.announced.has(segment)) this.silent.add(segment)
      }
      for (const { change, segment, subject } of effects) {
        if (!this.followed.has(segment) || this.silent.has(segment)) continue
        const known = this.membersOf(segment)
        const isIn = known.has(subject)
        if (isIn === (change === "entered")) return `entry ${sequence}: ${subject} ${change} ${segment} twice`
        if (isIn) known.delete(subject)
        else known.add(subject)
      }
    }
    return null
  }

  /** Compares what is known with what a store says after a commit. Returns the first difference, or null. */
  compare({ rules, subjects }: Membership): string | null {
    const people = [...subjects.values()].filter((subject) => subject._tag === "Person")
    const followed = new Set<SubjectKey>()
    const announced = new Set<SubjectKey>()
    for (const { current, next, segment } of rules.definitions.values()) {
      const { key } = segment
      const isAnnounced = next !== null && segment.next?.announce === true
      if (current === null && !isAnnounced) continue
      followed.add(key)
      if (isAnnounced) announced.add(key)
      const actual = new Set(
        people.flatMap((person) => (segmentsOf(rules, person.segments).includes(key) ? [person.key] : [])),
      )
      if (this.silent.has(key) || !this.followed.has(key)) this.members.set(key, actual)
      // While an announced rule is built, entries tell what it does about those whom the build has passed.
      if (isAnnounced) continue
      const told = [...this.membersOf(key)].toSorted((a, b) => a - b).join()
      const members = [...actual].toSorted((a, b) => a - b).join()
      if (told !== members) return `segment ${key}: entries tell of ${told}, members are ${members}`
    }
    this.silent.clear()
    this.followed = followed
    this.announced = announced
    return null
  }

  private membersOf(segment: SubjectKey): Set<SubjectKey> {
    const known = this.members.get(segment) ?? new Set()
    this.members.set(segment, known)
    return known
  }
}

/** Returns the segments whose rules take effect with an entry. */
const builtIn = (data: Json): ReadonlyArray<SubjectKey> => {
  const segments = isJsonObject(data) ? data["segments"] : undefined
  if (!Array.isArray(segments)) return []
  return segments.flatMap((one) => {
    const id = isJsonObject(one) ? one["segment_id"] : undefined
    return typeof id === "number" ? [SubjectKey.make(id)] : []
  })
}
