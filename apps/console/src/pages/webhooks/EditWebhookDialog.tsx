import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { settingsOf, WebhookFields, type WebhookDraft } from "./WebhookFields.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"

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
  const [draft, setDraft] = useState(() => draftOf(webhook))
  const save = useChange({
    call: () => api.webhooks.update(w, webhook.webhook_id, settingsOf(draft)),
    outdates: [w, "webhooks"],
    said: () => `The webhook ${webhook.name} was saved.`,
    onDone: onClose,
  })
  return (
    <FormDialog action={save} onClose={onClose} submit="Save changes" title={`Edit ${webhook.name}`}>
      <WebhookFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
    </FormDialog>
  )
}
