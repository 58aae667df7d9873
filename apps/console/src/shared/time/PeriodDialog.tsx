import { useState } from "react"
import { Field } from "../fields/Field.tsx"
import { FormDialog } from "../dialogs/FormDialog.tsx"
import { isTime, secondMs, type FixedPeriod } from "./period.ts"
import { timeTyped, useZone, wallTime, zoneName } from "./zone.ts"

interface PeriodDialogProps {
  readonly period: FixedPeriod
  readonly onPeriod: (period: FixedPeriod) => void
  readonly onClose: () => void
}

const missing = "Enter a date and a time."

/** Asks for the start and the end of a period. */
export const PeriodDialog = ({ onClose, onPeriod, period }: PeriodDialogProps) => {
  const zone = useZone()
  // The fields have whole seconds.
  const [from, setFrom] = useState(() => wallTime(Date.parse(period.from), zone).slice(0, 19))
  const [to, setTo] = useState(() => wallTime(Date.parse(period.to) + secondMs - 1, zone).slice(0, 19))
  const problems = problemsOf(from, to)
  const show = (): void => {
    onPeriod({ from: timeTyped(from, zone), to: timeTyped(to, zone) })
    onClose()
  }
  return (
    <FormDialog
      action={{ mutate: show, isPending: false, error: null }}
      isComplete={problems.from === undefined && problems.to === undefined}
      onClose={onClose}
      submit="Show period"
      title="Choose a period"
    >
      <Field
        error={problems.from}
        label={`From (${zoneName(Date.parse(period.from), zone)})`}
        onChange={(event) => setFrom(event.target.value)}
        required
        step={1}
        type="datetime-local"
        value={from}
      />
      <Field
        error={problems.to}
        help="Operations that the server received at this time or later are not shown."
        label={`To (${zoneName(Date.parse(period.to), zone)})`}
        onChange={(event) => setTo(event.target.value)}
        required
        step={1}
        type="datetime-local"
        value={to}
      />
    </FormDialog>
  )
}

interface PeriodProblems {
  readonly from?: string
  readonly to?: string
}

/**
 * Returns the error message for the start or for the end of a period. Returns an empty object if the period is valid.
 */
const problemsOf = (from: string, to: string): PeriodProblems => {
  if (!isTime(from)) return { from: missing }
  if (!isTime(to)) return { to: missing }
  return Date.parse(from) < Date.parse(to) ? {} : { to: "The end must be later than the start." }
}
