import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { api } from "../../api/generated.ts"
import { DialogButton } from "../attempts/DialogButton.tsx"
import { RecoverDialog } from "../attempts/RecoverDialog.tsx"
import { SendingActions } from "../attempts/SendingActions.tsx"
import { EditForwardDialog } from "./EditForwardDialog.tsx"

interface ForwardActionsProps {
  readonly w: string
  readonly forward: ForwardDocument
}

export const ForwardActions = ({ forward, w }: ForwardActionsProps) => {
  const id = forward.forward_id
  const outdates = [w, "destinations"]
  return (
    <SendingActions
      isEnabled={forward.enabled}
      kind="forward"
      needs={{ test: "forwardAttempts.test", update: "forwards.update" }}
      outdates={outdates}
      setEnabled={(enabled) => api.forwards.update(w, id, { enabled })}
      test={{
        label: "Test the key",
        receiver: "The receiver",
        run: () => api.forwardAttempts.test(w, id),
        sent: "an empty batch",
      }}
    >
      <DialogButton label="Edit" needs="forwards.update">
        {(close) => <EditForwardDialog forward={forward} onClose={close} w={w} />}
      </DialogButton>
      <DialogButton label="Recover" needs="forwardAttempts.recover">
        {(close) => (
          <RecoverDialog
            onClose={close}
            outdates={outdates}
            recover={async (since) => (await api.forwardAttempts.recover(w, id, { since })).operations}
            thing="operation"
          />
        )}
      </DialogButton>
    </SendingActions>
  )
}
