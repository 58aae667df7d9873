import { useState, type ReactNode } from "react"
import { ActionError } from "./ActionError.tsx"
import { Button } from "../buttons/Button.tsx"
import { ModalDialog } from "./ModalDialog.tsx"
import { UnsavedChanges } from "./UnsavedChanges.tsx"

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

/**
 * A dialog with a form. If the action fails, the dialog stays open and shows the error. Once something was typed, only a
 * button closes it: Esc and a click outside ask first.
 */
export const FormDialog = (props: FormDialogProps) => {
  const { action, actions, children, dismiss = "Cancel", isComplete = true, onClose, submit, title } = props
  const [isChanged, setChanged] = useState(false)
  const [isAsking, setAsking] = useState(false)
  return (
    <ModalDialog onClose={() => (isChanged ? setAsking(!isAsking) : onClose())} title={title}>
      <form
        className="space-y-4"
        onInput={() => {
          setChanged(true)
          setAsking(false)
        }}
        onSubmit={(event) => {
          event.preventDefault()
          action.mutate()
        }}
      >
        {children}
        <ActionError error={action.error} />
        {isAsking ? (
          <Discard onDiscard={onClose} onKeep={() => setAsking(false)} />
        ) : (
          <div className="flex flex-wrap justify-end gap-2">
            {actions}
            <Button onClick={onClose}>{dismiss}</Button>
            <Button disabled={!isComplete || action.isPending} tone="primary" type="submit">
              {submit}
            </Button>
          </div>
        )}
      </form>
      {/* While the action runs, what was typed is being saved, and its success may open another page. */}
      <UnsavedChanges isChanged={isChanged && !action.isPending} />
    </ModalDialog>
  )
}

interface DiscardProps {
  readonly onDiscard: () => void
  readonly onKeep: () => void
}

const Discard = ({ onDiscard, onKeep }: DiscardProps) => (
  <div className="flex flex-wrap items-center justify-end gap-2" role="alert">
    <p className="mr-auto text-sm">Discard what you typed?</p>
    <Button onClick={onDiscard} tone="danger">
      Discard
    </Button>
    <Button autoFocus onClick={onKeep} tone="primary">
      Keep editing
    </Button>
  </div>
)
