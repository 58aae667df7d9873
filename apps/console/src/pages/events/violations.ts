import type { PlanViolationsDocument } from "@inlethq/contract/types/EventTypes"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The operations of a period that did not fit a plan. */
export interface ViolationCount {
  readonly count: number
  /** False if the period begins within an hour or a day that is counted as a whole. */
  readonly isExact: boolean
}

/** Counts what did not fit from a time on, by whole hours where they are kept, and otherwise by whole days. */
export const violationsSince = (found: PlanViolationsDocument | undefined, since: number): ViolationCount => {
  if (found === undefined || Date.parse(found.last.at) < since) return { count: 0, isExact: true }
  if (Date.parse(found.first.at) >= since) return { count: found.count, isExact: true }
  const hasHours = Date.parse(found.hours[0]?.at ?? found.last.at) <= since
  const [unit, parts] = hasHours
    ? [hourMs, found.hours.map(({ at, count }) => ({ at: Date.parse(at), count }))]
    : [dayMs, found.days.map(({ count, day }) => ({ at: Date.parse(day), count }))]
  const count = parts.reduce((sum, part) => (part.at + unit > since ? sum + part.count : sum), 0)
  return { count, isExact: since % unit === 0 }
}

/** Returns who sent the last of them. */
export const lastSender = ({ last, senders }: PlanViolationsDocument) =>
  senders.find((one) => one.last.operation_id === last.operation_id)?.sender ?? senders[0]?.sender ?? null
