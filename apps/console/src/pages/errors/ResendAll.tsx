import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { ResultDialog } from "../../shared/dialogs/ResultDialog.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { periodText, type Period } from "../../shared/time/period.ts"
import { useZone } from "../../shared/time/zone.ts"
import { counted } from "../../shared/values/figures.ts"
import { countText } from "./causes.ts"
import { editedCall, type CallEdit } from "./editedCall.ts"
import { operationsOf } from "./operationsOf.ts"

/** The largest number of calls that are sent again at once. */
const resentMax = 1_000

interface ResendAllProps {
  readonly w: string
  readonly cause: CauseDocument
  readonly period: Period
}

/** What became of calls that were sent again. */
interface Resent {
  readonly outcomes: Readonly<Record<string, number>>
  /** Calls of which the log does not have what was sent. */
  readonly lost: number
  readonly isCut: boolean
}

/** A button that sends all calls of a cause in the period again, each with the same edit. */
export const ResendAll = (props: ResendAllProps) => {
  const [isOpen, setOpen] = useState(false)
  const refusal = useRefusal("activity.apply")
  return (
    <>
      <Button onClick={() => setOpen(true)} refusal={refusal}>
        Send all again
      </Button>
      {isOpen ? <ResendAllDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const ResendAllDialog = ({
  cause,
  onClose,
  period,
  w,
}: ResendAllProps & { readonly onClose: () => void }) => {
  const zone = useZone()
  const [edit, setEdit] = useState<CallEdit>({ field: "", value: "" })
  const [done, setDone] = useState(0)
  const isStopped = useRef(false)
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: () =>
      resend({ w, cause, period }, edit, { onDone: setDone, isStopped: () => isStopped.current }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [w] }),
  })
  if (send.data !== undefined) {
    return (
      <ResultDialog onClose={onClose} title="The calls were sent again">
        <Outcomes resent={send.data} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog
      action={send}
      onClose={() => {
        isStopped.current = true
        onClose()
      }}
      submit={send.isPending ? `${counted(done, "call", "calls")} sent…` : "Send all again"}
      title="Send all calls of this cause again"
    >
      <p className="text-sm text-muted">
        {periodText(period, zone)}: {countText(cause)} {cause.count === 1 ? "call" : "calls"}, oldest first,
        at most {counted(resentMax, "call", "calls")}. Each is applied at once and recorded with the source
        management. To look at one before, send the last one again.
      </p>
      <Field
        autoComplete="off"
        help="For example email, or attributes.plan. Leave it empty to send the calls as they were."
        label="Change this field in each call"
        onChange={(event) => setEdit({ ...edit, field: event.target.value })}
        spellCheck={false}
        value={edit.field}
      />
      <Field
        autoComplete="off"
        disabled={edit.field.trim() === ""}
        help="JSON or plain text. Leave it empty to leave the field out."
        label="New value"
        onChange={(event) => setEdit({ ...edit, value: event.target.value })}
        spellCheck={false}
        value={edit.value}
      />
    </FormDialog>
  )
}

const Outcomes = ({ resent: { isCut, lost, outcomes } }: { readonly resent: Resent }) => (
  <div className="space-y-2 text-sm">
    <ul>
      {Object.entries(outcomes).map(([outcome, number]) => (
        <li key={outcome}>
          {counted(number, "call", "calls")} {outcome}
        </li>
      ))}
    </ul>
    {lost === 0 ? null : (
      <p className="text-muted">
        {counted(lost, "call", "calls")} could not be sent: the log does not have what was sent.
      </p>
    )}
    {isCut ? <p className="text-muted">There are more. Choose a shorter period to send them.</p> : null}
  </div>
)

interface Progress {
  readonly onDone: (calls: number) => void
  readonly isStopped: () => boolean
}

const resend = async (
  { cause, period, w }: ResendAllProps,
  edit: CallEdit,
  { isStopped, onDone }: Progress,
): Promise<Resent> => {
  const { isCut, items } = await operationsOf(w, cause, period, resentMax)
  const outcomes: Record<string, number> = {}
  let lost = 0
  let sent = 0
  // One after the other, oldest first, as they came.
  for (const { operation_id } of items.toReversed()) {
    if (isStopped()) break
    const { call } = await api.activity.operation(w, operation_id)
    if (call === null) lost++
    else {
      const { body, method, path } = editedCall(call, edit)
      const { outcome } = await api.activity.apply(w, { method, path, body })
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    onDone(++sent)
  }
  return { outcomes, lost, isCut }
}
