import type { WebhookDocument } from "@inlet/api/management/Webhooks"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/api.ts"
import { Button } from "../../shared/Button.tsx"
import { Field } from "../../shared/Field.tsx"
import { counted } from "../../shared/figures.ts"
import { ModalDialog } from "../../shared/ModalDialog.tsx"

interface RecoverDialogProps {
  readonly w: string
  readonly webhook: WebhookDocument
  readonly onClose: () => void
}

/** Sends all events again that were received since a time and not delivered. */
export const RecoverDialog = ({ onClose, w, webhook }: RecoverDialogProps) => {
  const queries = useQueryClient()
  const [since, setSince] = useState("")
  const recover = useMutation({
    mutationFn: () => api.webhooks.recover(w, webhook.webhook_id, new Date(since).toISOString()),
    onSuccess: () => queries.invalidateQueries({ queryKey: [w, "webhooks"] }),
  })
  const isValid = !Number.isNaN(Date.parse(since))
  return (
    <ModalDialog onClose={onClose} title="Send failed events again">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid) recover.mutate()
        }}
      >
        <Field
          error={recover.error?.message}
          help="Every event that arrived since this time and was not delivered is sent again. Delivered events are not."
          label="Since (your local time)"
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
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button disabled={!isValid || recover.isPending} tone="primary" type="submit">
            Send again
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
