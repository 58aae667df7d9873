import { lazy, Suspense, useState } from "react"
import { inputStyle } from "./Field.tsx"
import { minuteMs, periodText, type Period } from "./period.ts"

// Dialogs need much script, and most operators never open this dialog.
const PeriodDialog = lazy(async () => ({ default: (await import("./PeriodDialog.tsx")).PeriodDialog }))

const presets = [
  ["Last 15 minutes", 15 * minuteMs],
  ["Last hour", 60 * minuteMs],
  ["Last 24 hours", 24 * 60 * minuteMs],
  ["Last 7 days", 7 * 24 * 60 * minuteMs],
  ["Last 30 days", 30 * 24 * 60 * minuteMs],
] as const

interface PeriodChooserProps {
  /** The chosen period. Undefined if operations of any time are shown. */
  readonly period: Period | undefined
  readonly onPeriod: (period: Period | undefined) => void
}

/**
 * A menu that chooses the period of receipt times: any time, a period that ends now, or a period between two given
 * times.
 */
export const PeriodChooser = ({ onPeriod, period }: PeriodChooserProps) => {
  const [isTyping, setTyping] = useState(false)
  const choose = (value: string): void => {
    if (value === "other") setTyping(true)
    else onPeriod(value === "any" ? undefined : periodBeforeNow(Number(value)))
  }
  return (
    <>
      <select
        aria-label="Period"
        className={inputStyle}
        onChange={(event) => choose(event.target.value)}
        title={period === undefined ? undefined : periodText(period)}
        value={period === undefined ? "any" : "chosen"}
      >
        <option value="any">Any time</option>
        {period === undefined ? null : <option value="chosen">{periodText(period)}</option>}
        {presets.map(([label, ms]) => (
          <option key={ms} value={ms}>
            {label}
          </option>
        ))}
        <option value="other">Other period…</option>
      </select>
      {isTyping ? (
        <Suspense>
          <PeriodDialog
            onClose={() => setTyping(false)}
            onPeriod={onPeriod}
            period={period ?? periodBeforeNow(60 * minuteMs)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

const periodBeforeNow = (ms: number): Period => {
  const now = Date.now()
  return { from: new Date(now - ms).toISOString(), to: new Date(now).toISOString() }
}
