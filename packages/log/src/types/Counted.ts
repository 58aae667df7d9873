import { dayMs, hourMs } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { seenFrom, StoredSeen, storedSeen, type Seen } from "./Seen.ts"

/** The days and the hours that are kept of a count. */
const daysMax = 31
const hoursMax = 168

/** The most senders of which a count is kept. Further ones are not told apart. */
const sendersMax = 32

/** The count of one day, and when the first and the last of it were received. */
const StoredDay = Schema.Tuple([Schema.Int, Schema.Int, Schema.Int, Schema.Int])

const StoredSender = Schema.Tuple([Schema.Int, Schema.Int, StoredSeen, StoredSeen])

/** How a count is stored: first, last, number, days, hours and senders. */
export const StoredCount = Schema.Struct({
  f: StoredSeen,
  l: StoredSeen,
  n: Schema.Int,
  d: Schema.Array(StoredDay),
  h: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int])),
  s: Schema.Array(StoredSender),
})
export type StoredCount = typeof StoredCount.Type

/** What was counted in one day, in UTC. */
export interface CountedDay {
  readonly day: number
  count: number
  readonly firstAt: number
  lastAt: number
}

/** What one sender sent. */
export interface CountedSender {
  readonly sender: number
  count: number
  readonly first: Seen
  last: Seen
}

/** Counts entries: in all, by day, by hour and by sender. */
export class Counted {
  readonly first: Seen
  last: Seen
  count = 0
  /** The newest `daysMax` days with entries, oldest first. */
  days: Array<CountedDay> = []
  /** The newest `hoursMax` hours with entries, oldest first. */
  hours: Array<{ readonly hour: number; count: number }> = []
  readonly senders = new Map<number, CountedSender>()

  constructor(first: Seen) {
    this.first = first
    this.last = first
  }

  /** Whether an entry is counted. It may be added again, because rows are stored before the cursor of the log moves. */
  has({ position }: Seen): boolean {
    return this.count > 0 && position <= this.last.position
  }

  add(seen: Seen): void {
    this.count++
    this.last = seen
    this.addToDay(seen.receivedAt)
    this.addToHour(Math.floor(seen.receivedAt / hourMs))
    const known = this.senders.get(seen.sender)
    if (known !== undefined) {
      known.count++
      known.last = seen
    } else if (this.senders.size < sendersMax) {
      this.senders.set(seen.sender, { sender: seen.sender, count: 1, first: seen, last: seen })
    }
  }

  /** Returns how many were received from a time on, up to the hour, or null if that is longer ago than what is kept. */
  since(time: number): number | null {
    const first = this.hours[0]
    const hour = Math.floor(time / hourMs)
    if (this.first.receivedAt >= time) return this.count
    if (first !== undefined && first.hour <= hour) {
      return this.hours.reduce((sum, one) => (one.hour >= hour ? sum + one.count : sum), 0)
    }
    const day = Math.floor(time / dayMs)
    const [firstDay] = this.days
    if (firstDay === undefined || firstDay.day > day) return null
    return this.days.reduce((sum, one) => (one.day >= day ? sum + one.count : sum), 0)
  }

  /**
   * Returns the median time between two entries in the days that are kept, or null if there is only one entry. Within a day,
   * entries count as if they were spread evenly between the first and the last.
   */
  get medianGapMs(): number | null {
    const gaps = this.days.flatMap(({ count, firstAt, lastAt }, index) => {
      const previous = this.days[index - 1]
      const within = count > 1 ? [{ ms: (lastAt - firstAt) / (count - 1), times: count - 1 }] : []
      return previous === undefined ? within : [{ ms: firstAt - previous.lastAt, times: 1 }, ...within]
    })
    const times = gaps.reduce((sum, gap) => sum + gap.times, 0)
    let before = 0
    for (const gap of gaps.toSorted((a, b) => a.ms - b.ms)) {
      before += gap.times
      if (before * 2 >= times) return gap.ms
    }
    return null
  }

  private addToDay(receivedAt: number): void {
    const day = Math.floor(receivedAt / dayMs)
    const last = this.days.at(-1)
    // The receipt times of a workspace never go back, so an entry is of the last day or of a later one.
    if (last !== undefined && last.day >= day) {
      last.count++
      last.lastAt = receivedAt
      return
    }
    this.days.push({ day, count: 1, firstAt: receivedAt, lastAt: receivedAt })
    this.days = this.days.filter((one) => one.day > day - daysMax)
  }

  private addToHour(hour: number): void {
    const last = this.hours.at(-1)
    if (last !== undefined && last.hour >= hour) {
      last.count++
      return
    }
    this.hours.push({ hour, count: 1 })
    this.hours = this.hours.filter((one) => one.hour > hour - hoursMax)
  }

  stored(): StoredCount {
    return {
      f: storedSeen(this.first),
      l: storedSeen(this.last),
      n: this.count,
      d: this.days.map(({ count, day, firstAt, lastAt }) => [day, count, firstAt, lastAt]),
      h: this.hours.map(({ count, hour }) => [hour, count]),
      s: Array.from(this.senders.values(), ({ count, first, last, sender }) => [
        sender,
        count,
        storedSeen(first),
        storedSeen(last),
      ]),
    }
  }

  static from(stored: StoredCount): Counted {
    const counted = new Counted(seenFrom(stored.f))
    counted.last = seenFrom(stored.l)
    counted.count = stored.n
    counted.days = stored.d.map(([day, count, firstAt, lastAt]) => ({ day, count, firstAt, lastAt }))
    counted.hours = stored.h.map(([hour, count]) => ({ hour, count }))
    for (const [sender, count, first, last] of stored.s) {
      counted.senders.set(sender, { sender, count, first: seenFrom(first), last: seenFrom(last) })
    }
    return counted
  }
}
