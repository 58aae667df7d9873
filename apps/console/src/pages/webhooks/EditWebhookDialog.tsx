import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
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
      notify(`The webhook ${webhook.name} was saved.`)
      onClose()
    },
  })
  return (
    <FormDialog action={save} onClose={onClose} submit="Save changes" title={`Edit ${webhook.name}`}>
      <WebhookFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
    </FormDialog>
  )
}
