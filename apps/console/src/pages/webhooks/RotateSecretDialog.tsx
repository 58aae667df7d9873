import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { useMutation } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { ResultDialog } from "../../shared/dialogs/ResultDialog.tsx"
import { SigningSecret } from "./SigningSecret.tsx"

interface RotateSecretDialogProps {
  readonly w: string
  readonly webhook: WebhookDocument
  readonly onClose: () => void
}

/** Replaces the signing secret of a webhook, then shows the new secret until the dialog is closed. */
export const RotateSecretDialog = ({ onClose, w, webhook }: RotateSecretDialogProps) => {
  const rotate = useMutation({ mutationFn: () => api.webhooks.rotateSecret(w, webhook.webhook_id, null) })
  if (rotate.data !== undefined) {
    return (
      <ResultDialog onClose={onClose} title="The new secret is ready">
        <SigningSecret secret={rotate.data.signing_secret} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog
      action={rotate}
      onClose={onClose}
      submit="Replace secret"
      title={`Replace the secret of ${webhook.name}`}
    >
      <p className="text-sm text-muted">
        The old secret stays valid for one day. Libraries for Standard Webhooks accept both secrets until
        then. Change your server to the new secret within this day.
      </p>
    </FormDialog>
  )
}
