import type { WebhookDocument } from "@inlet/api/management/Webhooks"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/api.ts"
import { Button } from "../../shared/Button.tsx"
import { ModalDialog } from "../../shared/ModalDialog.tsx"
import { settingsOf, WebhookFields, type WebhookDraft } from "./WebhookFields.tsx"

interface EditWebhookDialogProps {
  readonly w: string
  readonly webhook: WebhookDocument
  readonly onClose: () => void
}

const draftOf = (webhook: WebhookDocument): WebhookDraft => ({
  name: webhook.name,
  url: webhook.url,
  kind: webhook.kind,
  events: webhook.events.join(", "),
  filter: webhook.filter ?? "",
  ordering: webhook.ordering,
  retry: webhook.retry,
  firstOnly: webhook.first_only,
  bodyContent: webhook.body_content,
})

/** Edits the settings of a webhook. Events that wait are sent with the new settings. */
export const EditWebhookDialog = ({ onClose, w, webhook }: EditWebhookDialogProps) => {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(webhook))
  const save = useMutation({
    mutationFn: () => api.webhooks.update(w, webhook.webhook_id, settingsOf(draft)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [w, "webhooks"] })
      onClose()
    },
  })
  return (
    <ModalDialog onClose={onClose} title={`Edit ${webhook.name}`}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <WebhookFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
        {save.error === null ? null : (
          <p className="text-sm text-red" role="alert">
            {save.error.message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button disabled={save.isPending} tone="primary" type="submit">
            Save changes
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
