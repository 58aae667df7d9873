import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { api } from "../../api/generated.ts"
import { DialogButton } from "../attempts/DialogButton.tsx"
import { RecoverDialog } from "../attempts/RecoverDialog.tsx"
import { SendingActions } from "../attempts/SendingActions.tsx"
import { EditWebhookDialog } from "./EditWebhookDialog.tsx"
import { RotateSecretDialog } from "./RotateSecretDialog.tsx"

interface WebhookActionsProps {
  readonly w: string
  readonly webhook: WebhookDocument
}

export const WebhookActions = ({ w, webhook }: WebhookActionsProps) => {
  const id = webhook.webhook_id
  const outdates = [w, "webhooks"]
  return (
    <SendingActions
      isEnabled={webhook.enabled}
      kind="webhook"
      needs={{ test: "webhookAttempts.test", update: "webhooks.update" }}
      outdates={outdates}
      setEnabled={(enabled) => api.webhooks.update(w, id, { enabled })}
      test={{
        label: "Send a sample",
        receiver: "Your server",
        run: () => api.webhookAttempts.test(w, id),
        sent: "the sample",
      }}
    >
      <DialogButton label="Edit" needs="webhooks.update">
        {(close) => <EditWebhookDialog onClose={close} w={w} webhook={webhook} />}
      </DialogButton>
      <DialogButton label="Recover" needs="webhookAttempts.recover">
        {(close) => (
          <RecoverDialog
            onClose={close}
            outdates={outdates}
            recover={async (since) => (await api.webhookAttempts.recover(w, id, { since })).events}
            thing="event"
          />
        )}
      </DialogButton>
      <DialogButton label="Replace secret" needs="webhooks.rotateSecret">
        {(close) => <RotateSecretDialog onClose={close} w={w} webhook={webhook} />}
      </DialogButton>
    </SendingActions>
  )
}
