import { AlertDialog } from "@base-ui/react/alert-dialog"
import { useMutation } from "@tanstack/react-query"
import { useState, type ReactNode } from "react"
import { ActionError } from "./ActionError.tsx"
import { Button } from "../buttons/Button.tsx"
import { ConfirmField, isConfirmed } from "../fields/ConfirmField.tsx"
import { useFocusReturn } from "./focusReturn.ts"

interface ConfirmDialogProps {
  readonly title: string
  /** Explains what the action deletes and what it does not delete. */
  readonly children: ReactNode
  /** The action, as a verb with its object, such as "Delete person". */
  readonly action: string
  /**
   * The identifier that the operator must type before the action is enabled. If `identifier` is undefined, the operator
   * need not type it.
   */
  readonly identifier?: string
  readonly onConfirm: () => Promise<unknown>
  /** Why the session may not do it. Undefined if it may. */
  readonly refusal?: string | undefined
  readonly onClose: () => void
}

/**
 * Asks the operator to confirm an action that cannot be undone. If the action fails, the dialog stays open and shows
 * the error.
 */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { action, children, identifier, onClose, onConfirm, refusal, title } = props
  useFocusReturn()
  const [typed, setTyped] = useState("")
  const run = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  const isTyped = identifier === undefined || isConfirmed(typed, identifier)
  return (
    <AlertDialog.Root open onOpenChange={(open) => (open || run.isPending ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <AlertDialog.Popup
          className="fixed top-1/2 left-1/2 z-50 w-[min(480px,calc(100vw-32px))] -translate-x-1/2 -translate-y-1/2 rounded-lg border border-line bg-raised p-4 shadow-lg"
          finalFocus={false}
        >
          <form
            className="space-y-4"
            onSubmit={(event) => {
              event.preventDefault()
              if (isTyped) run.mutate()
            }}
          >
            <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description className="text-sm text-muted" render={<div />}>
              {children}
            </AlertDialog.Description>
            {identifier === undefined || refusal !== undefined ? null : (
              <ConfirmField identifier={identifier} onChange={setTyped} typed={typed} />
            )}
            <ActionError error={run.error} />
            <div className="flex justify-end gap-2">
              <Button disabled={run.isPending} onClick={onClose}>
                Cancel
              </Button>
              <Button disabled={!isTyped || run.isPending} refusal={refusal} tone="danger" type="submit">
                {action}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
