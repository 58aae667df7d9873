import { useState } from "react"
import { inputStyle } from "../fields/Field.tsx"
import { lazily } from "../dialogs/lazily.tsx"
import { PartBoundary } from "../dialogs/PartBoundary.tsx"
import { useZone } from "./zone.ts"
import {
  isRolling,
  periodText,
  rollingNames,
  rollingPeriods,
  type FixedPeriod,
  type Period,
  type RollingName,
} from "./period.ts"

// Dialogs need much script, and most operators never open this dialog.
const PeriodDialog = lazily(async () => (await import("./PeriodDialog.tsx")).PeriodDialog)

interface PeriodChooserProps {
  /** The chosen period. Undefined if operations of any time are shown. */
  readonly period: Period | undefined
  readonly onPeriod: (period: Period | undefined) => void
  /** The periods that end now to choose from. */
  readonly choices?: ReadonlyArray<RollingName>
  /** True if something is shown only of a period. */
  readonly isNeeded?: boolean
}

/**
 * A menu that chooses the period of receipt times: any time, a period that ends now, or a period between two given
 * times.
 */
export const PeriodChooser = ({
  choices = rollingNames,
  isNeeded = false,
  onPeriod,
  period,
}: PeriodChooserProps) => {
  const [isTyping, setTyping] = useState(false)
  const zone = useZone()
  const fixed = period === undefined || isRolling(period) ? undefined : period
  const choose = (value: string): void => {
    const last = rollingNames.find((name) => name === value)
    if (value === "other") setTyping(true)
    else onPeriod(last === undefined ? undefined : { last })
  }
  return (
    <>
      <select
        aria-label="Period"
        className={inputStyle}
        onChange={(event) => choose(event.target.value)}
        title={period === undefined ? undefined : periodText(period, zone)}
        value={period === undefined ? "any" : isRolling(period) ? period.last : "chosen"}
      >
        {isNeeded ? null : <option value="any">Any time</option>}
        {fixed === undefined ? null : <option value="chosen">{periodText(fixed, zone)}</option>}
        {choices.map((name) => (
          <option key={name} value={name}>
            {rollingPeriods[name].label}
          </option>
        ))}
        <option value="other">Other period…</option>
      </select>
      {isTyping ? (
        <PartBoundary onFailure={() => setTyping(false)}>
          <PeriodDialog onClose={() => setTyping(false)} onPeriod={onPeriod} period={fixed ?? lastHour()} />
        </PartBoundary>
      ) : null}
    </>
  )
}

const lastHour = (): FixedPeriod => {
  const now = Date.now()
  return { from: new Date(now - rollingPeriods["1h"].ms).toISOString(), to: new Date(now).toISOString() }
}
