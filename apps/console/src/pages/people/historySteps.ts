import type { ActivityDocument } from "../../api/documents.ts"
import { zoneOptions, type Zone } from "../../shared/time/zone.ts"

const written = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const

/** A day of a history, with its last step and how many it has. */
interface HistoryDay {
  readonly day: string
  readonly lastStep: number
  readonly steps: number
}

/** Groups the steps of a history, oldest first, by the day of their receipt. */
export const daysOfSteps = (
  steps: ReadonlyArray<Pick<ActivityDocument, "received_at">>,
  zone: Zone,
): ReadonlyArray<HistoryDay> => {
  const format = new Intl.DateTimeFormat("en", { ...written, ...zoneOptions(zone) })
  const indexed = steps.map(({ received_at }, index) => ({
    day: format.format(new Date(received_at)),
    index,
  }))
  return [...Map.groupBy(indexed, ({ day }) => day)].map(([day, ofDay]) => ({
    day,
    lastStep: ofDay.at(-1)?.index ?? 0,
    steps: ofDay.length,
  }))
}

/** Older steps are needed when a moment is this many steps after the oldest one. */
const stepsAhead = 10

/** Whether older steps are needed to show the moments, and to go back from them. */
export const needsOlder = (
  steps: ReadonlyArray<Pick<ActivityDocument, "sequence">>,
  moments: ReadonlyArray<string | undefined>,
): boolean => moments.some((moment) => moment !== undefined && stepAt(steps, moment) < stepsAhead)

/** Returns the index of the last step up to a position of the log, or -1. */
export const stepAt = (steps: ReadonlyArray<Pick<ActivityDocument, "sequence">>, position: string): number =>
  steps.findLastIndex(({ sequence }) => sequence <= Number(position))
