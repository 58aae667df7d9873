import { useState, type ReactNode } from "react"
import { Button } from "../buttons/Button.tsx"
import { ConfirmDialog } from "./ConfirmDialog.tsx"

interface DeleteButtonProps {
  /** The kind of the item, such as "webhook". */
  readonly kind: string
  /** The name of the item, which the operator must type to confirm. */
  readonly name: string
  /** Explains what is deleted and what is not deleted. */
  readonly children: ReactNode
  readonly onDelete: () => Promise<unknown>
  /** Why the session may not delete the item. Undefined if it may. */
  readonly refusal: string | undefined
}

/** A button that deletes an item after the operator has confirmed the deletion. */
export const DeleteButton = ({ children, kind, name, onDelete, refusal }: DeleteButtonProps) => {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setIsAsking(true)} refusal={refusal} tone="danger">
        Delete
      </Button>
      {isAsking ? (
        <ConfirmDialog
          action={`Delete ${kind}`}
          identifier={name}
          onClose={() => setIsAsking(false)}
          onConfirm={onDelete}
          title={`Delete ${name}`}
        >
          {children}
        </ConfirmDialog>
      ) : null}
    </>
  )
}
