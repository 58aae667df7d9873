import { useState } from "react"
import { Field } from "./Field.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { isTime, minuteMs, secondMs, type Period } from "./period.ts"

interface PeriodDialogProps {
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly onClose: () => void
}

const missing = "Enter a date and a time."

/** Asks for the start and the end of a period, in the local time of the operator. */
export const PeriodDialog = ({ onClose, onPeriod, period }: PeriodDialogProps) => {
  const [from, setFrom] = useState(() => localText(Date.parse(period.from)))
  const [to, setTo] = useState(() => localText(Date.parse(period.to) + secondMs - 1))
  const problems = problemsOf(from, to)
  const show = (): void => {
    onPeriod({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })
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
        label="From (your local time)"
        onChange={(event) => setFrom(event.target.value)}
        required
        step={1}
        type="datetime-local"
        value={from}
      />
      <Field
        error={problems.to}
        help="Operations that the server received at this time or later are not shown."
        label="To (your local time)"
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

/** Returns a time as local time in the format of a `datetime-local` input, in whole seconds. */
const localText = (time: number): string => {
  const offset = new Date(time).getTimezoneOffset() * minuteMs
  return new Date(time - offset).toISOString().slice(0, 19)
}
