import type { ReactNode } from "react"
import { Button } from "../buttons/Button.tsx"
import { ModalDialog } from "./ModalDialog.tsx"

interface ResultDialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

/**
 * Shows the result of an action until the operator closes the dialog. If the operator double-clicks the button of the
 * action, the second click does not close the dialog, because a secret in the dialog is never shown again.
 */
export const ResultDialog = ({ children, onClose, title }: ResultDialogProps) => (
  <ModalDialog isStaying onClose={onClose} title={title}>
    {children}
    <div className="flex justify-end pt-4">
      <Button onClick={({ detail: clicks }) => (clicks > 1 ? undefined : onClose())} tone="primary">
        Done
      </Button>
    </div>
  </ModalDialog>
)
