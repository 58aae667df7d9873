import type { WebhookDocument } from "@inlet/api/management/Webhooks"
import { useMutation } from "@tanstack/react-query"
import { api } from "../../api/api.ts"
import { Button } from "../../shared/Button.tsx"
import { ModalDialog } from "../../shared/ModalDialog.tsx"
import { SigningSecret } from "./SigningSecret.tsx"

interface RotateSecretDialogProps {
  readonly w: string
  readonly webhook: WebhookDocument
  readonly onClose: () => void
}

/** Replaces the signing secret of a webhook, then shows the new secret until the dialog is closed. */
export const RotateSecretDialog = ({ onClose, w, webhook }: RotateSecretDialogProps) => {
  const rotate = useMutation({ mutationFn: () => api.webhooks.rotateSecret(w, webhook.webhook_id) })
  if (rotate.data !== undefined) {
    return (
      <ModalDialog onClose={onClose} title="The new secret is ready">
        <SigningSecret secret={rotate.data.signing_secret} />
        <div className="flex justify-end pt-4">
          <Button onClick={onClose} tone="primary">
            Done
          </Button>
        </div>
      </ModalDialog>
    )
  }
  return (
    <ModalDialog onClose={onClose} title={`Replace the secret of ${webhook.name}`}>
      <p className="text-sm text-muted">
        The old secret stays valid for one day. Libraries for Standard Webhooks accept both secrets until
        then. Change your server to the new secret within this day.
      </p>
      {rotate.error === null ? null : (
        <p className="pt-2 text-sm text-red" role="alert">
          {rotate.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2 pt-4">
        <Button onClick={onClose}>Cancel</Button>
        <Button disabled={rotate.isPending} onClick={() => rotate.mutate()} tone="primary">
          Replace secret
        </Button>
      </div>
    </ModalDialog>
  )
}
