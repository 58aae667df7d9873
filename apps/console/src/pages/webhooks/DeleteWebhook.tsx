import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useQueryClient } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { DeleteButton } from "../../shared/dialogs/DeleteButton.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { reloadAfterDelete } from "../../shared/dialogs/reloadAfterDelete.ts"

interface DeleteWebhookProps {
  readonly w: string
  readonly webhook: WebhookDocument
  readonly onGone: () => void
}

/** The button that deletes a webhook. */
export const DeleteWebhook = ({ onGone, w, webhook }: DeleteWebhookProps) => {
  const queries = useQueryClient()
  const id = webhook.webhook_id
  const refusal = useRefusal("webhooks.delete")
  return (
    <DeleteButton
      kind="webhook"
      name={webhook.name}
      onDelete={async () => {
        await api.webhooks.delete(w, id)
        notify(`The webhook ${webhook.name} was deleted.`)
        onGone()
        await reloadAfterDelete(queries, [w, "webhooks"], [w, "webhooks", id])
      }}
      refusal={refusal}
    >
      Events that wait for another attempt are not sent, and the attempts are deleted. The activity log keeps
      its entries.
    </DeleteButton>
  )
}
