import { useQueryClient } from "@tanstack/react-query"
import type { ComponentProps, ReactNode } from "react"
import { ConfirmDialog } from "./ConfirmDialog.tsx"
import { Facts } from "./Detail.tsx"
import { notify } from "./notices.ts"

interface RevokeDialogProps {
  /** What is revoked: "key", "session" or "token". */
  readonly thing: string
  readonly name: string
  /** Whether the operator has to type the name, because the revocation cannot be taken back. */
  readonly isTyped: boolean
  readonly facts: ComponentProps<typeof Facts>["facts"]
  /** Says what happens to whoever uses it. */
  readonly effect: ReactNode
  /** Why the session may not do it. Undefined if it may. */
  readonly refusal: string | undefined
  readonly revoke: () => Promise<unknown>
  readonly outdates: ReadonlyArray<string>
  readonly said: string
  readonly onClose: () => void
}

/** Shows a credential and revokes it. */
export const RevokeDialog = (props: RevokeDialogProps) => {
  const { effect, facts, isTyped, name, onClose, outdates, refusal, revoke, said, thing } = props
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      action={`Revoke ${thing}`}
      {...(isTyped && { identifier: name })}
      onClose={onClose}
      onConfirm={async () => {
        await revoke()
        notify(said)
        await queries.invalidateQueries({ queryKey: outdates })
      }}
      refusal={refusal}
      title={name}
    >
      <div className="space-y-4">
        <Facts facts={facts} />
        <p>{effect}</p>
      </div>
    </ConfirmDialog>
  )
}
