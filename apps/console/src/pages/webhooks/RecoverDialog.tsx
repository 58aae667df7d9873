import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { Field } from "../../shared/fields/Field.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { counted } from "../../shared/values/figures.ts"
import { timeTyped, useZone, zoneName } from "../../shared/time/zone.ts"
import { useChange } from "../../shared/dialogs/useChange.ts"

interface RecoverDialogProps {
  readonly w: string
  readonly webhook: WebhookDocument
  readonly onClose: () => void
}

/** The dialog that asks for a time. All undelivered events that were received since this time are sent again. */
export const RecoverDialog = ({ onClose, w, webhook }: RecoverDialogProps) => {
  const zone = useZone()
  const [since, setSince] = useState("")
  const recover = useChange({
    call: () => api.webhookAttempts.recover(w, webhook.webhook_id, { since: timeTyped(since, zone) }),
    outdates: [w, "webhooks"],
  })
  return (
    <FormDialog
      action={recover}
      dismiss="Close"
      isComplete={!Number.isNaN(Date.parse(since))}
      onClose={onClose}
      submit="Send again"
      title="Send failed events again"
    >
      <Field
        help="Every event that arrived since this time and was not delivered is sent again. Delivered events are not sent again."
        label={`Since (${zoneName(Date.now(), zone)})`}
        onChange={(event) => setSince(event.target.value)}
        required
        type="datetime-local"
        value={since}
      />
      {recover.data === undefined ? null : (
        <p className="text-sm text-muted" role="status">
          {counted(recover.data.events, "event is", "events are")} sent again.
        </p>
      )}
    </FormDialog>
  )
}
