import type { WebhookDocument } from "@inlet/api/management/Webhooks"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/api.ts"
import { Button } from "../../shared/Button.tsx"
import { ConfirmDialog } from "../../shared/ConfirmDialog.tsx"
import { reloadAfterDelete } from "../../shared/reloadAfterDelete.ts"

interface DeleteWebhookProps {
  readonly w: string
  readonly webhook: WebhookDocument
  readonly onGone: () => void
}

/** The button that deletes a webhook. */
export const DeleteWebhook = ({ onGone, w, webhook }: DeleteWebhookProps) => {
  const queries = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const id = webhook.webhook_id
  return (
    <>
      <Button onClick={() => setIsAsking(true)} tone="danger">
        Delete
      </Button>
      {isAsking ? (
        <ConfirmDialog
          action="Delete webhook"
          identifier={webhook.name}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await api.webhooks.delete(w, id)
            onGone()
            await reloadAfterDelete(queries, [w, "webhooks"], [w, "webhooks", id])
          }}
          title={`Delete ${webhook.name}`}
        >
          Events that wait for another attempt are not sent, and the attempts are deleted. The activity log
          keeps its entries.
        </ConfirmDialog>
      ) : null}
    </>
  )
}
