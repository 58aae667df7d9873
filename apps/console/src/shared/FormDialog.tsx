import type { ReactNode } from "react"
import { ActionError } from "./ActionError.tsx"
import { Button } from "./Button.tsx"
import { ModalDialog } from "./ModalDialog.tsx"

interface FormDialogProps {
  readonly title: string
  /** The fields of the form. */
  readonly children: ReactNode
  /** The label of the submit button: a verb with its object, such as "Create key". */
  readonly submit: string
  /** The label of the button that closes the dialog. */
  readonly dismiss?: string
  /** False while a required field is empty or invalid. */
  readonly isComplete?: boolean
  /** The mutation that the form starts. */
  readonly action: {
    readonly mutate: () => void
    readonly isPending: boolean
    readonly error: Error | null
  }
  /** Buttons before those that close and submit the form. */
  readonly actions?: ReactNode
  readonly onClose: () => void
}

/** A dialog with a form. If the action fails, the dialog stays open and shows the error. */
export const FormDialog = (props: FormDialogProps) => {
  const { action, actions, children, dismiss = "Cancel", isComplete = true, onClose, submit, title } = props
  return (
    <ModalDialog onClose={onClose} title={title}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          action.mutate()
        }}
      >
        {children}
        <ActionError error={action.error} />
        <div className="flex justify-end gap-2">
          {actions}
          <Button onClick={onClose}>{dismiss}</Button>
          <Button disabled={!isComplete || action.isPending} tone="primary" type="submit">
            {submit}
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
