import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { ModalDialog } from "./ModalDialog.tsx"

interface ResultDialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

/** Shows what an action created until the operator closes the dialog. */
export const ResultDialog = ({ children, onClose, title }: ResultDialogProps) => (
  <ModalDialog onClose={onClose} title={title}>
    {children}
    <div className="flex justify-end pt-4">
      <Button onClick={onClose} tone="primary">
        Done
      </Button>
    </div>
  </ModalDialog>
)
