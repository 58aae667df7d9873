import type { Counted, Ring } from "../state/LeafState.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Count, Window } from "./Rule.ts"

/** Returns the number of occurrences that decide a count: with one more than `n`, the rest makes no difference. */
export const neededFor = ({ n, operator }: Count): number => (operator === "gte" ? n : n + 1)

const isNewer = (one: Counted, other: Counted): boolean =>
  one.at > other.at || (one.at === other.at && one.position > other.position)

/** Adds an occurrence to the ring of a person. Returns the same ring if the occurrence is too old to matter. */
export const insert = (ring: Ring, counted: Counted, needed: number): Ring => {
  let place = 0
  for (const one of ring) {
    if (isNewer(counted, one)) break
    place++
  }
  if (place >= needed) return ring
  return place === 0
    ? [counted, ...ring.slice(0, needed - 1)]
    : ring.toSpliced(place, 0, counted).slice(0, needed)
}

/** The largest number of occurrences in the ring of a visitor. */
const visitorRingMax = 1000

/**
 * Adds an occurrence to the ring of a visitor. A person who gets the visitor's anonymous id gets only the occurrences that were
 * received in the days before, and a visitor who becomes a person keeps them all. So an occurrence is dropped once it cannot
 * matter to either: when `needed` others are newer and were not received earlier.
 */
export const insertForVisitor = (ring: Ring, counted: Counted, needed: number): Ring => {
  const all = insert(ring, counted, visitorRingMax)
  return all.filter((one, i) => {
    let better = 0
    for (let newer = 0; newer < i && better < needed; newer++) {
      if ((all[newer]?.receivedAt ?? 0) >= one.receivedAt) better++
    }
    return better < needed
  })
}

/** Returns the newest occurrences of two rings, each once. */
export const unite = (ring: Ring, other: Ring, needed: number): Ring =>
  other.reduce(
    (united, counted) =>
      united.some(({ position }) => position === counted.position) ? united : insert(united, counted, needed),
    ring,
  )

/** Whether a leaf holds, and the next time at which that may change without any request; null if it never will. */
export interface Truth {
  readonly holds: boolean
  readonly flipsAt: EpochMillis | null
}

export const satisfies = ({ n, operator }: Count, times: number): boolean => {
  switch (operator) {
    case "gte":
      return times >= n
    case "lte":
      return times <= n
    case "eq":
      return times === n
  }
}

/** Returns whether the occurrences in a ring satisfy a count now. */
export const holdsWithRing = (ring: Ring, count: Count, window: Window, now: EpochMillis): boolean =>
  satisfies(count, window._tag === "Within" ? timesAfter(ring, now - window.ms) : ring.length)

/** Returns whether the occurrences in a ring satisfy a count now, and when they will no longer, or at last. */
export const truthOfRing = (ring: Ring, count: Count, window: Window, now: EpochMillis): Truth => {
  if (window._tag !== "Within") return { holds: satisfies(count, ring.length), flipsAt: null }
  const { ms } = window
  const times = timesAfter(ring, now - ms)
  const holds = satisfies(count, times)
  if (count.operator === "gte") {
    const last = holds ? ring[count.n - 1] : undefined
    return { holds, flipsAt: last === undefined ? null : last.at + ms }
  }
  for (let left = times; left > 0; left--) {
    const expiry = (ring[left - 1]?.at ?? 0) + ms
    const next = ring[left - 2]
    // Occurrences of the same time leave the window together.
    if (next !== undefined && next.at + ms === expiry) continue
    if (satisfies(count, left - 1) !== holds) return { holds, flipsAt: expiry }
  }
  return { holds, flipsAt: null }
}

/** Returns how many occurrences are newer than a time. */
const timesAfter = (ring: Ring, time: EpochMillis): number => {
  let times = 0
  for (const { at } of ring) {
    if (at <= time) break
    times++
  }
  return times
}

/** Returns whether an occurrence can ever be in a window. */
export const fitsWindow = (at: EpochMillis, window: Window): boolean =>
  window._tag !== "Between" || (window.from <= at && at < window.to)
