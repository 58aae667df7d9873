import { isRolling, rollingPeriods, type Period } from "../../shared/time/period.ts"

/** The lengths of a bar in seconds, so that bars begin at round times of day. */
const stepSeconds = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400] as const

/** The largest number of bars of a chart. */
const stepsMax = 100

/** The longest bar that the server counts, in seconds. The chart of a longer period shows its end. */
const stepSecondsMax = 31 * 86_400

/** The period of a chart without a chosen period. */
const defaultMs = rollingPeriods["24h"].ms

interface ChartSteps {
  readonly from: string
  readonly to: string
  readonly step: number
}

/**
 * Returns the bars of a chart of a period, in the parameters of a request for their counts. The bars of a period that
 * ends now keep their places until the next bar begins.
 */
export const chartSteps = (period: Period | undefined, now: number): ChartSteps => {
  if (period !== undefined && !isRolling(period)) {
    const start = Date.parse(period.from)
    // Nothing was received after now, unless the whole period is still to come.
    const to = start < now ? Math.min(Date.parse(period.to), now) : Date.parse(period.to)
    const from = Math.max(start, to - stepsMax * stepSecondsMax * 1000)
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), step: stepOf(to - from) }
  }
  const ms = period === undefined ? defaultMs : rollingPeriods[period.last].ms
  const step = stepOf(ms)
  const to = Math.ceil(now / (step * 1000)) * step * 1000
  return { from: new Date(to - ms).toISOString(), to: new Date(to).toISOString(), step }
}

const stepOf = (ms: number): number =>
  stepSeconds.find((seconds) => ms / (seconds * 1000) <= stepsMax) ?? Math.ceil(ms / 1000 / stepsMax)
