import { useState } from "react"
import { Field } from "./Field.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { minuteMs, type Period } from "./period.ts"

interface PeriodDialogProps {
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly onClose: () => void
}

/** Asks for the start and the end of a period, in the local time of the operator. */
export const PeriodDialog = ({ onClose, onPeriod, period }: PeriodDialogProps) => {
  const [from, setFrom] = useState(() => localText(period.from))
  const [to, setTo] = useState(() => localText(period.to))
  const isComplete = Date.parse(from) < Date.parse(to)
  const show = (): void => {
    onPeriod({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })
    onClose()
  }
  return (
    <FormDialog
      action={{ mutate: show, isPending: false, error: null }}
      isComplete={isComplete}
      onClose={onClose}
      submit="Show period"
      title="Choose a period"
    >
      <Field
        label="From (your local time)"
        onChange={(event) => setFrom(event.target.value)}
        required
        type="datetime-local"
        value={from}
      />
      <Field
        error={isComplete ? undefined : "The end must be later than the start."}
        help="Operations that the server received at this time or later are not shown."
        label="To (your local time)"
        onChange={(event) => setTo(event.target.value)}
        required
        type="datetime-local"
        value={to}
      />
    </FormDialog>
  )
}

/** Returns a time as the text of an input for local times, in whole minutes. */
const localText = (iso: string): string => {
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}
