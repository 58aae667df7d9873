import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { Field } from "../../shared/fields/Field.tsx"
import { timeTyped, useZone, zoneName } from "../../shared/time/zone.ts"
import { counted } from "../../shared/values/figures.ts"

interface RecoverForwardDialogProps {
  readonly w: string
  readonly forward: ForwardDocument
  readonly onClose: () => void
}

/** Asks for a time. What arrived since and was not delivered is sent again. */
export const RecoverForwardDialog = ({ forward, onClose, w }: RecoverForwardDialogProps) => {
  const zone = useZone()
  const [since, setSince] = useState("")
  const recover = useChange({
    call: () => api.forwardAttempts.recover(w, forward.forward_id, { since: timeTyped(since, zone) }),
    outdates: [w, "destinations"],
  })
  return (
    <FormDialog
      action={recover}
      dismiss="Close"
      isComplete={!Number.isNaN(Date.parse(since))}
      onClose={onClose}
      submit="Send again"
      title="Send failed operations again"
    >
      <Field
        help="Every operation that arrived since this time and was not delivered is sent again."
        label={`Since (${zoneName(Date.now(), zone)})`}
        onChange={(event) => setSince(event.target.value)}
        required
        type="datetime-local"
        value={since}
      />
      {recover.data === undefined ? null : (
        <p className="text-sm text-muted" role="status">
          {counted(recover.data.operations, "operation is", "operations are")} sent again.
        </p>
      )}
    </FormDialog>
  )
}
